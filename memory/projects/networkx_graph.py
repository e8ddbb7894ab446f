"""The knowledge graph as a networkx graph, and its communities; extra `graph`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.projects.graphs import Edge, KnowledgeGraph, Node

SEED = 7
"""Of the community search, which is random otherwise (chosen: any)."""


def to_networkx(graph: KnowledgeGraph) -> Any:
    """Return a graph as a `networkx.Graph`: node and edge attributes kind, label, weight.

    Raises:
        ImportError: networkx is not installed.
    """
    made = _networkx().Graph()
    for node in graph.nodes:
        made.add_node(node.id, kind=node.kind, label=node.label, weight=node.weight)
    for edge in graph.edges:
        known = made.get_edge_data(edge.source, edge.target, {"weight": 0.0})
        made.add_edge(edge.source, edge.target, kind=edge.kind, weight=known["weight"] + edge.weight)
    return made


def louvain_clusters(nodes: tuple[Node, ...], edges: tuple[Edge, ...]) -> tuple[tuple[str, ...], ...]:
    """Group nodes by Louvain communities (Blondel and others, 2008): `knowledge_graph(memories, louvain_clusters)`.

    Returns:
        Clusters of two nodes and more, largest first; in each the weightiest nodes first.

    Raises:
        ImportError: networkx is not installed.
    """
    networkx = _networkx()
    made = networkx.Graph()
    made.add_nodes_from(node.id for node in nodes)
    for edge in edges:
        made.add_edge(edge.source, edge.target, weight=edge.weight)
    weight = {node.id: node.weight for node in nodes}
    groups = networkx.community.louvain_communities(made, weight="weight", seed=SEED)
    ranked = [
        tuple(sorted(group, key=lambda name: (-weight[name], name))) for group in groups if len(group) > 1
    ]
    return tuple(sorted(ranked, key=lambda group: (-len(group), group)))


def _networkx() -> Any:
    try:
        import networkx as nx  # type: ignore[import-untyped,import-not-found,unused-ignore]  # an extra
    except ImportError as error:
        raise ImportError(
            "knowledge graphs for networkx need it: pip install 'holdfast-context[graph]'"
        ) from error
    return nx
