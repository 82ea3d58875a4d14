"""The kinds of arguments of public calls: arguments of one name are of one kind, unless a call says otherwise."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from nearprint._columns import are_paths, are_texts, names_of
from nearprint._forms import id_of, is_whole


class Kind(NamedTuple):
    """What an argument is: in words, as one writes it, by its type, and by its value; and what a wrong one may stand for.

    That is written with ``{}`` for the argument itself.
    """

    says: str
    like: str
    of: Callable[[Any], bool]
    holds: Callable[[Any], bool] = lambda _: True
    meant: Callable[[Any], str | None] = lambda _: None

    def as_percentage(self, value: Any) -> float | None:
        """The similarity that is meant by a percentage, where that is one which bands find."""
        share = _share_of(value) if self.holds is _is_share else None
        return share if share != _number(value) else None


def _is(*types: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, types)


def _number(value: Any) -> float | None:
    """The number that this is; none of a text or a truth value, which Python takes for numbers in places."""
    if isinstance(value, (bool, str, bytes, bytearray)):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
    except OverflowError:
        return float("inf")


def _is_number(value: Any) -> bool:
    return _number(value) is not None


def _is_share(value: Any) -> bool:
    number = _number(value)
    return number is not None and 0 <= number <= 1


# The least similarity that bands find: what is below is found on demand alone.
_LEAST = 0.3


def _share_of(value: Any) -> float | None:
    """The similarity that a number is, or a percentage; none of those that bands do not find."""
    number = _number(value)
    if number is not None and 2 <= number <= 100:
        number = float(f"{number / 100:g}")
    return number if number is not None and _LEAST <= number <= 1 else None


def _numeric(
    says: str, like: str, of: Callable[[Any], bool], holds: Callable[[Any], bool] = lambda _: True
) -> Kind:
    """A kind of numbers: a text may stand for one."""

    def meant(value: Any) -> str | None:
        if not isinstance(value, str) or len(value) > 40:
            return None
        for kind in (int, float):
            try:
                number = kind(value.strip().removesuffix("%"))
            except ValueError:
                continue
            right = _share_of(number) if holds is _is_share else number
            if right is not None and of(right) and holds(right):
                return repr(right)
        return None

    return Kind(says, like, of, holds, meant)


def _is_at_least(least: int) -> Callable[[Any], bool]:
    return lambda value: least <= operator.index(value) < 2**63


def _is_number_or_text(value: Any) -> bool:
    return isinstance(value, str) or _is_number(value)


def _are_names(value: Any) -> bool:
    return isinstance(value, str) or isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)


# What has rows has one of these.
_OF_ROWS = (
    *("__iter__", "__getitem__", "__arrow_c_stream__", "__arrow_c_array__", "__array__"),
    *("collect", "to_table", "to_arrow_table", "read_all"),
)


def _has_rows(value: Any) -> bool:
    """Say whether there are rows in an order."""
    # Libraries have dicts of their own, of which some are refused with what to do.
    if value is None or type(value) is dict or isinstance(value, (set, frozenset, type)):
        return False
    return isinstance(value, (str, bytes, os.PathLike)) or any(hasattr(value, name) for name in _OF_ROWS)


def _are_rows(value: Any) -> bool:
    """Say whether these may be rows of texts: numbers in a list are none."""
    if type(value) in (list, tuple):
        return not isinstance(next((row for row in value if row is not None), None), (int, float, complex))
    return _has_rows(value)


def _dtype_of(value: Any) -> str:
    return str(getattr(value, "dtype", None) or getattr(value, "type", ""))


def _hold_codes(value: Any) -> bool:
    """Say whether numbers of these rows may be fingerprints: whole ones, of 64 bits where they have a type."""
    if type(value) in (list, tuple):
        # What makes a number of itself is asked once, where it is read.
        return all(kind is not bool and hasattr(kind, "__index__") for kind in set(map(type, value)))
    kind = _dtype_of(value).lower()
    return kind == "int64" or not kind.startswith(("int", "float", "halffloat", "double", "bool"))


def _are_words(value: Any, least: int = -(2**63)) -> bool:
    """Say whether numbers of a list are of 64 bits: with a sign they are the bits that they have."""
    if type(value) not in (list, tuple):
        return True
    kinds = set(map(type, value))
    if kinds == {int}:
        return bool(least <= min(value) and max(value) < 2**64)
    from numbers import Integral

    numbers = tuple(kind for kind in kinds if issubclass(kind, Integral))
    return not numbers or all(least <= int(one) < 2**64 for one in value if isinstance(one, numbers))


def _are_codes(value: Any) -> bool:
    return _has_rows(value) and not are_texts(value) and _hold_codes(value)


def _are_codes_or_rows(value: Any) -> bool:
    return _has_rows(value) and (are_texts(value) or _hold_codes(value))


def _are_listed(value: Any) -> bool:
    """Say whether these are several texts, and not one."""
    if type(value) in (list, tuple):
        return all(one is None or isinstance(one, str) for one in value[:1])
    return _has_rows(value) and not isinstance(value, (str, bytes, os.PathLike))


def _is_id(value: Any) -> bool:
    return isinstance(id_of(value), str)


def _are_ids(value: Any) -> bool:
    """Say whether these are several ids: texts, or whole numbers."""
    if type(value) in (list, tuple):
        return all(one is None or _is_id(one) for one in value[:1])
    return _are_listed(value)


def _are_files(value: Any) -> bool:
    if isinstance(value, (str, bytes, os.PathLike)):
        return True
    if not isinstance(value, Iterable) or isinstance(value, Mapping) or len(names_of(value)) > 0:
        return False
    return not isinstance(value, (list, tuple, set)) or all(isinstance(one, (str, bytes, os.PathLike)) for one in value)


def _are_labels(value: Any) -> bool:
    if isinstance(value, (list, tuple)) and not are_paths(value):
        return all(isinstance(row, Mapping) for row in value)
    return are_paths(value) or len(names_of(value)) > 0


def _is_document(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return isinstance(value, str)
    return all(isinstance(weight, tuple) or _is_number(weight) for weight in value.values())


def _word(says: str, like: str) -> Kind:
    return Kind(f"is {says}", repr(like), _is(str))


def _whole(like: int, says: str = "a whole number", least: int = 0) -> Kind:
    return _numeric(f"is {says}", str(like), is_whole, _is_at_least(least))


_OF_TEXTS = "a column of strings or a sequence of str, a table or a list of dicts"
_OF_CODES = "an array of uint64 or a column of Arrow"
ROWS = Kind(f"is {_OF_TEXTS}", "texts", _are_rows)
ROWS_OR_ONE = Kind(f"is a text, {_OF_TEXTS}", "texts", lambda value: isinstance(value, Mapping) or _are_rows(value))
ANY_ROWS = Kind("are rows", "data", lambda value: hasattr(value, "__len__") or _has_rows(value))
CODES = Kind(f"are fingerprints, {_OF_CODES}", "nearprint.fingerprint(texts)", _are_codes, _are_words)
CODES_OR_ROWS = Kind(f"are fingerprints, {_OF_CODES}, or texts: {_OF_TEXTS}", "texts", _are_codes_or_rows, _are_words)
NUMBERS = Kind("are whole numbers, one for each fingerprint", "range(len(codes))", _are_codes, partial(_are_words, least=0))
TEXT = Kind("is one text (str)", "'a text'", _is(str))
LISTED = Kind("are a list or column of str", "['a', 'b']", _are_listed)
ID = Kind("is one id (str or int)", "'a'", _is_id)
IDS = Kind("are a list or column of str or int", "['a', 'b']", _are_ids)
COLUMN = Kind("is the name of a column (str)", "'id'", _is(str))
COLUMNS = Kind("is the name of a column, or a list of names", "'text'", _are_names)
FIELDS = Kind("is the name of a field, or several", "'question'", _is(str, list, tuple, set))
NUMBER = _numeric("is a number", "30", _is_number)
SHARE = _numeric("is a number above 0, at most 1", "0.55", _is_number)
PATH = Kind("is a path", "'a/path'", _is(str, os.PathLike))
FILE = Kind("is the path of a file or a folder", "'corpus.jsonl'", _is(str, bytes, os.PathLike))
FILES = Kind("are paths of files or folders, and rows go to the call without _files", "'corpus.jsonl'", _are_files)
OUTPUT = Kind("is a path", "'out.jsonl'", lambda value: value is None or FILE.of(value))
DECISIONS = Kind("is the path of a file of decisions", "'corpus.decisions'", FILE.of)
EVALS = Kind(
    "are eval sets: paths, tables or lists of dicts, or a dict of these",
    "'evals/'",
    lambda value: isinstance(value, Mapping) or _has_rows(value),
)
LABELS = Kind("are a path, a table or a list of dicts", "[{'a': 'id1', 'b': 'id2', 'same': True}]", _are_labels)
# Of what is found by bands alone; whether a text is a number of this kind, the search says.
RECALL_OF_BANDS = Kind("is a number above 0 and below 1", "0.999", _is_number_or_text)
FLAG = Kind("is True or False", "True", _is(bool))
SPARK = Kind("is a DataFrame of Spark", "df", lambda value: hasattr(value, "sparkSession"))
FOLDER = Kind("is the path of a folder (str)", "'hdfs:///work'", _is(str))
BUILT_IN = Kind("is the name of a built-in recipe (str)", "'text'", _is(str))
TOML = Kind("is the text of a TOML file (str)", "open('mine.toml').read()", _is(str))
WORDS = Kind("is the path of a file of words, or True", "True", _is(bool, str, os.PathLike))
# What the call looks at itself, or hands on.
ANY = Kind("is anything", "...", lambda _: True)

ROW_OR_ID = Kind("is the number of a row, or its id (str)", "0", lambda value: isinstance(value, str) or is_whole(value))
ROW_COUNT = _numeric("is a number of rows", "5", is_whole)

KINDS = {
    **dict.fromkeys(("data", "against"), ROWS),
    **dict.fromkeys(("codes", "other"), CODES),
    "ids": IDS,
    "texts": LISTED,
    **dict.fromkeys(("inputs", "corpus"), FILES),
    "output": OUTPUT,
    "file": DECISIONS,
    **dict.fromkeys(("path", "index", "work_dir", "dictionary", "stop_words", "idf"), PATH),
    "text": COLUMNS,
    **dict.fromkeys(("id", "within", "across", "count_by", "source_field", "item_id"), COLUMN),
    **dict.fromkeys(("question", "choices", "answer", "context"), FIELDS),
    "labels": LABELS,
    "sweep": _word("similarities as first, last and step (str)", "0.6:1.0:0.02"),
    "document": Kind("is a text, or a dict of features with their weights", "'a text'", _is_document),
    "summary": Kind("is the figures of a run (dict), or the path of their file", "figures", _is(Mapping, str, os.PathLike)),
    "recipe": Kind(
        "is the name of a recipe, the path of its TOML, or a nearprint.Recipe",
        "'text'",
        lambda value: isinstance(value, str) or hasattr(type(value), "to_toml"),
        meant=lambda value: repr(os.fspath(value)) if isinstance(value, os.PathLike) else None,
    ),
    "similarity": _numeric("is a number from 0.3 to 1", "0.8", _is_number, _is_share),
    "share": SHARE,
    "recall": Kind("is a number above 0 and below 1, or 'exact'", "0.999", _is_number_or_text),
    "bits": NUMBER,
    "k": _whole(3, "a number of bits, from 0 on"),
    "width": _numeric("is 64, 128 or 256", "128", is_whole, lambda value: operator.index(value) in (64, 128, 256)),
    "threads": _whole(4, "a number of threads, at least one", 1),
    "row": Kind("is the number of a row", "0", is_whole),
    "length": _whole(50),
    "copies": _whole(2),
    "min_left": _whole(10),
    "margin": _whole(100),
    "top": _whole(10),
    "items": _whole(1000),
    "memory": Kind("is a number of bytes, also as a text", "'4G'", lambda value: isinstance(value, str) or is_whole(value)),
    "keep_by": Kind("is a column and a rule, or a list of such", "'date:max'", _are_names),
    "keep": _word("a rule such as 'first', 'longest' or 'none'", "first"),
    "verify": _word("a measure and a number, such as 'jaccard=0.8'", "jaccard=0.8"),
    "equal": _word("'bytes'", "bytes"),
    "cluster_rule": _word("'star' or 'connected'", "connected"),
    "unit": _word("'token', 'line', 'sentence' or 'paragraph'", "line"),
    "inside": _word("'cut' or 'keep'", "keep"),
    "digits": _word("'keep' or 'one'", "one"),
    "whole": _word("'sentence', 'line' or 'paragraph'", "line"),
    "joint": _word("a text", " "),
    "short": _word("'report', 'flag' or 'skip'", "flag"),
    "common": _word("'flag' or 'keep'", "keep"),
    "delimiter": _word("one character, or 'tab'", ";"),
    "quote": _word("one character, or 'none'", "none"),
    "escape": _word("one character", "\\"),
    "encoding": _word("the name of a character set", "latin1"),
    "action": _word("'drop', 'cut' or 'annotate'", "cut"),
    "progress": Kind("is True, False or a function", "True", lambda value: isinstance(value, bool) or callable(value)),
    **dict.fromkeys(("fold_equal", "estimate", "non_negative"), FLAG),
}
