"""Near-duplicates of a DataFrame of Spark: the same clusters as on one machine.

The parts of :mod:`nearprint.kernels` run in ``mapInArrow`` on the executors; Spark moves rows between them. No
document comes to the driver, classic sessions and Spark Connect do the same, and lost executors and repeated tasks
change nothing.

.. code-block:: python

    import nearprint.spark as nps

    nps.ship(spark)                                   # the installed package to the executors, where it is missing
    found = nps.dedup(df, text="text", id="url", order="crawled")
    kept = df.join(found.filter("not keep").select("url"), "url", "left_anti")

Between the parts travel, for each document and band, 16 bytes and a fingerprint, and the texts of documents that have
candidates, once. :func:`passages` cuts what repeats inside documents, and
:func:`decontaminate` takes out the items of eval sets, both by way of a folder. Executors need pyarrow, pandas (below 3) and NumPy beside nearprint.
"""

from nearprint._extras import of_extra

with of_extra("spark"):
    from nearprint.spark._contamination import Decontaminated, decontaminate
    from nearprint.spark._dedup import dedup, pairs
    from nearprint.spark._passages import Passages, passages
    from nearprint.spark._parts import candidates, clusters, entries, sketch
    from nearprint.spark._ship import ship

__all__ = [
    "Decontaminated",
    "Passages",
    "candidates",
    "clusters",
    "decontaminate",
    "dedup",
    "entries",
    "pairs",
    "passages",
    "ship",
    "sketch",
]
