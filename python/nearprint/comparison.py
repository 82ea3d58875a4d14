"""Two texts side by side."""

from __future__ import annotations

from nearprint import _native
from nearprint._native import Recipe
from nearprint._recipes import recipe_of


class Comparison:
    """How alike two texts are by a recipe, and why. :func:`compare` makes it.

    Attributes
    ----------
    distance, width
        Bits in which the fingerprints differ, and bits of a fingerprint.
    jaccard, containment, cosine
        Exact similarities of the features, from 0 to 1.
    cosine_estimated
        The cosine as the distance estimates it.
    least_radius
        The least radius in bits that makes the two near-duplicates, or ``None``.
    differences
        Features with their weights in both texts, the greatest difference first.
    """

    def __init__(self, found: _native.Comparison) -> None:
        """Take what was found: use :func:`compare`."""
        if not isinstance(found, _native.Comparison):
            raise TypeError("a comparison is made by compare(a, b)")
        self._found = found
        self.distance = found.distance
        self.width = found.width
        self.fingerprints = found.fingerprints
        self.jaccard = found.jaccard
        self.containment = found.containment
        self.cosine = found.cosine
        self.cosine_estimated = found.cosine_estimated
        self.least_radius = found.least_radius

    @property
    def differences(self) -> list[tuple[str, float, float]]:
        """Features with their weights in both texts, where those differ."""
        return self._found.differences

    def __repr__(self) -> str:
        return (
            f"<Comparison distance {self.distance} of {self.width} bits, jaccard {self.jaccard:.3f}, "
            f"containment {self.containment:.3f}, cosine {self.cosine:.3f}>"
        )

    def _repr_html_(self) -> str:
        import html

        def line(pieces: list[tuple[bool, str]], tag: str) -> str:
            return "".join(
                f"<{tag}>{html.escape(text)}</{tag}>" if differs else html.escape(text)
                for differs, text in pieces
            )

        rows = "".join(
            f"<tr><td>{line(left, 'del')}</td><td>{line(right, 'ins')}</td></tr>"
            for _, left, right in self._found.rows(20)
        )
        return (
            f"<p>distance <b>{self.distance}</b> of {self.width} bits, Jaccard <b>{self.jaccard:.3f}</b>, "
            f"containment {self.containment:.3f}</p>"
            f"<table style='text-align:left'><tr><th>first</th><th>second</th></tr>{rows}</table>"
        )


def compare(a: str, b: str, recipe: str | Recipe = "text", *, width: int | None = None) -> Comparison:
    """Compare two texts: how alike they are, and where they differ.

    Parameters
    ----------
    a, b
        The texts.
    recipe
        How a text becomes a fingerprint.
    width
        Bits of a fingerprint; by default those of the recipe, or 128.

    Examples
    --------
    >>> import nearprint
    >>> why = nearprint.compare("one two three", "one two four", "words")
    >>> why.jaccard, why.differences[0][0]
    (0.5, 'four')
    """
    return Comparison(_native.compare(a, b, recipe_of(recipe), width))
