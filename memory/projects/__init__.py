"""Memories that last across the tasks of a project: identity, sharing, review, export, graph."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.projects.exporting import (
        KnowledgeGraph,
        day_of,
        export_json,
        export_markdown,
        import_json,
        knowledge_graph,
    )
    from memory.projects.identity import Project, project_of
    from memory.projects.project_memory import PersistentMemoryManager
    from memory.projects.recommending import Recommendation, RelatedCode, recommend, related_code
    from memory.projects.sharing import Saved, is_dismissed
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "exporting": "KnowledgeGraph day_of export_json export_markdown import_json knowledge_graph",
            "identity": "Project project_of",
            "project_memory": "PersistentMemoryManager",
            "recommending": "Recommendation RelatedCode recommend related_code",
            "sharing": "Saved is_dismissed",
        },
    )
