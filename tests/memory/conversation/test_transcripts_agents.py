"""Session files of agents are read as the conversation that the model and the person had."""

from __future__ import annotations

import gzip
import json

import pytest
from conversations import pairing_faults
from sessions import ClaudeCode, call, lines, rollout, text, typed_item

from condense.reading.text.own_blocks import is_agent_summary
from memory import ConversationMemory
from memory.conversation.messages import Form, PartKind, Role
from memory.conversation.transcripts.reading import iter_transcript, read_transcript
from memory.conversation.transcripts.values import TranscriptFormat
from memory.errors import TranscriptError


def said(transcript) -> list[str]:
    return [m.text for m in transcript]


def faults(transcript) -> list[str]:
    return pairing_faults([dict(m.raw) for m in transcript], transcript.form)


def test_split_assistant_lines_are_one_message_and_parallel_results_another():
    session = ClaudeCode()
    session.user("run both")
    session.assistant("m1", {"type": "thinking", "thinking": "two", "signature": "s"})
    session.assistant("m1", text("Both."))
    first = session.assistant("m1", call("a"))
    second = session.assistant("m1", call("b"))
    session.result("b", "B", parent=second)
    session.result("a", "A", parent=first)  # the chain of the leaf passes by the other result
    session.assistant("m2", text("Done."))
    transcript = read_transcript(session.data)
    assert transcript.format is TranscriptFormat.CLAUDE_CODE
    assert [m.role for m in transcript] == [Role.USER, Role.ASSISTANT, Role.USER, Role.ASSISTANT]
    assert [p.kind for p in transcript[1].parts] == [
        PartKind.THINKING,
        PartKind.TEXT,
        PartKind.TOOL_CALL,
        PartKind.TOOL_CALL,
    ]
    assert sorted(p.call_id for p in transcript[2].results) == ["a", "b"]
    assert faults(transcript) == []
    assert (transcript.session_id, transcript.cwd) == ("s-1", "/home/you/shop")


def test_calls_answered_while_the_response_still_streams_stay_one_batch():
    session = ClaudeCode()
    session.user("go")
    session.assistant("m1", call("a"))
    session.result("a", "A")
    session.assistant("m1", call("b"))
    session.result("b", "B")
    transcript = read_transcript(session.data)
    assert [len(m.parts) for m in transcript] == [1, 2, 2]
    assert faults(transcript) == []


def test_what_leaves_has_the_keys_of_the_api_alone():
    session = ClaudeCode()
    session.user("go")
    session.assistant("m1", text("ok"))
    assert [dict(m.raw) for m in read_transcript(session.data)] == [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [text("ok")]},
    ]


def test_a_rewound_branch_is_left_out():
    session = ClaudeCode()
    start = session.user("build it")
    session.assistant("m1", text("wrong way"))
    session.user("no, stop")
    session.assistant("m2", text("right way"), parent=start)
    session.user("yes")
    assert said(read_transcript(session.data)) == ["build it", "right way", "yes"]


def test_the_branch_goes_on_across_a_compaction_whose_summary_is_flagged():
    session = ClaudeCode()
    session.user("never drop tables")
    old = session.assistant("m1", text("noted"))
    session.add("system", parent=None, subtype="compact_boundary", logicalParentUuid=old, content="Compacted")
    session.user("This session is being continued", isCompactSummary=True)
    session.assistant("m2", text("on we go"))
    transcript = read_transcript(session.data)
    assert said(transcript) == ["never drop tables", "noted", "This session is being continued", "on we go"]
    assert [m.meta.is_compact_summary for m in transcript] == [False, False, True, False]


@pytest.mark.parametrize("follows", ["the summary", "what was preserved"])
@pytest.mark.parametrize("anchored", [True, False])
def test_what_a_compaction_preserved_stands_behind_its_summary_once(follows, anchored):
    session = ClaudeCode()
    session.user("first")
    session.assistant("m1", text("one"))
    kept = [session.user("second"), session.assistant("m2", call("c1")), session.result("c1", "out")]
    last = session.add("system", subtype="local_command")
    held = {
        "uuids": kept,
        "allUuids": kept,
        **({"anchorUuid": f"u{len(session.records) + 1}"} if anchored else {}),
    }
    session.add(
        "system",
        parent=None,
        subtype="compact_boundary",
        logicalParentUuid=last,
        compactMetadata={"trigger": "auto", "preservedMessages": held},
    )
    summary = session.user("What happened", isCompactSummary=True)
    session.assistant("m3", text("done"), parent=summary if follows == "the summary" else kept[-1])
    session.user("third")
    transcript = read_transcript(session.data)
    assert [m.text for m in transcript if m.text] == [
        "first",
        "one",
        "What happened",
        "second",
        "out",
        "done",
        "third",
    ]
    assert faults(transcript) == []
    assert [m.meta.is_compact_summary for m in transcript] == [False, False, True, *[False] * 5]
    assert transcript.warnings == ()


def test_a_compaction_of_a_resumed_session_goes_on_from_what_stands_before_it():
    session = ClaudeCode()
    session.user("never drop tables")
    session.assistant("m1", text("noted"))
    session.user("list them")
    kept = [session.assistant("m2", text("two tables"))]
    kept.append(session.add("system", subtype="stop_hook_summary"))
    held = {"uuids": kept, "allUuids": kept, "anchorUuid": f"u{len(session.records) + 1}"}
    session.add(
        "system",
        parent=None,
        subtype="compact_boundary",
        logicalParentUuid="of a line that was never written",
        compactMetadata={"trigger": "manual", "preservedMessages": held},
    )
    session.user("What happened", isCompactSummary=True)
    session.user("go on")
    transcript = read_transcript(session.data)
    assert said(transcript) == [
        "never drop tables",
        "noted",
        "list them",
        "What happened",
        "two tables",
        "go on",
    ]
    assert transcript.warnings == ()


def test_messages_preserved_twice_stand_behind_the_later_summary():
    session = ClaudeCode()
    session.user("first")
    kept = session.user("second")
    for words in ("One summary", "Another summary"):
        held = {"anchorUuid": f"u{len(session.records) + 1}", "uuids": [kept], "allUuids": [kept]}
        session.add(
            "system",
            parent=None,
            subtype="compact_boundary",
            logicalParentUuid=kept,
            compactMetadata={"preservedMessages": held},
        )
        session.user(words, isCompactSummary=True)
    session.user("third", parent=kept)
    assert said(read_transcript(session.data)) == [
        "first",
        "One summary",
        "Another summary",
        "second",
        "third",
    ]


def test_an_older_compaction_that_names_no_parent_continues_what_stands_before_it():
    session = ClaudeCode()
    session.user("one")
    session.user("Summary of one", parent=None, isCompactSummary=True)
    session.assistant("m1", text("two"))
    assert said(read_transcript(session.data)) == ["one", "Summary of one", "two"]


def test_sidechains_are_left_out_unless_asked_for():
    session = ClaudeCode()
    session.user("look into it")
    main = session.assistant("m1", call("t"))
    session.user("sub-task", parent=None, isSidechain=True)
    session.assistant("m9", text("sub-answer"), isSidechain=True)
    session.result("t", "found", parent=main)
    assert said(read_transcript(session.data)) == ["look into it", "", "found"]
    everything = read_transcript(session.data, sidechains=True)
    assert said(everything)[3:] == ["sub-task", "sub-answer"]
    assert [m.meta.is_sidechain for m in everything] == [False, False, False, True, True]


def test_a_sub_agents_own_file_is_its_conversation():
    session = ClaudeCode()
    session.user("sub-task", isSidechain=True)
    session.assistant("m1", text("sub-answer"), isSidechain=True)
    assert said(read_transcript(session.data)) == ["sub-task", "sub-answer"]


def test_lines_that_are_no_messages_are_left_out_and_client_lines_flagged():
    session = ClaudeCode()
    session.records.append({"type": "summary", "summary": "A title", "leafUuid": "x"})
    session.add("file-history-snapshot", messageId="x", snapshot={})
    session.user("Caveat: local commands", isMeta=True)
    session.user("hello")
    session.add("system", subtype="turn_duration", durationMs=5)
    session.assistant("m1", text("API Error: 500"), isApiErrorMessage=True)
    session.assistant("m2", text("hi"))
    transcript = read_transcript(session.data)
    assert said(transcript) == ["Caveat: local commands", "hello", "hi"]
    assert [m.meta.is_meta for m in transcript] == [True, False, False]
    assert transcript[1].meta.uuid == "u3"
    assert transcript[1].meta.timestamp == 1746093603.0


def test_a_prompt_typed_while_the_agent_was_busy_is_a_user_message():
    session = ClaudeCode()
    session.user("start")
    session.add("attachment", attachment={"type": "queued_command", "prompt": "also lint", "commandMode": "prompt"})
    told = {"type": "queued_command", "prompt": "<task-notification>", "commandMode": "task-notification"}
    session.add("attachment", attachment=told)
    session.add("attachment", attachment={"type": "todo_reminder", "content": []})
    session.assistant("m1", text("ok"))
    transcript = read_transcript(session.data)
    assert said(transcript) == ["start", "also lint", "<task-notification>", "ok"]
    assert [m.meta.is_meta for m in transcript] == [False, False, True, False]


def test_a_lost_parent_is_replaced_by_the_line_before_and_told():
    session = ClaudeCode()
    session.user("one")
    session.assistant("m1", text("two"))
    session.user("three", parent="gone")
    transcript = read_transcript(session.data)
    assert said(transcript) == ["one", "two", "three"]
    assert transcript.warnings == ("line 3: its parent is not in the file; the line before it takes its place",)


def test_parents_in_a_circle_end_somewhere():
    session = ClaudeCode()
    session.user("one", parent="u1")
    session.user("two", parent="u0")
    assert said(read_transcript(session.data)) == ["one", "two"]


def test_a_child_may_stand_before_its_parent():
    session = ClaudeCode()
    session.user("one")
    session.assistant("m1", text("three"), parent="u2")
    session.user("two", parent="u0")
    session.user("four", parent="u1")
    assert said(read_transcript(session.data)) == ["one", "two", "three", "four"]


def test_the_stream_of_a_headless_run_is_read_in_its_order():
    records = [
        {"type": "system", "subtype": "init", "session_id": "s-2", "cwd": "/home/you"},
        {
            "type": "assistant",
            "message": {"id": "m", "role": "assistant", "content": [call("a")]},
            "session_id": "s-2",
        },
        {
            "type": "user",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]},
        },
        {"type": "result", "result": "done", "session_id": "s-2"},
    ]
    transcript = read_transcript(lines(records))
    assert transcript.session_id == "s-2"
    assert faults(transcript) == []


def test_codex_rollouts_are_read_newer_and_older():
    item = {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "ok"}
    newer = [
        *rollout({"id": "s-3", "cwd": "/home/you"}, kind="session_meta"),
        *rollout(typed_item("go"), {"type": "ghost_snapshot"}, item),
        *rollout({"type": "agent_message", "message": "go"}, kind="event_msg"),
        *rollout(output),
    ]
    older = [
        {"id": "s-4", "timestamp": "2025-05-01T10:00:00Z", "instructions": None},
        {"record_type": "state"},
        typed_item("go"),
        item,
        output,
    ]
    for records, session in ((newer, "s-3"), (older, "s-4")):
        transcript = read_transcript(lines(records))
        assert transcript.format is TranscriptFormat.CODEX
        assert transcript.form is Form.OPENAI_RESPONSES
        assert transcript.session_id == session
        assert [dict(m.raw) for m in transcript] == [typed_item("go"), item, output]
    assert read_transcript(lines(newer))[0].meta.timestamp == 1746093600.0


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        ({"message": "What happened so far"}, "What happened so far"),
        ({"message": "", "replacement_history": [typed_item("go"), typed_item("The story")]}, "The story"),
        ({"replacement_history": [typed_item("go"), {"type": "compaction", "encrypted_content": "x"}]}, ""),
    ],
)
def test_a_codex_compaction_stands_where_it_happened_flagged(payload, shown):
    records = [*rollout(typed_item("go")), *rollout(payload, kind="compacted"), *rollout(typed_item("on"))]
    transcript = read_transcript(lines(records))
    assert said(transcript) == ["go", shown, "on"]
    assert [m.meta.is_compact_summary for m in transcript] == [False, True, False]


def answered(words: str) -> dict:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}


LOCAL = "Another language model started to solve this problem and produced a summary of its thinking."


@pytest.mark.parametrize("history", [False, True])
def test_the_summary_that_codex_wrote_on_this_machine_is_flagged_in_both_places(history):
    summary = f"{LOCAL}\nThe parser is done."
    row = {"message": "", "replacement_history": [typed_item("go"), typed_item(summary)]}
    records = [
        *rollout(typed_item("go"), answered("On it."), answered("The parser is done.\n")),
        *rollout({"type": "token_count"}, kind="event_msg"),
        *rollout(row if history else {"message": summary}, kind="compacted"),
        *rollout(typed_item("on"), answered("The parser is done.")),
    ]
    transcript = read_transcript(lines(records))
    flagged = [m.text.strip() for m in transcript if m.meta.is_compact_summary]
    assert flagged == ["The parser is done.", summary]
    assert not transcript[-1].meta.is_compact_summary


def test_an_answer_before_a_compaction_of_another_text_is_no_summary():
    records = [
        *rollout(typed_item("go"), answered("On it.")),
        *rollout({"message": f"{LOCAL}\nThe parser is done."}, kind="compacted"),
    ]
    assert [m.meta.is_compact_summary for m in read_transcript(lines(records))] == [False, False, True]


def test_what_codex_sends_after_a_compaction_was_typed_by_nobody():
    (message,) = read_transcript([typed_item(f"{LOCAL}\nAlways use tabs.")])
    assert is_agent_summary(message)
    assert not ConversationMemory("t").extract_memories([message]).memories


def test_turns_that_were_rolled_back_are_left_out():
    back = rollout({"type": "thread_rolled_back", "num_turns": 1}, kind="event_msg")
    records = [
        *rollout(typed_item("<environment_context>x</environment_context>"), typed_item("one"), typed_item("oops")),
        *back,
        *rollout(typed_item("two"), typed_item("oops again"), typed_item("and again")),
        *rollout({"type": "thread_rolled_back", "num_turns": 2}, kind="event_msg"),
        *rollout(typed_item("three")),
    ]
    assert said(read_transcript(lines(records)))[1:] == ["one", "two", "three"]


def test_a_cline_history_is_anthropic_with_times():
    values = [
        {"role": "user", "content": [text("<task>go</task>")], "ts": 1746093600000},
        {"role": "assistant", "content": [text("ok")], "ts": 1746093601000},
        {"role": "user", "content": [text("Summary")], "ts": 1746093602000, "isSummary": True},
    ]
    transcript = read_transcript(json.dumps(values))
    assert transcript.format is TranscriptFormat.CLINE
    assert transcript[0].meta.timestamp == 1746093600.0
    assert transcript[2].meta.is_compact_summary


def old_trajectory() -> dict:
    return {
        "environment": "main",
        "trajectory": [
            {
                "action": "ls\n",
                "observation": "a.py",
                "response": "Look.\n```\nls\n```",
                "thought": "Look.\n",
            },
            {"action": "submit\n", "observation": "Exited", "response": "", "thought": "Done.\n"},
        ],
        "history": [
            {"role": "system", "content": "You fix things.", "agent": "primary"},
            {"role": "user", "content": "A demonstration", "is_demo": True},
            {"role": "user", "content": "Fix the parser."},
            {"role": "assistant", "content": "Look.\n```\nls\n```", "thought": "Look.\n", "action": "ls\n"},
            {"role": "user", "content": "a.py"},
            {"role": "assistant", "content": "Done.", "thought": "Done.\n", "action": "submit\n"},
        ],
        "info": {},
    }


def test_an_older_trajectory_has_its_actions_paired_with_observations():
    transcript = read_transcript(json.dumps(old_trajectory()))
    assert transcript.format is TranscriptFormat.SWE_AGENT
    assert faults(transcript) == []
    roles = [m.role.value for m in transcript]
    assert roles == ["system", "user", "user", "assistant", "user", "assistant", "user"]
    assert [m.meta.is_meta for m in transcript[:3]] == [False, True, False]
    assert [c.arguments for m in transcript for c in m.calls] == [{"command": "ls"}, {"command": "submit"}]
    assert [r.text for m in transcript for r in m.results] == ["a.py", "Exited"]


def test_a_trajectory_without_history_is_read_from_its_steps():
    value = {"trajectory": old_trajectory()["trajectory"]}
    transcript = read_transcript(value)
    assert faults(transcript) == []
    assert len(transcript) == 4


def test_a_newer_trajectory_keeps_its_tool_calls_parallel_ones_too():
    function = {"name": "bash", "arguments": '{"command": "ls"}'}
    value = {
        "history": [
            {"role": "system", "content": [text("You fix things.")], "message_type": "system_prompt"},
            {"role": "user", "content": "Fix it.", "message_type": "observation"},
            {
                "role": "assistant",
                "content": "Looking",
                "thought": "Looking",
                "action": "ls",
                "tool_calls": [{"id": i, "type": "function", "function": function} for i in ("c1", "c2")],
            },
            {"role": "tool", "content": [text("a.py")], "tool_call_ids": ["c1"]},
            {"role": "tool", "content": "b.py", "tool_call_ids": ["c2"]},
            {"role": "assistant", "content": "no action", "action": ""},
            {"role": "user", "content": "Your output was not formatted correctly"},
        ],
        "trajectory": [],
    }
    transcript = read_transcript(value)
    assert [p.call_id for m in transcript for p in m.results] == ["c1", "c2"]
    assert [m.meta.is_meta for m in transcript] == [False, False, False, False, False, True]
    assert faults(transcript) == []


def test_openhands_events_are_read_older_and_newer():
    meta = {"tool_call_id": "c1", "function_name": "execute_bash", "model_response": {"id": "r1"}}
    older = [
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "You are"}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "go"}},
        {"id": 2, "source": "user", "action": "recall", "args": {"query": "go"}},
        {
            "id": 3,
            "source": "agent",
            "action": "run",
            "args": {"command": "ls", "thought": "Look."},
            "tool_call_metadata": meta,
        },
        {"id": 4, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
        {"id": 5, "source": "agent", "observation": "run", "content": "a.py", "cause": 3},
        {"id": 6, "source": "agent", "action": "finish", "args": {"final_thought": "Done"}},
    ]
    newer = [
        {"kind": "SystemPromptEvent", "id": "0", "source": "agent", "system_prompt": text("You are")},
        {
            "kind": "MessageEvent",
            "id": "1",
            "source": "user",
            "llm_message": {"role": "user", "content": [text("go")]},
        },
        *(
            {
                "kind": "ActionEvent",
                "id": f"a{i}",
                "source": "agent",
                "thought": [text("Look.")] if i == 1 else [],
                "action": {"kind": "Run", "command": "ls"},
                "tool_name": "bash",
                "tool_call_id": f"c{i}",
                "llm_response_id": "r1",
            }
            for i in (1, 2)
        ),
        *(
            {
                "kind": "ObservationEvent",
                "id": f"o{i}",
                "source": "environment",
                "tool_call_id": f"c{i}",
                "observation": {"kind": "Ran", "content": [text(f"out {i}")]},
            }
            for i in (1, 2)
        ),
    ]
    transcript = read_transcript(json.dumps(older))
    assert transcript.format is TranscriptFormat.OPENHANDS
    assert said(transcript) == ["You are", "go", "Look.", "a.py", ""]
    assert transcript[2].calls[0].arguments == {"command": "ls"}
    transcript = read_transcript(lines(newer))
    assert said(transcript) == ["You are", "go", "Look.", "out 1\nout 2"]
    assert faults(transcript) == []


def test_gemini_sessions_and_contents_are_read():
    response = {"functionResponse": {"id": "c1", "name": "ls", "response": {"output": "a.py"}}}
    session = {
        "sessionId": "g-1",
        "messages": [
            {"id": "1", "timestamp": "2025-05-01T10:00:00Z", "type": "user", "content": "go"},
            {"id": "2", "type": "info", "content": "update available"},
            {
                "id": "3",
                "type": "gemini",
                "content": "Looking",
                "thoughts": [{"subject": "Plan", "description": "look"}],
                "toolCalls": [
                    {
                        "id": "c1",
                        "name": "ls",
                        "args": {"path": "."},
                        "result": [response],
                        "status": "success",
                    }
                ],
            },
        ],
    }
    transcript = read_transcript(json.dumps(session))
    assert transcript.format is TranscriptFormat.GEMINI
    assert transcript.session_id == "g-1"
    assert said(transcript) == ["go", "Plan\nlook\nLooking", "a.py"]
    assert faults(transcript) == []
    contents = [
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "ls", "args": {}}} for _ in range(2)]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": "ls", "response": {"output": o}}} for o in ("a", "b")],
        },
    ]
    transcript = read_transcript({"contents": contents})
    assert [r.text for m in transcript for r in m.results] == ["a", "b"]
    assert faults(transcript) == []


@pytest.mark.parametrize("wrap", [lambda data: data, gzip.compress])
def test_streaming_yields_what_reading_does(wrap):
    session = ClaudeCode()
    for n in range(20):
        session.user(f"ask {n}")
        session.assistant(f"m{n}", call(f"c{n}"))
        session.result(f"c{n}", "out")
    data = wrap(session.data)
    assert list(iter_transcript(data)) == list(read_transcript(data))


def test_a_session_in_which_nobody_speaks_is_an_error():
    with pytest.raises(TranscriptError, match="no message that a model or a person wrote"):
        read_transcript(lines([{"type": "summary", "summary": "x", "leafUuid": "y"}]))
