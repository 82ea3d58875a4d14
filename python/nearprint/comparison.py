"""Two texts side by side."""

from __future__ import annotations

from nearprint import _native
from nearprint._arguments import public
from nearprint._kinds import TEXT
from nearprint.recipe import Recipe, recipe_of

# Rows that a kept one stands for, of which a line names so many.
_SHOWN = 10
# As the report of the command shows a difference. Notebooks take away style sheets, and may be light or dark.
_TEXT = "text-align:left;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere"
_MARK = {
    "del": "text-decoration:none;background:rgba(200,72,59,.2);border-bottom:2px solid #c8483b",
    "ins": "text-decoration:none;background:rgba(47,133,80,.2);border-bottom:2px dotted #2f8550",
}


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

    def __init__(self, found: _native.Comparison, names: tuple[str, str] = ("first", "second")) -> None:
        """Take what was found, and what the two texts are called: use :func:`compare`."""
        if not isinstance(found, _native.Comparison):
            raise TypeError("a comparison is made by compare(a, b)")
        self._found = found
        self._names = names
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

        def side(pieces: list[tuple[bool, str]], tag: str) -> str:
            marked = (
                f"<{tag} style='{_MARK[tag]}'>{html.escape(text)}</{tag}>" if differs else html.escape(text)
                for differs, text in pieces
            )
            return f"<td style='{_TEXT}'>{''.join(marked)}</td>"

        rows = []
        for gap, left, right in self._found.rows(20):
            if gap:
                alike = "1 word" if gap == 1 else f"{gap:,} words"
                rows.append(f"<tr><td colspan='2' style='text-align:center'>{alike} alike</td></tr>")
            rows.append(f"<tr>{side(left, 'del')}{side(right, 'ins')}</tr>")
        if not rows:
            rows.append("<tr><td colspan='2' style='text-align:center'>No word differs</td></tr>")
        head = "".join(f"<th style='text-align:left'>{html.escape(name)}</th>" for name in self._names)
        return (
            f"<p>distance <b>{self.distance}</b> of {self.width} bits, Jaccard <b>{self.jaccard:.3f}</b>, "
            f"containment {self.containment:.3f}</p>"
            f"<table style='width:100%;table-layout:fixed'><tr>{head}</tr>{''.join(rows)}</table>"
        )


class Kept(Comparison):
    """A row that is kept, beside itself. :meth:`Deduplicated.explain` makes it.

    Attributes
    ----------
    stands_for
        The rows that are removed because of it.
    """

    def __init__(self, found: _native.Comparison, name: str, stands_for: list[int]) -> None:
        """Take the row as one calls it, and the rows that it stands for."""
        super().__init__(found, (name, name))
        self.stands_for = stands_for

    def __repr__(self) -> str:
        return f"<{self._said()}>"

    def _repr_html_(self) -> str:
        import html

        return f"<p>{html.escape(self._said())}</p>"

    def _said(self) -> str:
        if not self.stands_for:
            return f"Kept {self._names[0]}: no row is removed because of it"
        shown = ", ".join(f"{row:,}" for row in self.stands_for[:_SHOWN])
        more = ", ..." if len(self.stands_for) > _SHOWN else ""
        rows = "row" if len(self.stands_for) == 1 else "rows"
        return f"Kept {self._names[0]}: it stands for {len(self.stands_for):,} removed {rows}, {shown}{more}"


@public(a=TEXT, b=TEXT)
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
