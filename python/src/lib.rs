//! The native module of the Python package: what needs Rust, for a face that is written in Python.
//!
//! | file | what it holds |
//! |---|---|
//! | `arrow_c`, `imported`, `dict_rows`, `text`, `text_column`, `codes` | what Python holds, read without a copy of texts: Arrow, NumPy, lists |
//! | `array`, `table`, `exported` | what Python gets: an Arrow array, a table of columns, handed over as Arrow |
//! | `rows` | rows in a temporary file, over which a job runs |
//! | `fingerprint`, `join`, `dedup`, `passages`, `decontamination`, `comparison`, `explanation`, `index`, `store`, `recipe` | one task each |
//! | `labels`, `scores`, `values` | what rows are grouped by, and ordered by; values as objects |
//! | `word_files` | the files that a recipe takes words from |
//! | `kernels` | the parts of a search that an engine moves between machines |
//! | `command` | the command, and its jobs over files |
//! | `job`, `pool` | work that Ctrl-C ends, on threads that a fork does not break |
//! | `error` | errors of the library as exceptions |

use nearprint_index::LargePages;
use pyo3::prelude::*;
use std::alloc::System;

mod array;
mod arrow_c;
mod asked;
mod codes;
mod command;
mod comparison;
mod decontamination;
mod dedup;
mod dict_rows;
mod error;
mod explanation;
mod exported;
mod fingerprint;
mod imported;
mod index;
mod job;
mod join;
mod kernels;
mod labels;
mod passages;
mod pool;
mod radius;
mod recipe;
mod rows;
mod scores;
mod store;
mod table;
mod text;
mod text_column;
mod values;
mod word_files;

/// Of what Rust allocates; arrays of Python and Arrow have their own.
#[global_allocator]
static ALLOCATOR: LargePages<System> = LargePages(System);

/// What the package `nearprint` needs of Rust. Use the package.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::command::{
        clean_files, decide, decontaminate_files, dedup_files, methods, passages_files, run,
        split_files,
    };
    #[pymodule_export]
    use crate::comparison::{Comparison, compare};
    #[pymodule_export]
    use crate::decontamination::{FoundContamination, decontaminate};
    #[pymodule_export]
    use crate::dedup::{Found, dedup};
    #[pymodule_export]
    use crate::explanation::{Explanation, explain_bits, explain_features, explain_text};
    #[pymodule_export]
    use crate::fingerprint::{distance, fingerprint_column, fingerprint_text, fingerprint_vectors};
    #[pymodule_export]
    use crate::index::Index;
    #[pymodule_export]
    use crate::join::{clusters, pairs};
    #[pymodule_export]
    use crate::kernels::{Components, Linker, Router};
    #[pymodule_export]
    use crate::passages::{FoundPassages, passages, with_texts};
    #[pymodule_export]
    use crate::pool::set_threads;
    #[pymodule_export]
    use crate::recipe::{Recipe, recipes};
    #[pymodule_export]
    use crate::scores::places_of;
    #[pymodule_export]
    use crate::store::Store;
    #[pymodule_export]
    use crate::table::{Table, take};
    #[pymodule_export]
    use crate::values::{texts_of, values_of};
}
