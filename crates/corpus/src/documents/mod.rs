//! From a record to its document: id, text, fields.

pub(crate) mod column_document;
pub(crate) mod column_labels;
pub(crate) mod document;
pub(crate) mod escaped_fields;
pub(crate) mod feature_entries;
pub(crate) mod fields;
pub(crate) mod joined_text;
pub(crate) mod labels;
pub(crate) mod members;
pub(crate) mod message;
pub(crate) mod message_part;
pub(crate) mod moment;
pub(crate) mod part_kind;
pub(crate) mod plain_run;
pub(crate) mod python_literal;
pub(crate) mod replaced;
pub(crate) mod row;
pub(crate) mod row_pass;
pub(crate) mod said;
pub(crate) mod score;
pub(crate) mod table;
pub(crate) mod vector;
pub(crate) mod without_nulls;
