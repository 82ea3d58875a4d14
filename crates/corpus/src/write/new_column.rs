//! A column that a job adds to rows of Parquet, and its cells. Writing them is `new_cells`'.

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::schema::types::Type;
use std::borrow::Cow;

/// A column that rows of Parquet get behind their own, in the place of one that has its name; or that they lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewColumn {
    /// What it is called.
    pub name: &'static str,
    /// What its cells hold, where they are not empty.
    pub kind: NewColumnKind,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewColumnKind {
    /// Numbers without a fraction, of 64 bits.
    Integer,
    /// Numbers of 64 bits.
    Real,
    /// True or false.
    Truth,
    /// Texts in UTF-8.
    Text,
    /// Nothing: a column of that name goes, and none comes. Such columns stand behind all others.
    Gone,
}

/// A cell of such a column. One of another kind than its column's is empty.
#[derive(Clone, Debug, PartialEq)]
pub enum NewCell<'a> {
    /// No value.
    Empty,
    /// A number without a fraction.
    Integer(i64),
    /// A number.
    Real(f64),
    /// True or false.
    Truth(bool),
    /// A text.
    Text(Cow<'a, str>),
}

impl NewColumn {
    /// Whether rows get it.
    pub(crate) fn comes(&self) -> bool {
        self.kind != NewColumnKind::Gone
    }

    /// The field of a schema; its cells may be empty.
    pub(crate) fn field(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.kind {
            NewColumnKind::Integer => (Physical::INT64, None),
            NewColumnKind::Real => (Physical::DOUBLE, None),
            NewColumnKind::Truth => (Physical::BOOLEAN, None),
            NewColumnKind::Text | NewColumnKind::Gone => {
                (Physical::BYTE_ARRAY, Some(LogicalType::String))
            }
        };
        Type::primitive_type_builder(self.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    }
}
