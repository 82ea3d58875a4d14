"""One fingerprint step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nearprint import _native
from nearprint._arguments import public
from nearprint.recipe import Recipe, recipe_of


@dataclass(frozen=True)
class ExplainedFeature:
    """A feature with its weight and the bits that it votes with."""

    feature: str
    """Its text or name."""
    count: int
    """How often the document has it."""
    weight: float
    """What it counts for."""
    bits: str
    """Its hash: it adds its weight where a bit is 1, and subtracts it where a bit is 0."""


class Explanation:
    """How a fingerprint comes about. :func:`explain` makes it.

    Attributes
    ----------
    tokens
        The tokens of a text in their order; none where features were given.
    features
        The features that count, each an :class:`ExplainedFeature`.
    sums
        The vector V: one sum for each bit, the most significant first.
    bits, fingerprint
        The signs of the sums, in binary and in hexadecimal digits.
    flags
        What is wrong with the document as a near-duplicate of others: ``empty``, ``short``, ``dominant``.
    """

    def __init__(self, found: _native.Explanation) -> None:
        """Take what was found: use :func:`explain`."""
        if not isinstance(found, _native.Explanation):
            raise TypeError("an explanation is made by explain(document)")
        self.tokens = found.tokens
        self.features = [ExplainedFeature(*feature) for feature in found.features]
        self.sums = found.sums
        self.bits = found.bits
        self.fingerprint = found.fingerprint
        self.flags = found.flags

    def __repr__(self) -> str:
        return f"<Explanation of {self.fingerprint}, {len(self.bits)} bits of {len(self.features)} features>"


@public()
def explain(
    document: str | Mapping[str, float] | Mapping[str, tuple[str, float]],
    recipe: str | Recipe | None = None,
    *,
    width: int | None = None,
    non_negative: bool = False,
) -> Explanation:
    """Show how a fingerprint is made: tokens, features, weights, hashes, sums, bits.

    Parameters
    ----------
    document
        A text; features with their weights, ``{"x": 0.5}``; or features with bits of any width from 1 to 256
        and their weights, ``{"x": ("01011001", 0.5)}``.
    recipe
        How the document becomes a fingerprint: by default ``text``, of features ``vectors``. Features with bits
        take none.
    width
        Bits of a fingerprint; by default those of the recipe, or 64.
    non_negative
        Of features with bits: set a bit where its sum is 0, too.

    Examples
    --------
    >>> import nearprint
    >>> why = nearprint.explain("to be or not to be", "words")
    >>> why.features[0].feature, why.features[0].weight, len(why.sums)
    ('to', 2.0, 64)
    >>> why = nearprint.explain({"a": ("101", 1), "b": ("011", 2), "c": ("001", 3)})
    >>> why.sums, why.bits
    ([-4.0, -2.0, 6.0], '001')
    """
    if isinstance(document, str):
        return Explanation(_native.explain_text(document, recipe_of(recipe or "text"), width))
    with_bits = [(name, *value) for name, value in document.items() if isinstance(value, tuple)]
    if not with_bits:
        if non_negative:
            raise ValueError("non_negative is for features with bits: a recipe has its own rule")
        pairs = [(name, value) for name, value in document.items() if not isinstance(value, tuple)]
        return Explanation(_native.explain_features(pairs, recipe_of(recipe or "vectors"), width))
    if recipe is not None or width is not None:
        raise ValueError("features with bits bring their hashes: leave recipe and width out")
    if len(with_bits) < len(document):
        raise ValueError("give bits for every feature, or for none")
    return Explanation(_native.explain_bits(with_bits, non_negative))
