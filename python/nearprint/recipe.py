"""The recipe: how a text becomes a fingerprint."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from nearprint import _native, errors
from nearprint._arguments import public
from nearprint._kinds import BUILT_IN, TEXT, TOML, WORDS
from nearprint._names import meant

if TYPE_CHECKING:
    from typing_extensions import Self

    Files = tuple[bytes | None, bytes | None, bytes | None]

# What is said of a name begins so.
_NO_NAME = "no built-in recipe"
# What the parser of TOML says of a key: its line, and in the last line what is wrong.
_LINE = re.compile(r"^\d+ \| ([\w-]+) = ", re.MULTILINE)
_UNKNOWN = re.compile(r"unknown field `([^`]*)`, expected one of (.*)$", re.DOTALL)
_EXPECTED = (
    (re.compile(r"invalid type: .*, expected (?:usize|u\d+|i\d+)$"), "it takes a whole number"),
    (re.compile(r"invalid type: .*, expected f\d+$"), "it takes a number"),
    (re.compile(r"invalid type: .*, expected a boolean$"), "it takes True or False"),
    (re.compile(r"invalid type: .*, expected (?:a|borrowed) string$"), "it takes a text"),
    (re.compile(r"invalid value: .*, expected (?:usize|u\d+)$"), "it takes a whole number from 0 on"),
    (re.compile(r"unknown variant `[^`]*`, expected (?:one of )?(.*)$"), r"it takes \1"),
)


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

    __slots__ = ("_recipe",)

    @public(name=BUILT_IN, stop_words=WORDS)
    def __init__(
        self,
        name: str = "text",
        *,
        width: int | None = None,
        dictionary: str | os.PathLike[str] | None = None,
        stop_words: bool | str | os.PathLike[str] | None = None,
        idf: str | os.PathLike[str] | None = None,
        **keys: object,
    ) -> None:
        """Take a built-in recipe, as it is or with other values under some keys."""
        for key, value in keys.items():
            if value is None:
                raise errors.RecipeError(f"{key} is None, and has a value in every recipe: leave it out")
        try:
            self._recipe = _native.Recipe(
                name, width=width, dictionary=dictionary, stop_words=stop_words, idf=idf, **keys
            )
        except errors.RecipeError as refusal:
            said = str(refusal)
            if os.path.isfile(name) and said.startswith(_NO_NAME):
                said = f"no built-in recipe is called {name!r}, and a file is: write nearprint.Recipe.from_toml(open({name!r}).read())"
            refusal.args = (_of_keys(said, keys),)
            raise

    @classmethod
    def _of(cls, recipe: _native.Recipe) -> Self:
        own = cls.__new__(cls)
        own._recipe = recipe
        return own

    @classmethod
    @public(text=TOML)
    def from_toml(
        cls,
        text: str,
        *,
        dictionary: str | os.PathLike[str] | None = None,
        stop_words: str | os.PathLike[str] | None = None,
        idf: str | os.PathLike[str] | None = None,
    ) -> Self:
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
        if text and "\n" not in text and (text.endswith(".toml") or "=" not in text):
            raise errors.RecipeError(
                f"text is the text of a TOML file, not its path, and {text[:60]!r} has no key: write "
                f"nearprint.Recipe.from_toml(open({text[:60]!r}).read())"
            )
        return cls._of(_native.Recipe.from_toml(text, dictionary=dictionary, stop_words=stop_words, idf=idf))

    @classmethod
    def _restored(cls, toml: str, names_width: bool, id: str, files: Files) -> Self:
        return cls._of(_native.Recipe._restored(toml, names_width, id, files))

    def __reduce__(self) -> tuple[Any, ...]:
        _, pickled = self._recipe.__reduce__()
        return type(self)._restored, pickled

    def to_toml(self) -> str:
        """The recipe as TOML; where it names no width, that is a comment."""
        return self._recipe.to_toml()

    @public()
    def with_width(self, width: int) -> Self:
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
        return self._of(self._recipe.with_width(width))

    @property
    def name(self) -> str:
        """Its name."""
        return self._recipe.name

    @property
    def id(self) -> str:
        """What files hold in which its fingerprints are."""
        return self._recipe.id

    @property
    def width(self) -> int | None:
        """Bits of a fingerprint; ``None`` where each task takes what is usual for it."""
        return self._recipe.width

    @property
    def takes_features(self) -> bool:
        """Whether it takes features that come with their weights, and no texts."""
        return self._recipe.takes_features

    @public(text=TEXT)
    def features(self, text: str) -> list[tuple[str, float]]:
        """The features of a text with their weights."""
        return self._recipe.features(text)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    def __eq__(self, other: object) -> bool:
        return self._recipe == other._recipe if isinstance(other, Recipe) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._recipe)

    def __repr__(self) -> str:
        return repr(self._recipe)


def recipe_of(recipe: str | Recipe | _native.Recipe) -> _native.Recipe:
    """The recipe itself, the built-in one of this name, or the one of a file, as the command takes it."""
    if isinstance(recipe, _native.Recipe):
        return recipe
    if isinstance(recipe, Recipe):
        return recipe._recipe
    try:
        return _native.Recipe(recipe)
    except errors.RecipeError as refusal:
        said = str(refusal)
        if not said.startswith(_NO_NAME):
            raise
        if not os.path.isfile(recipe):
            raise errors.RecipeError(said.replace("; ", ", and no file has that name; ", 1)) from None
    with open(recipe, encoding="utf-8") as file:
        try:
            return _native.Recipe.from_toml(file.read())
        except (errors.RecipeError, UnicodeDecodeError) as refusal:
            raise errors.RecipeError(f"recipe: the file {recipe!r}: {refusal}") from None


def as_recipe(recipe: str | Recipe) -> Recipe:
    """The recipe, which can go to other processes where the file that names it is not."""
    return recipe if isinstance(recipe, Recipe) else Recipe._of(recipe_of(recipe))


def _of_keys(said: str, keys: dict[str, object]) -> str:
    """What is said of TOML that nobody gave, of the keys that were given."""
    unknown = _UNKNOWN.search(said)
    if unknown is not None:
        known = [one.replace("-", "_") for one in re.findall("`([^`]*)`", unknown[2])]
        name = next((key for key in keys if key.replace("_", "-") == unknown[1]), unknown[1])
        right = meant(name, known)
        told = f"did you mean {right}=?" if right is not None else f"a recipe has {', '.join(f'{one}=' for one in known)}"
        return f"a recipe has no key {name}=: {told}"
    line = _LINE.search(said)
    reason = said.splitlines()[-1]
    for expected, told in _EXPECTED:
        if line is not None and expected.search(reason):
            name = line[1].replace("-", "_")
            return f"{name} is {keys.get(name, line[1])!r}: {expected.sub(told, reason)}"
    return reason if line is not None else said
