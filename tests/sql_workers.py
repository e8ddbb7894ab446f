"""Workers without state over one SQL store: any takes the next turn of any conversation, and some are killed."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import selectors
import signal
import time
import traceback
from dataclasses import dataclass, field
from itertools import pairwise

from condense import CondenseConfig, TokenBudget
from condense.adapters.conversations import Conversations
from memory.conversation import Form
from memory.entries import ThreadMessage
from memory.stores import SqlStore

CONFIG = CondenseConfig(budget=TokenBudget(window=6_000, trigger=4_500, target=2_500), weigh_costs=False)
FILLER = "It reads rows from the queue, checks them against the schema and writes a line to the log for each. "


def name_of(number: int) -> str:
    return f"thread-{number:02}"


def digests(values) -> list[str]:
    return [hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16] for value in values]


def said(thread: str, turn: int) -> tuple[dict, dict]:
    """What a person and a model say in a turn."""
    ask = f"Please write part {turn} of {thread}. Part {turn} must listen on port {3000 + turn}. {FILLER * 12}"
    return (
        {"role": "user", "content": ask},
        {"role": "assistant", "content": f"Part {turn} of {thread} is done. {FILLER * 12}"},
    )


def take_turn(store: SqlStore, conversations: Conversations, thread: str) -> int:
    """Take the next turn of a conversation: all that it leaves is kept in one transaction."""
    with store.writing():
        history = [message.value for message in store.messages(thread)]
        turn = len(history) // 2
        ask, answer = said(thread, turn)
        sent = conversations.view(thread, [*history, ask], form=Form.OPENAI_CHAT)
        if conversations.last_error is not None:
            raise conversations.last_error
        assert set(re.findall(r"thread-\d+", json.dumps(sent))) == {thread}
        store.append_messages(thread, [ThreadMessage(f"{turn}u", ask), ThreadMessage(f"{turn}a", answer)])
        store.append_messages(f"sent/{thread}", [ThreadMessage(str(turn), {"digests": digests(sent)})])
        store.touch_thread(thread, float(turn))
    return turn


def _work(url: str, threads: int, turns: int, pipe: int, seed: int) -> None:
    chance = random.Random(seed)
    with SqlStore(url) as store:
        conversations = Conversations(CONFIG, store=store, clock=time.time)
        for _ in range(turns):
            thread = name_of(chance.randrange(threads))
            turn = take_turn(store, conversations, thread)
            os.write(pipe, f"{thread} {turn}\n".encode())


@dataclass
class Crew:
    """Workers as they ran: the turns that were acknowledged, how many were killed, how others ended."""

    acknowledged: list[tuple[str, int]] = field(default_factory=list)
    killed: int = 0
    ended: list[int] = field(default_factory=list)


def run_workers(url: str, *, workers: int, threads: int, turns: int, kills: int, seed: int = 1) -> Crew:
    """Let workers take `turns` turns each; kill some in the middle of their work, whose places others take."""
    chance = random.Random(seed)
    crew = Crew()
    waiting = selectors.DefaultSelector()
    total = workers * turns
    deadlines = sorted(chance.randrange(total // 10, total) for _ in range(kills))

    def start(left: int, number: int) -> None:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            code = 1
            try:
                os.close(reading)
                _work(url, threads, left, writing, number)
                code = 0
            finally:
                if code:
                    traceback.print_exc()
                os._exit(code)
        os.close(writing)
        waiting.register(reading, selectors.EVENT_READ, [child, left, b""])

    for number in range(workers):
        start(turns, seed + number)
    while waiting.get_map():
        for key, _ in waiting.select():
            read = os.read(key.fd, 4096)
            child, left, text = key.data
            if read:
                *lines, rest = (text + read).split(b"\n")
                for line in lines:
                    thread, turn = line.decode().split()
                    crew.acknowledged.append((thread, int(turn)))
                key.data[1:] = left - len(lines), rest
                continue
            waiting.unregister(key.fd)
            os.close(key.fd)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if code == -signal.SIGKILL and left:
                start(left, chance.randrange(1 << 30))
            else:
                crew.ended.append(0 if code == -signal.SIGKILL else code)  # killed when its work was done
        if deadlines and len(crew.acknowledged) >= deadlines[0] and waiting.get_map():
            deadlines.pop(0)
            chosen = chance.choice(list(waiting.get_map().values()))
            os.kill(chosen.data[0], signal.SIGKILL)
            crew.killed += 1
    return crew


def check(url: str, crew: Crew, *, threads: int) -> int:
    """Check that nothing is lost or mixed, and what was sent goes on byte for byte; return how many compactions."""
    made = 0
    with SqlStore(url) as store:
        fresh = Conversations(CONFIG, store=store)
        for thread in map(name_of, range(threads)):
            held = store.messages(thread)
            turns = len(held) // 2
            assert [message.value for message in held] == [value for n in range(turns) for value in said(thread, n)]
            assert {turn for name, turn in crew.acknowledged if name == thread} <= set(range(turns))
            sent = [message.value["digests"] for message in store.messages(f"sent/{thread}")]
            assert len(sent) == turns
            broken = sum(later[: len(before)] != before for before, later in pairwise(sent))
            records = len(store.records(None, thread))
            assert broken <= records, (thread, broken, records)
            made += records
            if turns:
                history = [message.value for message in held[:-1]]
                again = fresh.view(thread, history, form=Form.OPENAI_CHAT)
                assert digests(again) == sent[-1], thread
                assert len(store.records(None, thread)) == records
    return made
