"""Names of arguments: others that they go by, those that people type, and what to do where there is no such argument."""

from __future__ import annotations

from collections.abc import Iterable

# Other names that arguments go by: those of other tools, and of the command's options.
OTHER_NAMES = {"threshold": "similarity", "text_field": "text", "id_field": "id"}
# Names that people type. That of a line which a call has is what they mean.
_LIKELY = (
    ("similarity", "threshold", "jaccard", "jaccard_threshold", "sim", "cutoff", "min_similarity"),
    ("text", "text_field", "column", "columns", "field", "text_column", "text_col", "text_key", "content"),
    ("id", "id_field", "id_column", "id_col", "id_key", "ids"),
    ("threads", "n_jobs", "jobs", "workers", "num_workers", "num_proc", "n_threads", "processes", "cores"),
    ("output", "out", "output_file", "output_dir", "out_path", "output_path"),
    ("data", "codes", "inputs", "corpus", "df", "texts", "docs", "documents", "rows", "input", "path"),
    ("k", "radius", "distance", "hamming", "max_distance", "n_bits"),
    ("width", "bits", "f"),
    ("against", "evals", "eval", "reference", "others", "other", "eval_sets"),
    ("keep_by", "sort_by", "order_by", "prefer"),
    ("progress", "verbose", "show_progress", "progress_bar"),
    ("length", "min_length", "min_len", "minimum_length", "min_tokens", "num_tokens", "n_tokens", "min_words", "tokens", "window"),
    ("shingle", "shingles", "shingle_size", "ngram", "ngrams", "ngram_size"),
    ("recipe", "tokenizer", "normalize", "analyzer", "preprocessor"),
    ("top", "limit", "max_results", "n_results", "n_neighbors"),
    ("url", "address", "host", "base_url", "endpoint"),
    ("token", "api_key", "key", "auth"),
)
# Of names that are for nothing here, what to do in their place: the first whose arguments the call has.
_NO_SUCH: tuple[tuple[frozenset[str], tuple[tuple[tuple[str, ...], str], ...]], ...] = (
    (
        frozenset(("num_perm", "num_perms", "n_perm", "permutations", "num_hashes", "hash_func", "bands", "num_bands", "b", "r")),
        (
            (("similarity", "recall"), "similarity= and recall= say what is found, and bands and rows follow from them"),
            (("similarity",), "similarity= says what is found, and bands and rows follow from it"),
            (("width",), "width= says how many bits a fingerprint has"),
        ),
    ),
    (
        frozenset(("shingle", "shingles", "shingle_size", "ngram", "ngrams", "ngram_size")),
        ((("recipe",), "a recipe says how features are made, as recipe=nearprint.Recipe('text', shingle=5)"),),
    ),
    (
        frozenset(("similarity", "threshold", "jaccard")),
        ((("k",), "it goes by bits, k=; by similarity texts go to nearprint.dedup, pairs and clusters"),),
    ),
    (frozenset(("k", "radius")), ((("similarity",), "it goes by similarity="),)),
)
# How alike a name is to one that is meant: one that the call has, and one that people type.
_ALIKE, _ALIKE_TYPED = 0.7, 0.85


def in_place_of(name: str, known: Iterable[str]) -> str | None:
    """What to do in place of giving an argument that there is none of."""
    known = set(known)
    told = next((told for names, told in _NO_SUCH if name in names), ())
    return next((advice for needed, advice in told if known.issuperset(needed)), None)


def meant(name: str, known: Iterable[str]) -> str | None:
    """The argument that is meant by a name."""
    import difflib

    known = list(known)
    typed = [one for names in _LIKELY for one in names]
    near = difflib.get_close_matches(name.lower(), known, 1, _ALIKE)
    near += difflib.get_close_matches(name.lower(), typed, 1, _ALIKE_TYPED)
    for likely in (name, *near):
        names = next((names for names in _LIKELY if likely in names), (likely,))
        if (right := likely if likely in known else next((one for one in names if one in known), None)) is not None:
            return right
    return None
