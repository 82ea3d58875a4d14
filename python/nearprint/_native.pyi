import os
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

_Told = Callable[[str, float | None, int], object] | None
_Pieces = list[tuple[bool, str]]

@final
class Array:
    """An Arrow array.

    ``pyarrow.array``, ``polars.Series`` and other libraries of Arrow take it without a copy.
    :func:`nearprint.fingerprint` gives one for fingerprints of 128 and 256 bits.

    Examples
    --------
    >>> import nearprint
    >>> codes = nearprint.fingerprint(["one two three four"], width=128)
    >>> len(codes), codes.dtype
    (1, 'FixedSizeBinary(16)')
    """

    def __len__(self) -> int: ...
    @property
    def dtype(self) -> str:
        """The name of the Arrow type."""

    def to_numpy(self) -> Any:
        """The values as a NumPy array; of numbers with nulls a masked array, of fingerprints of more than 64 bits rows of
        words, the lowest first.

        Raises
        ------
        TypeError
            NumPy has no such type. Take the array by a library of Arrow.
        """

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Table:
    def __len__(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def to_pyarrow(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Recipe:
    """How a text becomes a fingerprint: all that decides the bits.

    Recipes are equal where their ids are, and both name a width or neither does. A recipe can be pickled.

    Parameters
    ----------
    name
        The name of a built-in recipe. :func:`nearprint.recipes` lists them.
    width
        Bits of a fingerprint: 64, 128 or 256. By default each task takes what is usual for it.
    dictionary
        For Chinese: the path of a user dictionary of jieba. A line is ``word [frequency] [part of speech]``.
    stop_words
        For Chinese: the path of a file of words to leave out, one a line. Or ``True``: leave out the stop words of the
        recipe's ``language``.
    idf
        For keywords: the path of an idf file of jieba. A line is ``word frequency``.
    **keys
        Other values of the keys of the recipe's TOML, with ``_`` for ``-``.

    Notes
    -----
    Files are read once, and their content is part of the recipe's id. A pickle holds the content.

    Raises
    ------
    nearprint.errors.RecipeError
        No built-in recipe has this name, or the recipe has no use for a file.
    nearprint.errors.InputError
        A line of a file is wrong, or the file is too large.
    nearprint.errors.IoError
        The system refuses a file.

    Examples
    --------
    >>> import nearprint, os, tempfile
    >>> nearprint.Recipe("words").features("One fish, two fish")
    [('fish', 2.0), ('one', 1.0), ('two', 1.0)]
    >>> shorter = nearprint.Recipe("text").to_toml().replace("shingle = 3", "shingle = 2")
    >>> nearprint.Recipe.from_toml(shorter).features("one two three")
    [('one two', 1.0), ('two three', 1.0)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "user.txt")
    ...     with open(path, "w", encoding="utf-8") as file:
    ...         _ = file.write("区块链 nz")
    ...     mine = nearprint.Recipe("zh", shingle=1, dictionary=path)
    >>> mine.features("区块链")
    [('区块链', 1.0)]
    """

    def __new__(
        cls,
        name: str = "text",
        *,
        width: int | None = None,
        dictionary: str | os.PathLike[str] | None = None,
        stop_words: bool | str | os.PathLike[str] | None = None,
        idf: str | os.PathLike[str] | None = None,
        **keys: object,
    ) -> Self: ...
    @classmethod
    def from_toml(
        cls,
        text: str,
        *,
        dictionary: str | os.PathLike[str] | None = None,
        stop_words: str | os.PathLike[str] | None = None,
        idf: str | os.PathLike[str] | None = None,
    ) -> Recipe:
        """A recipe of one's own, from the text of a TOML file.

        :meth:`to_toml` of a built-in recipe is a beginning.

        Parameters
        ----------
        text
            The text of the file, not its path.
        dictionary, stop_words, idf
            As for :class:`Recipe`. TOML names such files, and does not hold what is in them.

        Raises
        ------
        nearprint.errors.RecipeError
            The text is not a recipe, or the recipe contradicts itself, does not use a file, or names another one.
        """

    @classmethod
    def _restored(
        cls, toml: str, names_width: bool, id: str, files: tuple[bytes | None, bytes | None, bytes | None]
    ) -> Recipe: ...
    def to_toml(self) -> str:
        """The recipe as TOML; where it names no width, that is a comment."""

    def with_width(self, width: int) -> Recipe:
        """The recipe at another width.

        Parameters
        ----------
        width
            Bits of a fingerprint: 64, 128 or 256.

        Examples
        --------
        >>> import nearprint
        >>> nearprint.Recipe("words").with_width(128).width
        128
        """

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def id(self) -> str:
        """What files hold in which its fingerprints are."""

    @property
    def width(self) -> int | None:
        """Bits of a fingerprint; ``None`` where each task takes what is usual for it."""

    @property
    def takes_features(self) -> bool:
        """Whether it takes features that come with their weights, and no texts."""

    def features(self, text: str) -> list[tuple[str, float]]:
        """The features of a text with their weights."""

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object) -> Self: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Comparison:
    @property
    def distance(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def fingerprints(self) -> tuple[str, str]: ...
    @property
    def jaccard(self) -> float: ...
    @property
    def containment(self) -> float: ...
    @property
    def cosine(self) -> float: ...
    @property
    def cosine_estimated(self) -> float: ...
    @property
    def least_radius(self) -> int | None: ...
    @property
    def differences(self) -> list[tuple[str, float, float]]: ...
    def rows(self, rows: int = 20) -> list[tuple[int, _Pieces, _Pieces]]: ...

@final
class Explanation:
    @property
    def tokens(self) -> list[str]: ...
    @property
    def features(self) -> list[tuple[str, int, float, str]]: ...
    @property
    def sums(self) -> list[float]: ...
    @property
    def bits(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def flags(self) -> list[str]: ...

@final
class Found:
    def __len__(self) -> int: ...
    def text(self, row: int) -> str | None: ...
    def kept_text(self, row: int) -> str | None: ...
    @property
    def kept(self) -> NDArray[np.int64]: ...
    @property
    def mask(self) -> NDArray[np.bool_]: ...
    @property
    def cluster(self) -> NDArray[np.int64]: ...
    @property
    def representative(self) -> NDArray[np.int64]: ...
    @property
    def copies(self) -> NDArray[np.int64]: ...
    @property
    def sources(self) -> list[dict[str, int]] | None: ...
    @property
    def removed(self) -> Table: ...
    @property
    def pairs(self) -> Table: ...
    @property
    def summary(self) -> str: ...

@final
class FoundContamination:
    def __len__(self) -> int: ...
    @property
    def name(self) -> str | None: ...
    @property
    def kept(self) -> NDArray[np.int64]: ...
    @property
    def mask(self) -> NDArray[np.bool_]: ...
    @property
    def texts(self) -> Array: ...
    @property
    def notes(self) -> Array: ...
    @property
    def removed(self) -> Table: ...
    @property
    def items(self) -> Table: ...
    @property
    def summary(self) -> str: ...
    def self_test(self, items: int, progress: _Told = None) -> tuple[str, str, Table]: ...

@final
class FoundPassages:
    def __len__(self) -> int: ...
    @property
    def name(self) -> str | None: ...
    @property
    def kept(self) -> NDArray[np.int64]: ...
    @property
    def mask(self) -> NDArray[np.bool_]: ...
    @property
    def texts(self) -> Array: ...
    @property
    def cuts(self) -> Table: ...
    @property
    def passages(self) -> Table | None: ...
    @property
    def summary(self) -> str: ...

@final
class Router:
    def __new__(
        cls,
        recipe: Recipe,
        ranges: int,
        *,
        similarity: float | None = None,
        recall: str | None = None,
        width: int | None = None,
        verify: str | None = None,
        within: str | None = None,
    ) -> Self: ...
    def push(self, data: Any, text: str, address: str) -> None: ...
    @property
    def held(self) -> int: ...
    def take(self) -> Table: ...

@final
class Linker:
    def __new__(
        cls,
        recipe: Recipe,
        *,
        similarity: float | None = None,
        recall: str | None = None,
        width: int | None = None,
        verify: str | None = None,
        within: str | None = None,
    ) -> Self: ...
    def push(self, entries: Any) -> None: ...
    def take(self) -> list[bytes]: ...

@final
class Components:
    def __new__(cls) -> Self: ...
    def push(self, links: Any) -> None: ...
    def shards(self, documents: int) -> Table: ...
    def labels(self) -> Table: ...

@final
class Index:
    @staticmethod
    def build(codes: Any, ids: Any = None, *, k: int = 3, threads: int | None = None) -> Index: ...
    @staticmethod
    def open(path: str | os.PathLike[str], *, width: int | None = None) -> Index: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def query(
        self, codes: Any, k: int | None = None, *, top: int | None = None, threads: int | None = None
    ) -> Table: ...
    def verify(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def k(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def path(self) -> os.PathLike[str] | None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Store:
    @staticmethod
    def create(
        path: str | os.PathLike[str],
        recipe: Recipe,
        *,
        similarity: float | None = None,
        k: int | None = None,
        width: int | None = None,
        estimate: bool = False,
    ) -> Store: ...
    @staticmethod
    def open(
        path: str | os.PathLike[str],
        *,
        dictionary: str | os.PathLike[str] | None = None,
        stop_words: str | os.PathLike[str] | None = None,
        idf: str | os.PathLike[str] | None = None,
    ) -> Store: ...
    def add(self, ids: Any, texts: Any) -> Table: ...
    def check_and_add(self, ids: Any, texts: Any) -> Table: ...
    def update(self, ids: Any, texts: Any) -> Table: ...
    def check(self, texts: Any) -> Table: ...
    def query(self, text: str, k: int | None = None, *, top: int = 100) -> Table: ...
    def delete(self, ids: Any) -> int: ...
    def fingerprint(self, id: str) -> str | None: ...
    def snapshot(self, path: str | os.PathLike[str]) -> None: ...
    def verify(self) -> None: ...
    def compact(self) -> None: ...
    def __contains__(self, id: str, /) -> bool: ...
    def __len__(self) -> int: ...
    @property
    def path(self) -> os.PathLike[str]: ...
    def close(self) -> None: ...

def fingerprint_text(text: str, recipe: Recipe, width: int | None = None) -> int: ...
def fingerprint_column(
    data: Any,
    recipe: Recipe,
    text: str | None = None,
    width: int | None = None,
    threads: int | None = None,
) -> Array: ...
def fingerprint_vectors(
    rows: Sequence[dict[str, float] | None], recipe: Recipe, width: int | None = None
) -> Array: ...
def distance(a: Any, b: Any) -> NDArray[np.uint16]: ...
def pairs(
    codes: Any, k: int, other: Any = None, threads: int | None = None, fold_equal: bool = False
) -> Table: ...
def clusters(codes: Any, k: int, threads: int | None = None) -> NDArray[np.int64]: ...
def compare(a: str, b: str, recipe: Recipe, width: int | None = None) -> Comparison: ...
def explain_text(text: str, recipe: Recipe, width: int | None = None) -> Explanation: ...
def explain_features(
    features: Sequence[tuple[str, float]], recipe: Recipe, width: int | None = None
) -> Explanation: ...
def explain_bits(features: Sequence[tuple[str, str, float]], non_negative: bool = False) -> Explanation: ...
def dedup(
    data: Any,
    recipe: Recipe,
    *,
    text: str | None = None,
    id: str | None = None,
    similarity: float | None = None,
    recall: str | None = None,
    k: int | None = None,
    width: int | None = None,
    verify: str | None = None,
    equal: str | None = None,
    keep: str | None = None,
    cluster_rule: str | None = None,
    threads: int | None = None,
    progress: _Told = None,
    pairs: bool = False,
    fold_equal: bool = False,
    reference: int = 0,
    within: str | None = None,
    across: str | None = None,
    count_by: str | None = None,
    collapse: bool = False,
    against: Any = None,
    against_text: str | None = None,
    order: Sequence[int] | None = None,
) -> Found: ...
def decontaminate(
    data: Any,
    recipe: Recipe,
    args: Sequence[str],
    action: Sequence[str],
    evals: Sequence[tuple[str | None, Any]],
    *,
    text: str | None = None,
    id: str | None = None,
    work_dir: str | os.PathLike[str] | None = None,
    progress: _Told = None,
) -> FoundContamination: ...
def decontaminate_files(args: Sequence[str], progress: _Told = None) -> tuple[str, list[str]]: ...
def decide(args: Sequence[str], progress: _Told = None) -> tuple[str, list[str]]: ...
def dedup_files(args: Sequence[str], progress: _Told = None) -> tuple[str, list[str], list[str]]: ...
def split_files(args: Sequence[str], progress: _Told = None) -> tuple[str, list[str]]: ...
def clean_files(args: Sequence[str], progress: _Told = None) -> str: ...
def methods(summary: str, is_latex: bool) -> str: ...
def passages(
    data: Any,
    recipe: Recipe,
    args: Sequence[str],
    columns: Sequence[tuple[str, str]],
    *,
    text: str | None = None,
    id: str | None = None,
    against: Any = None,
    work_dir: str | os.PathLike[str] | None = None,
    progress: _Told = None,
) -> FoundPassages: ...
def passages_files(args: Sequence[str], progress: _Told = None) -> tuple[str, list[str]]: ...
def recipes() -> Table: ...

def run(args: Sequence[str]) -> int: ...
def score_of(text: str) -> tuple[int, bool | None] | None: ...
def take(data: Any, rows: NDArray[np.int64]) -> Table: ...
def with_texts(table: Table, name: str, texts: Array) -> Table: ...
def set_threads(threads: int | None = None) -> None: ...
