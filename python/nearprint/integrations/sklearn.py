"""Estimators of scikit-learn: texts to the bits of their fingerprints, and to labels of near-duplicates.

Examples
--------
>>> from sklearn.neighbors import NearestNeighbors
>>> from sklearn.pipeline import make_pipeline
>>> from nearprint.integrations.sklearn import SimHashVectorizer
>>> texts = ["one two three four", "five six seven eight", "One, two, three, four!"]
>>> bits = SimHashVectorizer().fit_transform(texts)
>>> NearestNeighbors(n_neighbors=2, metric="hamming").fit(bits).kneighbors(bits[:1])[0].tolist()
[[0.0, 0.0]]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (  # type: ignore[import-untyped]
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)

from nearprint import _native
from nearprint._arguments import check, public
from nearprint._kinds import ANY
from nearprint._rows import fingerprinted, handed
from nearprint.codes import clusters
from nearprint.recipe import Recipe, recipe_of

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["NearDuplicates", "SimHashVectorizer"]

# Estimators are made with any parameters, and refuse them where they are used.
_ANY = dict.fromkeys(("k", "recipe", "width", "threads"), ANY)


class SimHashVectorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Turn texts into the bits of their fingerprints: a matrix of 0 and 1, a row a text and a column a bit.

    The Hamming distance of scikit-learn between two rows is the distance of the fingerprints divided by
    ``width``. Column ``i`` is the bit of worth 2^i. Nothing is learned: ``transform`` needs no ``fit``.

    Parameters
    ----------
    recipe
        How a text becomes a fingerprint: the name of a built-in recipe, the path of its TOML, or a
        :class:`nearprint.Recipe`.
    width
        Bits of a fingerprint: 64, 128 or 256. By default those of the recipe, or 64. More than 64 need
        pyarrow.
    threads
        Worker threads. By default one for each processor.

    Examples
    --------
    >>> from nearprint.integrations.sklearn import SimHashVectorizer
    >>> vectorizer = SimHashVectorizer(width=64)
    >>> vectorizer.transform(["one two three four"]).shape, vectorizer.get_feature_names_out()[0]
    ((1, 64), 'simhashvectorizer0')
    """

    @public(**_ANY)
    def __init__(
        self, recipe: str | Recipe = "text", *, width: int | None = None, threads: int | None = None
    ) -> None:
        self.recipe = recipe
        self.width = width
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> Self:
        """Look at the parameters, and learn nothing."""
        check(self, self.get_params(deep=False))
        _recipe_at(self.recipe, self.width)
        return self

    def transform(self, X: Any) -> NDArray[np.uint8]:
        """Fingerprint texts: a column of any library of Arrow, a NumPy array, or a sequence of ``str``."""
        check(self, self.get_params(deep=False))
        words = _words_of(X, _recipe_at(self.recipe, self.width), self.threads)
        return np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")

    @property
    def _n_features_out(self) -> int:
        return _recipe_at(self.recipe, self.width).width or 0

    def __sklearn_tags__(self) -> Any:
        tags = _takes_texts(super().__sklearn_tags__())
        tags.requires_fit = False
        return tags


class NearDuplicates(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Label the groups of texts that pairs within ``k`` bits connect: what :func:`nearprint.clusters` gives.

    Parameters
    ----------
    k
        The radius in bits.
    recipe, width, threads
        As for :class:`SimHashVectorizer`.

    Attributes
    ----------
    labels_
        For each text the number of its group; -1 for a text that is near no other.

    Examples
    --------
    >>> from nearprint.integrations.sklearn import NearDuplicates
    >>> texts = ["one two three four", "five six seven eight", "One, two, three, four!"]
    >>> NearDuplicates(k=3).fit_predict(texts).tolist()
    [0, -1, 0]
    """

    @public(**_ANY)
    def __init__(
        self,
        k: int = 3,
        *,
        recipe: str | Recipe = "text",
        width: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.k = k
        self.recipe = recipe
        self.width = width
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the groups of texts. Texts without features are near no other."""
        check(self, self.get_params(deep=False))
        words = _words_of(X, _recipe_at(self.recipe, self.width), self.threads)
        rows = words.any(axis=1)
        self.labels_ = np.full(len(words), -1, dtype=np.int64)
        self.labels_[rows] = clusters(words[rows], self.k, threads=self.threads)
        return self

    def __sklearn_tags__(self) -> Any:
        return _takes_texts(super().__sklearn_tags__())


def _recipe_at(recipe: str | Recipe, width: int | None) -> _native.Recipe:
    """The recipe at the width that is asked for, that it names, or 64."""
    chosen = recipe_of(recipe)
    return chosen.with_width(width or chosen.width or 64)


def _words_of(texts: Any, recipe: _native.Recipe, threads: int | None) -> NDArray[np.uint64]:
    """The fingerprints of texts, a row each: its words, the lowest first."""
    # For scikit-learn lists of lists are matrices.
    if isinstance(texts, (list, tuple)) and any(isinstance(row, (list, tuple)) for row in texts):
        raise TypeError("X is a list of lists: give a list of texts")
    made = fingerprinted(handed(texts, None), recipe, "X", threads=threads)
    if made.dtype == "UInt64":
        codes = made.to_numpy()
        missing = np.flatnonzero(np.ma.getmaskarray(codes))
        words: NDArray[np.uint64] = np.ma.getdata(codes).reshape(-1, 1)
    else:
        column = importlib.import_module("pyarrow").array(made)
        missing = np.flatnonzero(column.is_null())
        # The most significant byte comes first.
        words = np.frombuffer(column.buffers()[1], dtype=">u8").reshape(-1, (recipe.width or 64) // 64)
        words = words[:, ::-1].astype(np.uint64)
    if len(missing):
        raise ValueError(f"row {missing[0]} has no text: fill missing texts with an empty one, or leave them out")
    return words


def _takes_texts(tags: Any) -> Any:
    tags.input_tags.string = True
    tags.input_tags.two_d_array = False
    return tags
