"""Near-duplicate detection that is exact and fast.

SimHash fingerprints of text, and every fingerprint within k bits of one. One call for each everyday task,
with the defaults of the command ``nearprint``, and the same answers:

==================================  ==============================================
task                                call
==================================  ==============================================
fingerprint texts                   :func:`fingerprint`
all pairs, or groups                :func:`pairs`, :func:`clusters`
choose a threshold, judge it        :func:`tune`, :func:`evaluate`
keep one of each near-duplicate     :func:`dedup`, :func:`dedup_files`
another threshold, in seconds       :func:`decide`
no near-duplicates across a split   :func:`groups`
cut what repeats inside documents   :func:`passages`, :func:`passages_files`
take out the items of eval sets     :func:`decontaminate`, :func:`decontaminate_files`
an index to ask and to keep         :class:`Index`
"have we seen this page?"           :class:`Store`
why two texts match                 :func:`compare`
how a fingerprint comes about       :func:`explain`
==================================  ==============================================

Texts come as a column or table of any library of Arrow (pyarrow, polars, pandas, DuckDB, datasets), without
a copy, as a NumPy array, or as a list of ``str``.

Examples
--------
>>> import nearprint
>>> texts = ["one two three four", "five six seven eight", "One, two, three, four!"]
>>> found = nearprint.dedup(texts)
>>> found.filter()
['one two three four', 'five six seven eight']
>>> found.removed["kept"].tolist()
[0]
"""

from nearprint import errors
from nearprint._native import Array
from nearprint.citation import methods
from nearprint.cleaning import clean_files
from nearprint.codes import clusters, distance, pairs
from nearprint.comparison import Comparison, compare
from nearprint.cutting import Passages, passages, passages_files
from nearprint.decision import decide
from nearprint.decontamination import Decontaminated, SelfTest, decontaminate, decontaminate_files
from nearprint.deduplication import Deduplicated, dedup, dedup_files
from nearprint.errors import NearprintError
from nearprint.explanation import ExplainedFeature, Explanation, explain
from nearprint.fingerprints import fingerprint, recipes, set_threads
from nearprint.grouping import groups
from nearprint.index import Index
from nearprint.labelling import evaluate, tune
from nearprint.progress import Progress
from nearprint.recipe import Recipe
from nearprint.splitting import split_files
from nearprint.store import Store
from nearprint.table import Table

__all__ = [
    "Array",
    "Comparison",
    "Decontaminated",
    "Deduplicated",
    "ExplainedFeature",
    "Explanation",
    "Index",
    "NearprintError",
    "Passages",
    "Progress",
    "Recipe",
    "SelfTest",
    "Store",
    "Table",
    "clean_files",
    "clusters",
    "compare",
    "decide",
    "decontaminate",
    "decontaminate_files",
    "dedup",
    "dedup_files",
    "distance",
    "errors",
    "evaluate",
    "explain",
    "fingerprint",
    "groups",
    "methods",
    "pairs",
    "passages",
    "passages_files",
    "recipes",
    "set_threads",
    "split_files",
    "tune",
]


def __getattr__(name: str) -> str:
    """The version of the package, looked up on demand."""
    if name == "__version__":
        from importlib.metadata import version

        return version("nearprint")
    raise AttributeError(f"module 'nearprint' has no attribute {name!r}")
