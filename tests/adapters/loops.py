"""Loops as written with the plain SDKs, and the provider that they talk to: a server that checks every request."""

from __future__ import annotations

import json

from journey import Call, Journey

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from memory.conversation import default_counter

CLAUDE, GPT = "claude-opus-5-5", "gpt-5.1"
SYSTEM = "You are an engineer who imports rows."
PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOL = {"name": "read_file", "description": "Read a file.", "input_schema": PATH}
FUNCTION = {
    "type": "function",
    "name": "read_file",
    "description": "Read.",
    "parameters": PATH,
    "strict": False,
}
CHAT_TOOL = {
    "type": "function",
    "function": {k: v for k, v in FUNCTION.items() if k not in ("type", "strict")},
}
FORMS = {
    "/v1/messages": "anthropic",
    "/v1/chat/completions": "openai-chat",
    "/v1/responses": "openai-responses",
}


def beside(body: dict) -> int:
    around = {k: body[k] for k in ("system", "instructions", "tools") if k in body}
    return default_counter()(json.dumps(around)) + next((body[k] for k in body if k.startswith("max_")), 0)


def told(body: dict) -> list[dict]:
    return body["input"] if "input" in body else body["messages"]


class Provider(ScriptedServer):
    """A provider for journeys: each request names its journey as its user."""

    def __init__(self, *journeys: Journey) -> None:
        self.journeys = {journey.name: journey for journey in journeys}
        super().__init__(choose=self._said, keep_alive=True)

    def _said(self, path: str, body: dict) -> Reply:
        if path.partition("?")[0] not in FORMS:  # which models there are, say
            return Reply()
        name = (body.get("metadata") or body).get("user_id") or body.get("user")
        said = json.dumps(body)
        journey = self.journeys[name or next((n for n in self.journeys if f"{n} importer" in said), "north")]
        form = FORMS[path.partition("?")[0]]
        journey.sent(told(body), form, overhead=beside(body))
        for message in told(body) if form == "anthropic" else ():
            for block in message["content"] if isinstance(message["content"], list) else ():
                if block["type"] == "thinking" and block["signature"] != f"sig/{block['thinking']}":
                    journey.problems.append(f"call {journey.calls}: another thought")
        said = journey.step()
        return Reply(call=(said.name, said.arguments)) if isinstance(said, Call) else Reply(said)


class Claude:
    """A loop as written with Anthropic's SDK."""

    key = "messages"

    def __init__(self, journey: Journey) -> None:
        self.journey = journey
        self.history: list = []
        self.arguments = {
            "model": CLAUDE,
            "max_tokens": 200,
            "system": SYSTEM,
            "tools": [TOOL],
            "metadata": {"user_id": journey.name},
        }

    def ask(self, text: str) -> None:
        self.history.append({"role": "user", "content": text})

    def took(self, message) -> bool:
        thought = f"I think of {len(self.history)}."
        thinking = {"type": "thinking", "thinking": thought, "signature": f"sig/{thought}"}
        self.history.append({"role": "assistant", "content": [thinking, *message.content]})
        results = [
            {"type": "tool_result", "tool_use_id": b.id, "content": self.journey.read_file(b.input["path"])}
            for b in message.content
            if b.type == "tool_use"
        ]
        if results:
            self.history.append({"role": "user", "content": results})
        return not results


class Chat:
    key = "messages"

    def __init__(self, journey: Journey) -> None:
        self.journey = journey
        self.history: list = [{"role": "system", "content": SYSTEM}]
        self.arguments = {"model": GPT, "max_tokens": 200, "tools": [CHAT_TOOL], "user": journey.name}

    def ask(self, text: str) -> None:
        self.history.append({"role": "user", "content": text})

    def took(self, completion) -> bool:
        message = completion.choices[0].message
        self.history.append(message)
        for made in message.tool_calls or ():
            output = self.journey.read_file(json.loads(made.function.arguments)["path"])
            self.history.append({"role": "tool", "tool_call_id": made.id, "content": output})
        return not message.tool_calls


class Responses:
    key = "input"

    def __init__(self, journey: Journey) -> None:
        self.journey = journey
        self.history: list = []
        more = {"instructions": SYSTEM, "tools": [FUNCTION], "max_output_tokens": 200, "user": journey.name}
        self.arguments = {"model": GPT, **more}

    def ask(self, text: str) -> None:
        self.history.append({"role": "user", "content": text})

    def took(self, response) -> bool:
        self.history += response.output
        made = [item for item in response.output if item.type == "function_call"]
        for item in made:
            output = self.journey.read_file(json.loads(item.arguments)["path"])
            self.history.append({"type": "function_call_output", "call_id": item.call_id, "output": output})
        return not made
