"""Settings of thread memory: the documented environment variables, read here and checked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from condense.adapters.limits import window_of

if TYPE_CHECKING:
    from collections.abc import Mapping

WINDOW = 128_000
"""Tokens that a model of unknown name is taken to accept; as in the documented example."""
ELSEWHERE = {"embedding_base_url": "API_BASE_URL", "embedding_api_key": "API_KEY"}


class ThreadMemoryConfig(BaseModel):
    """How threads are remembered; frozen, checked when made.

    Attributes:
        database_url: of PostgreSQL; "" for a file of SQLite.
        context_window: tokens that the model takes; 0 tells them from its name.
        full_recent_count: newest messages that tier 3 keeps as they are.
        enable_summary: whether a model writes summaries and topics; otherwise our own stand in.
        summary_threshold: messages of a thread from which a model is asked.
        max_summary_tokens: of a summary; above, it is compressed.
        condensed_tool_max: characters of a tool output in tier 2.
        max_messages_per_thread: messages above which the oldest are pruned.
        embedding_model, embedding_base_url, embedding_api_key: who makes vectors, and where.
        recall_top_k: pieces that recall_memory returns.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    database_url: SecretStr = SecretStr("")
    context_window: int = Field(default=0, ge=0)
    full_recent_count: int = Field(default=10, ge=0)
    enable_summary: bool = True
    summary_threshold: int = Field(default=30, ge=0)
    max_summary_tokens: int = Field(default=1_000, ge=50)
    condensed_tool_max: int = Field(default=200, ge=0)
    max_messages_per_thread: int = Field(default=200, ge=1)
    embedding_model: str = "embedding-3"
    embedding_base_url: str = ""
    embedding_api_key: SecretStr = SecretStr("")
    recall_top_k: int = Field(default=5, ge=1)

    @classmethod
    def from_environment(cls, env: Mapping[str, str] | None = None) -> Self:
        """Read `DATABASE_URL` and the documented `MEMORY_...` variables; an empty one counts as not set.

        Address and key of the embedding model fall back to `API_BASE_URL` and `API_KEY`. `ValueError` names the
        variable and what would be right.
        """
        env = os.environ if env is None else env
        given = {
            field: env.get(variable_of(field)) or env.get(ELSEWHERE.get(field, "")) for field in cls.model_fields
        }
        try:
            return cls.model_validate({field: value for field, value in given.items() if value})
        except ValidationError as error:
            told = "; ".join(f"{variable_of(str(e['loc'][0]))}={e['input']!r}: {e['msg']}" for e in error.errors())
            raise ValueError(told) from None

    def window_for(self, model: str = "") -> int:
        """Return the tokens that a model takes: what is set, or what its name tells."""
        return self.context_window or window_of(model, WINDOW)


def variable_of(field: str) -> str:
    """Return the environment variable of a field."""
    return field.upper() if field == "database_url" else f"MEMORY_{field.upper()}"
