//! Items of eval sets that stand in a corpus, and the corpus without them.
//!
//! | file | what it does |
//! |---|---|
//! | `fields`, `printed`, `eval_sets`, `building`, `items` | Rows of eval sets become items: texts as lists of tokens. Equal items are one. |
//! | `header` | What all questions of a file begin or end with is no part of them. |
//! | `owners` | Which rows are the same question: what many different ones say weighs little. |
//! | `sample`, `vocabulary` | A sample of the corpus says how usual each token is. |
//! | `index` | Every run of four tokens of the items, sorted; shorter questions as a whole. |
//! | `index_file`, `stored_list`, `items/stored`, `index/stored` | Both in a file: what no corpus decides. |
//! | `eval_file`, `eval_notes` | The version of each eval set, and how it was read. |
//! | `prepared` | All of this for a job. |
//! | `finder`, `alignment` | Every place of a document is looked up. Where runs cover enough of a text, it is aligned with the place. |
//! | `judging`, `rule` | Share, bits and density become a verdict; answers behind a question and its context are evidence too. |
//! | `lines`, `part`, `following`, `enclosing` | What of a text goes where an item is cut out. |
//! | `looking`, `findings` | The first reading: an entry for each place, with its text apart. |
//! | `gone`, `rows` | What goes, and the rows that tell of it. |
//! | `writing` | The second reading writes the corpus, by the writer of `passages`. |
//! | `job` | The stages in a row. In shards they are in `distributed::contamination`. |
//! | `self_test`, `forms` | Items are put into documents of the corpus in memory, in many forms, and looked for. |
//!
//! All thresholds are in `rule`. Memory: the items with their index, some 20 bytes a token of theirs; what was found is
//! on disk where memory has no room.

pub(crate) mod alignment;
pub(crate) mod answer_words;
pub(crate) mod building;
pub(crate) mod enclosing;
pub(crate) mod eval_file;
pub(crate) mod eval_notes;
pub(crate) mod eval_sets;
pub(crate) mod fields;
pub(crate) mod figures;
pub(crate) mod finder;
pub(crate) mod findings;
pub(crate) mod following;
pub(crate) mod forms;
pub(crate) mod gone;
pub(crate) mod header;
pub(crate) mod index;
pub(crate) mod index_file;
pub(crate) mod instructions;
pub(crate) mod item_text;
pub(crate) mod items;
pub(crate) mod job;
pub(crate) mod judging;
pub(crate) mod kept;
pub(crate) mod lines;
pub(crate) mod looking;
pub(crate) mod note;
pub(crate) mod overview;
pub(crate) mod owners;
pub(crate) mod part;
pub(crate) mod parted;
pub(crate) mod prepared;
pub(crate) mod rows;
pub(crate) mod rule;
pub(crate) mod sample;
pub(crate) mod self_test;
pub(crate) mod spec;
pub(crate) mod stored_list;
pub(crate) mod summary;
pub(crate) mod taken;
pub(crate) mod vocabulary;
pub(crate) mod writing;
