"""In place of GraphFrames for text-dedup's job of Spark: connected components, by scipy on the driver.

GraphFrames has a half in Java that no registry of Python packages has, and text-dedup asks it for connected components
alone. GraphFrames finds them in rounds of joins; this takes less time wherever the edges fit the driver, so text-dedup
appears faster than it is.
"""
import numpy as np
import pyarrow
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


class GraphFrame:
    def __init__(self, vertices, edges):
        self.vertices, self.edges = vertices, edges

    def connectedComponents(self):
        """Rows of `id` and `component`, the least id of those connected."""
        vertices = np.sort(self.vertices.toArrow()["id"].to_numpy())
        edges = self.edges.toArrow()
        ends = [np.searchsorted(vertices, edges[name].to_numpy()) for name in ("src", "dst")]
        graph = coo_array((np.ones(len(edges), bool), ends), shape=(len(vertices), len(vertices)))
        _, labels = connected_components(graph, directed=False)
        _, first = np.unique(labels, return_index=True)
        found = pyarrow.table({"id": vertices, "component": vertices[first][labels]})
        return self.vertices.sparkSession.createDataFrame(found)
