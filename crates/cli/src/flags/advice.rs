//! Names of flags and verbs of other tools, and what is advised in their place.

/// A flag, and the other names that it takes where the verb has no flag of that name.
pub(super) const NAMES: &[(&str, &[&str])] = &[
    ("similarity", &["threshold", "jaccard", "jaccard-threshold", "min-similarity"]),
    ("text-field", &["text-column", "text-key", "column", "field"]),
    ("id-field", &["id", "id-column", "id-key"]),
    ("threads", &["workers", "jobs", "num-proc", "n-jobs"]),
    ("force", &["overwrite"]),
    ("against", &["evals"]),
    ("evals", &["against"]),
    ("output", &["out", "output-file", "output-dir"]),
];

/// A verb, and its other names.
pub(super) const VERBS: &[(&str, &[&str])] =
    &[("dedup", &["dedupe", "deduplicate"]), ("compare", &["diff"]), ("init", &["create", "new"])];

/// What stands in an advice for the verb and the files that it takes.
pub(super) const CALL: &str = "{call}";

/// Flags that there are none of; a flag that the verb has to have, by which the advice goes; and what to do in their
/// place. The first that suits the verb is given.
pub(super) const ADVICE: &[(&[&str], &str, &str)] = &[
    (
        &["--input", "--in", "--inputs", "--file", "--files", "-i"],
        "",
        "files are named without a flag: {call}",
    ),
    (
        &[
            "--minhash",
            "--lsh",
            "--num-perm",
            "--num-hashes",
            "--permutations",
            "--bands",
            "--rows",
            "-b",
        ],
        "recall",
        "--similarity and --recall say what is found: bands and rows follow from them",
    ),
    (
        &["--measure", "--metric"],
        "verify",
        "--verify RULE says how pairs are compared: jaccard=X, containment=X or cosine=X",
    ),
    (
        &["--truth", "--ground-truth", "--gold"],
        "labels",
        "--labels FILE names the pairs, or the clusters, that are right",
    ),
    (
        &["-t"],
        "similarity",
        "--similarity S is the least share of features in common, --threads N the number of threads",
    ),
    (&["-t", "-j"], "threads", "--threads N is the number of threads"),
    (
        &["--sim", "-s"],
        "similarity",
        "--similarity S: the least share of features that near-duplicates have in common",
    ),
    (
        &[
            "--k",
            "--radius",
            "--bit-diff",
            "--bit_diff",
            "--distance",
            "--max-distance",
            "--hamming",
        ],
        "k",
        "-k K: near-duplicates differ in at most K bits",
    ),
    (
        &["--exact", "--exact-only", "--exact-match"],
        "equal",
        "--equal bytes takes equal texts alone for duplicates; --recall exact finds all near-duplicates",
    ),
    (
        &["--keep-first", "--keep-last", "--keep-longest", "--keep-shortest"],
        "keep",
        "--keep RULE says which document stays: first, last, longest or shortest",
    ),
    (
        &["-r", "-R", "--recursive"],
        "include",
        "folders are read with all that is below them: leave the flag out",
    ),
    (&["--removed", "--cuts", "--leaks", "--items"], "lists", "--lists DIR has what went, and why"),
    (
        &["--threshold", "--similarity", "--containment"],
        "share",
        "--share S is the share of an item that a document must contain",
    ),
    (
        &["--question", "--choices", "--answer", "--context"],
        "item-fields",
        "--item-fields question=FIELD,answer=FIELD names the fields of items",
    ),
    (
        &["--ngram", "--ngrams", "--ngram-size"],
        "share",
        "items are sought by runs of four tokens; --share S is how much of one a document must contain",
    ),
    (&["--min-length", "--min-tokens"], "length", "--length N is the least length of a passage"),
    (
        &["--min-copies", "--min-documents"],
        "length",
        "--copies N cuts only what at least N documents contain",
    ),
    (
        &["--counts", "--count"],
        "count-by",
        "--copies says how many documents each kept one stands for",
    ),
    (
        &["--by"],
        "group-by",
        "--group-by FIELD has figures of each value, --within FIELD compares documents of equal values alone",
    ),
    (
        &["--key", "--on", "--by", "--subset"],
        "text-field",
        "--text-field FIELD names the field that is compared",
    ),
    (&["--methods"], "summary", "--summary FILE has what nearprint methods FILE tells for a paper"),
    (&["--log", "--log-file"], "summary", "remarks are on standard error: 2> FILE keeps them"),
    (
        &["--seed", "--random-state"],
        "similarity",
        "nothing is left to chance: the same input gives the same output",
    ),
    (&["--sample", "--sample-size"], "budget", "--documents N says how many are compared"),
    (&["--sample", "--sample-size"], "", "all is read: shuf -n N draws lines beforehand"),
    (&["--summary"], "plot", "--format json has all figures"),
    (&["--summary"], "fold-equal", "nearprint dedup --summary FILE has the figures of a run"),
    (&["-o", "--output"], "plot", "the answer is printed: > FILE keeps it"),
    (&["-o", "--output"], "format", "the answer is printed: > FILE keeps it"),
    (&["-k", "--k"], "budget", "radii are rows of the answer: nearprint dedup takes -k"),
    (&["--labels"], "budget", "nearprint evaluate IN --labels FILE judges by labels"),
    (
        &["--keep", "--keep-by"],
        "cluster-rule",
        "nearprint dedup has --keep, and --clusters FILE with the kept document of each cluster",
    ),
    (&["--method", "--algorithm"], "k", "--similarity S or -k K says what near-duplicates are"),
    (
        &["--method", "--algorithm"],
        "unit",
        "--unit paragraph or line with --similarity S cuts near-duplicates",
    ),
    (&["--method", "--algorithm"], "similarity", "--similarity S says what near-duplicates are"),
    (&["--text"], "text-field", "--text-field FIELD names the field of the text"),
    (
        &["--limit", "--top", "--head", "-n"],
        "",
        "all rows are written: head -n N takes the first ones",
    ),
    (
        &["--estimate", "--dry-run"],
        "lists",
        "nearprint dedup IN --estimate says what the first step takes",
    ),
    (&["--dry-run"], "estimate", "--estimate says what a run takes, and writes nothing"),
    (&["--estimate"], "", "nearprint dedup IN --estimate says what a run of dedup takes"),
    (&["--verbose", "-v", "--debug"], "log", "--log debug logs all requests"),
    (&["--verbose", "-v", "--debug"], "summary", "--summary FILE has every figure of a run"),
    (&["-v"], "", "nearprint -V prints the version"),
    (
        &["--port", "--host", "--bind", "-p"],
        "listen",
        "--listen ADDRESS:PORT says where it is served",
    ),
    (
        &["--train", "--valid", "--test", "--train-size", "--test-size", "--ratio"],
        "",
        "--parts train=90,test=10 names the parts of split and their shares",
    ),
    (
        &["--format", "--output-format", "--csv", "--json"],
        "",
        "rows are JSON, one a line; the name of an output tells in what format documents are kept",
    ),
    (&["--against"], "in", "--in CORPUS names the corpus"),
    (&["--against"], "", "nearprint dedup --against FILE removes what another corpus has"),
    (&["--sort"], "", "rows are in input order: sort them afterwards"),
    (
        &["--ngram", "--ngrams", "--ngram-size"],
        "length",
        "--length N is the least length of a passage",
    ),
    (
        &["--ngram", "--ngrams", "--ngram-size", "--shingle", "--shingles", "--shingle-size"],
        "",
        "a recipe says how features are made: nearprint recipe show text",
    ),
];

/// A command with verbs; the one of them that is shown to whoever leaves the verb out; and what stands before documents.
pub(super) const SHOWN: &[(&str, &str, &str)] = &[
    ("nearprint", "dedup", "dedup"),
    ("recipe", "show", "show"),
    ("store", "stats", "add STORE"),
    ("index", "build", "build"),
    ("idf", "build", "build"),
    ("shard", "status", "create WORK"),
];

/// Verbs that another one runs, with the flags that its flag of that name hands on.
pub(super) const STEPS: &[&str] = &["dedup", "passages", "decontaminate"];
