"""Settings of the proxy, checked when made."""

from __future__ import annotations

import re
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

ANTHROPIC: Final = "https://api.anthropic.com"
OPENAI: Final = "https://api.openai.com"
CHATGPT: Final = "https://chatgpt.com/backend-api/codex"
"""Where Codex goes when it is logged in with a ChatGPT account (from its source; not tried with a real account)."""
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


class ProxySettings(BaseModel):
    """How the proxy works.

    Attributes:
        host, port: where it listens; port 0 takes a free one.
        upstream: where all requests go, without the /v1 of their paths; None: to the provider of their protocol.
        mode: "answer" answers compactions and passes all else through; "view" sends smaller requests.
        target: tokens a summary or a view comes down to.
        window: tokens that the model takes; with "view" no request is larger as far as the provider's usage tells.
        model: let the upstream's model write the narrative first, which is then checked and mended.
        model_seconds: how long that may take before we go on alone.
        seconds: how long a compaction of ours may take before the request is passed on as it came.
        token: what clients must send in `X-Holdfast-Token`; "" asks for none, which only loopback may.
        most_body: bytes of a body beyond which it is passed through unread.
        most_conversations, most_kept: conversations that "view" holds in memory, and bytes of their requests.
        hosts: further names under which clients may call, beside those of this machine.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(default=8787, ge=0, le=65535)
    upstream: str | None = None
    mode: Literal["answer", "view"] = "answer"
    target: int = Field(default=16_000, ge=1_000)
    window: int = Field(default=200_000, ge=4_000)
    model: bool = False
    model_seconds: float = Field(default=120, gt=0)
    seconds: float = Field(default=30, gt=0)
    token: str = ""
    most_body: int = Field(default=64_000_000, ge=0)
    most_conversations: int = Field(default=64, ge=1)
    most_kept: int = Field(default=256_000_000, ge=0)
    hosts: tuple[str, ...] = ()

    @field_validator("upstream")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError(f"{value!r} should be an address such as https://api.anthropic.com")
        return value.rstrip("/").removesuffix("/v1").rstrip("/")

    @property
    def shown_upstream(self) -> str | None:
        """The upstream without the name and password that may stand in it."""
        return self.upstream and re.sub(r"//[^/]*@", "//", self.upstream)

    @property
    def open_to_others(self) -> bool:
        """Whether other machines can reach it."""
        return self.host not in LOOPBACK
