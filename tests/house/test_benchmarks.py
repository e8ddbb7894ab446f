"""The benchmark: its measures on conversations small enough to count by hand, its quick run, its report."""

from __future__ import annotations

import importlib
import json
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

import pytest
from conftest import SHARED

from benchmarks import difference, frameworks, gathering, headline, native, reading, report, verdicts
from benchmarks.__main__ import run
from benchmarks.extraction import every_sentence, matches, measure, summed
from benchmarks.fidelity import by_budget, judge, question_at
from benchmarks.gathering import gather, jobs_of
from benchmarks.importance import Sheet, auc, cross_validated, fitted, precision_at, ranked
from benchmarks.journeys import Journey
from benchmarks.loops import Recorder, extractive
from benchmarks.options import BUNDLED, Options, parse_options, save
from benchmarks.peers.catalogue import PEERS, Peer, Variant
from benchmarks.peers.driving import PeerProcess, install_peers, start_peers
from benchmarks.peers.installing import ADAPTERS
from benchmarks.repeated import rounds
from benchmarks.replay import play
from benchmarks.scale import exponent
from benchmarks.sessions import Session, cuts_of, generated_session, load_session, load_sessions
from benchmarks.systems import (
    OURS,
    Compacted,
    System,
    amortised,
    baselines,
    everything,
    keep_last,
    our_system,
    timed,
)
from benchmarks.texts import copied_after, count_tokens, names_in, needed_after, runs_in, size_of, typed_in
from benchmarks.validity import violations_in


def said(role, text):
    return {"role": role, "content": text}


def called(call, command):
    return {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}],
    }


def answered(call, text):
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": text}]}


@pytest.fixture(scope="module")
def session():
    return generated_session(30_000)


# ---- what is counted


def test_tokens_are_bytes_by_four_rounded_up():
    assert [count_tokens(text) for text in ("", "a", "abcd", "abcde", "端口")] == [0, 1, 1, 2, 2]


def test_names_are_paths_identifiers_flags_numbers_and_addresses():
    text = "see src/cart/total.py, retry_limit, maxItems, --dry-run, port 8085, https://example.org/a and 12"
    assert names_in(text) == [
        "src/cart/total.py",
        "retry_limit",
        "maxItems",
        "dry-run",
        "8085",
        "https://example.org/a",
    ]


def test_needed_is_what_stood_before_and_was_not_shown_after():
    messages = [
        said("user", "look at src/cart/total.py and retry_limit"),
        said("assistant", "I look."),
        said("user", "go on"),
        called("1", "cat src/cart/total.py"),
        answered("1", "retry_limit = 3"),
        said("assistant", "retry_limit is 3 and new_name is new"),
    ]
    assert needed_after(messages, 3) == ["src/cart/total.py"]


def test_copied_is_a_run_of_eight_words_repeated_verbatim():
    line = "one two three four five six seven eight nine"
    messages = [
        said("user", line),
        said("assistant", "yes"),
        said("user", "and"),
        said("assistant", f"again: {line}"),
    ]
    assert len(copied_after(messages, 3)) == 2
    assert len(runs_in("one two three")) == 0


def test_typed_is_not_what_clients_inject():
    message = said("user", "<system-reminder>do this</system-reminder>fix the parser")
    assert typed_in(message) == ["fix the parser"]
    assert typed_in({**said("user", "a summary"), "isCompactSummary": True}) == []
    assert typed_in(answered("1", "printed")) == []


@pytest.mark.parametrize(
    ("messages", "wrong"),
    [
        ([], 1),
        ([said("user", "a"), called("1", "ls"), answered("1", "b")], 0),
        ([said("assistant", "a")], 1),
        ([said("user", "a"), called("1", "ls")], 1),
        ([said("user", "a"), answered("1", "b")], 1),
        ([said("user", "a"), called("1", "ls"), answered("2", "b")], 1),
        ([said("user", "a"), said("assistant", " ")], 1),
    ],
)
def test_what_a_provider_refuses_is_seen(messages, wrong):
    assert len(violations_in(messages)) == wrong


def test_cuts_stand_before_the_agent_acts_and_behind_enough(session):
    places = cuts_of(session.messages, 3, 8_000)
    assert len(places) == 3
    assert places == sorted(places)
    for place in places:
        assert session.messages[place]["role"] == "assistant"
        assert size_of(session.messages[:place]) >= 8_000


def test_sessions_of_the_bundled_agents_are_read_as_valid_messages():
    for session in load_sessions(BUNDLED):
        assert session.tokens > 1_000
        assert not [line for line in violations_in(session.messages) if not line.startswith("last")]


def test_a_folder_of_plain_messages_is_read(tmp_path, session):
    path = tmp_path / "deep" / "one.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"id": "one", "agent": "made", "messages": session.messages[:4]}))
    (tmp_path / "broken.jsonl").write_text("{")
    assert [s.name for s in load_sessions(tmp_path)] == ["one"]
    with pytest.raises(FileNotFoundError, match="no transcript"):
        load_sessions(tmp_path / "nothing")


def test_languages_are_told_by_what_is_typed():
    assert Session("a", [said("user", "请修复解析器里的错误，然后运行测试")]).language == "zh"
    assert Session("b", [said("user", "fix the parser")]).language == "en"


# ---- fidelity, replay, repetition


def test_keeping_everything_recalls_everything_and_the_newest_alone_nothing_distant(session):
    cut = cuts_of(session.messages, 1, 8_000)[0]
    question = question_at(session, cut, 4_000)
    whole = judge(question, "whole", Compacted(question.prefix, 0.1))
    recent = judge(question, "recent", Compacted(keep_last(question.prefix, 4_000), 0.1))
    assert whole.names_kept == whole.names
    assert whole.runs_kept == whole.runs
    assert whole.typed_kept == whole.typed > 0
    assert recent.distant_kept == 0
    assert recent.after <= 4_000 < whole.after


def test_our_answer_fits_is_valid_and_keeps_what_was_typed(session):
    cut = cuts_of(session.messages, 1, 8_000)[0]
    question = question_at(session, cut, 4_000)
    system = our_system()
    answer = judge(question, OURS, system.compact(question.prefix, 4_000))
    assert answer.error is None
    assert answer.after <= 4_000
    assert not answer.broke
    assert answer.typed_kept == answer.typed


def test_a_system_that_falls_over_is_a_result(session):
    def falls(messages, budget):
        raise RuntimeError(budget)

    cut = cuts_of(session.messages, 1, 8_000)[0]
    question = question_at(session, cut, 4_000)
    answer = judge(question, "falls", timed(falls)(question.prefix, 4_000))
    assert answer.error == "RuntimeError: 4000"
    assert by_budget([answer])["4000"]["falls"]["errors"] == 1


def test_sending_everything_costs_one_and_a_window_that_slides_breaks_the_cache(session):
    whole = play(session, everything().follow(16_000), 16_000)
    sliding = play(session, baselines()[0].follow(16_000), 16_000)
    assert whole.cost() == pytest.approx(1.0)
    assert whole.held == whole.needed
    assert whole.compactions == 0
    assert sliding.compactions > 5
    assert sliding.cost() > 1


def test_a_system_that_only_compacts_is_called_when_the_window_is_nearly_full(session):
    calls = []

    def compact(messages, budget):
        calls.append(size_of(messages))
        return Compacted(list(messages[-3:]), 0.0)

    step = amortised(compact, 10_000)
    for i, message in enumerate(session.messages):
        if message["role"] == "assistant":
            step(session.messages[:i])
    assert len(calls) > 1
    assert min(calls) > 8_000


def test_repeated_compaction_is_counted_from_what_came_out(session):
    found = list(rounds(session, our_system(), 2_000))
    assert [r.number for r in found] == list(range(1, len(found) + 1))
    assert len(found) >= 2
    assert not any(r.broke or r.failed for r in found)


def test_an_agents_own_summary_is_held_against_ours_at_its_size(session):
    cut = cuts_of(session.messages, 1, 12_000)[0]
    summary = {**said("user", "We fixed some functions. " * 120), "isCompactSummary": True}
    messages = [*session.messages[:cut], summary, *session.messages[cut:]]
    one = [Session("one", messages)]
    theirs, ours = native.summed(native.measure(one)), native.summed(native.measure(one, our_system()))
    assert theirs["n"] == ours["n"] == 1
    assert ours["tokens"] <= theirs["tokens"]
    assert ours["recall"] > theirs["recall"]


# ---- what is remembered, what is important, how it grows


def test_a_memory_matches_a_quote_it_nearly_is():
    assert matches("always run the linter", "Always run  the linter!")
    assert matches("always run the linter before a commit", "run the linter before a commit")
    assert not matches("always run the linter", "port 8085 in staging")


def test_calling_every_sentence_a_memory_finds_all_and_is_noisy():
    rows = [
        {"text": "Always run the linter.", "lang": "en", "memories": [
            {"quote": "Always run the linter", "type": "user_instruction", "priority": "critical"}]},
        {"text": "why is it slow?", "lang": "en", "memories": []},
    ]  # fmt: skip
    found = summed(measure(every_sentence, rows)["all"])
    assert (found["recall"], found["precision"], found["noise"], found["binding_recall"]) == (
        1.0,
        0.5,
        1.0,
        1.0,
    )


def test_ranking_measures():
    assert auc([1, 2, 3, 4], [False, False, True, True]) == 1.0
    assert auc([1, 1, 1, 1], [False, True, False, True]) == 0.5
    assert auc([1, 2], [True, True]) is None
    assert precision_at([5, 4, 3, 2], [True, False, True, True], 2) == 0.5


def sheet(group, *rows):
    counts = [{"short": one, "code": other} for one, other, _ in rows]
    return Sheet(group, counts, [needed for _, _, needed in rows], [0.0] * len(rows), [0.0] * len(rows))


def test_weights_are_fitted_to_what_was_needed_and_held_against_groups_left_out():
    telling = [sheet(f"g{n}", (1, 0, False), (0, 1, True), (0, 0, False), (1, 1, True)) for n in range(8)]
    weights = fitted(telling, telling)
    assert weights["code"] > weights["short"]
    assert auc(ranked(telling[0], weights), telling[0].needed) == 1.0
    found = cross_validated(telling, telling)
    assert found["held_out"]["referenced"] == 1.0
    assert found["held_out"]["referenced seed"] < 1.0
    assert cross_validated(telling[:3], telling) == {}


def test_exponents_tell_linear_from_quadratic():
    assert exponent({"size": 100, "seconds": 1.0}, {"size": 1000, "seconds": 10.0}) == pytest.approx(1)
    assert exponent({"size": 100, "seconds": 1.0}, {"size": 1000, "seconds": 100.0}) == pytest.approx(2)
    assert exponent({"size": 100, "seconds": 1.0}, {"size": 1000, "seconds": None}) is None


# ---- peers


def test_every_peer_has_its_adapter():
    for peer in PEERS:
        assert (ADAPTERS / peer.adapter).exists()
        assert peer.variants


def test_a_peer_that_cannot_be_installed_or_started_is_reported(tmp_path):
    home = tmp_path / "silent"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    (home / ".installed").write_text("x")
    silent = Peer("silent", ("x",), "no_adapter.py", (Variant("silent", "x"),))
    future = Peer("future", ("x",), "no_adapter.py", (Variant("future", "x"),), python=(3, 99))
    with ExitStack() as stack:
        systems, states = start_peers([silent, future], tmp_path, stack)
    assert systems == []
    assert [state["status"] for state in states.values()] == ["missing", "missing"]
    assert "does not start" in states["silent"]["why"]
    assert "3.99" in states["future"]["why"]


def test_a_peer_answers_over_json_lines_and_its_failures_are_results(tmp_path):
    adapter = tmp_path / "adapter.py"
    adapter.write_text(
        f"import sys; sys.path.insert(0, {str(ADAPTERS)!r})\n"
        "from serving import serve\n"
        "def half(messages, budget):\n    print('chatter')\n    return messages[len(messages) // 2 :]\n"
        "def fails(messages, budget):\n    raise ValueError('no')\n"
        "def dies(messages, budget):\n    import os\n    os._exit(3)\n"
        "serve({'half': half, 'fails': fails, 'dies': dies}, ['pytest', 'no-such-package'])\n"
    )
    process = PeerProcess([sys.executable, str(adapter)])
    messages = [said("user", "a"), said("assistant", "b")]
    process.start()
    assert process.versions == {"pytest": pytest.__version__, "no-such-package": "not installed"}
    assert process.compact("half", messages, 10).messages == messages[1:]
    assert process.compact("fails", messages, 10).error == "ValueError: no"
    assert process.compact("dies", messages, 10).error is not None
    assert process.compact("half", messages, 10).messages == messages[1:]
    process.stop()


def test_what_a_peer_did_is_kept_and_ours_is_measured_again(tmp_path, monkeypatch):
    calls = tmp_path / "calls"
    adapter = tmp_path / "adapter.py"
    adapter.write_text(
        f"import sys; sys.path.insert(0, {str(ADAPTERS)!r})\n"
        "from serving import serve\n"
        "def newest(messages, budget):\n"
        f"    open({str(calls)!r}, 'a').write('x')\n"
        "    return messages[-2:]\n"
        "serve({'newest': newest}, ['pytest'])\n"
    )
    peer = Peer("fake", ("x",), str(adapter), (Variant("fake newest", "newest"),))
    home = tmp_path / "fake"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    (home / ".installed").write_text("x")
    monkeypatch.setattr(gathering, "PIECES", {"native": native.of_system})
    options = parse_options("", ["--quick", "--venvs", str(tmp_path)])
    jobs = jobs_of([peer], install_peers([peer], tmp_path))
    chosen = [job for job in jobs if job.row in ("keep-last", "fake newest")]
    first = gather(options, chosen)
    asked = calls.read_text()
    assert asked
    assert set(first["native"]) == {"keep-last", "fake newest"}
    assert gather(replace(options, jobs=2), chosen) == first
    assert calls.read_text() == asked
    gather(replace(options, again=True), chosen)
    assert calls.read_text() == asked * 2
    stored = "".join(path.read_text() for path in (tmp_path / "answers").glob("*.json"))
    assert stored
    assert not [t for s in options.load() for m in s.messages for t in typed_in(m) if len(t) > 30 and t in stored]


# ---- the whole


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    run(parse_options("", ["--quick", "--out", str(folder)]))
    return folder


@pytest.mark.slow
def test_the_quick_run_measures_everything(results):
    found = json.loads((results / "results.json").read_text())["runs"]["bundled"]
    assert set(found) == {
        "about", "fidelity", "repeated", "verified", "replay", "native", "importance", "extraction", "speed", "scale",
    }  # fmt: skip
    for systems in found["fidelity"]["budgets"].values():
        assert set(systems) == {OURS, *(s.name for s in baselines())}
        assert systems[OURS]["errors"] == systems[OURS]["broke"] == systems[OURS]["over"] == 0
    assert set(found["replay"]["systems"]) >= {OURS, "everything", "drop-half"}
    assert found["replay"]["systems"]["everything"]["cost"] == 1
    assert found["about"]["machine"]
    assert set(found["native"]["small"]) == {OURS, *(s.name for s in baselines())}
    assert set(found["importance"]["weights"]) == {"measured", "seed"}
    assert all(len(work["points"]) == 2 for work in found["scale"].values())


@pytest.mark.slow
def test_the_report_has_every_section_and_holds_no_text_of_sessions(results):
    text = (results / "REPORT.md").read_text()
    for section in ("Fidelity", "Replay", "importance", "Extraction", "Speed", "Scale", "again and again"):
        assert section in text
    stored = (results / "results.json").read_text()
    for session in load_sessions(BUNDLED):
        typed = [t for m in session.messages for t in typed_in(m) if len(t) > 30]
        assert typed
        assert not [t for t in typed if t in stored or t in text]


@pytest.mark.slow
def test_the_readme_gets_its_table_between_the_markers(results, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(f"# Title\n\n{report.START}\nof yesterday\n{report.END}\n\nThe end.\n")
    report.write_readme(json.loads((results / "results.json").read_text()), readme)
    text = readme.read_text()
    assert f"**{OURS}**" in text
    assert max(len(line.split("|")) for line in text.splitlines() if line.startswith("|")) <= 11
    assert "of yesterday" not in text
    assert text.endswith(f"{report.END}\n\nThe end.\n")
    readme.write_text("# Title\n")
    with pytest.raises(ValueError, match="bench:start"):
        report.write_readme({"runs": {}}, readme)


def row(**changes):
    plain = {
        "n": 3, "recall": 0.9, "distant": 0.8, "copy": 0.7, "far_copy": 0.6, "user": 1.0, "size": 0.9, "over": 0,
        "broke": 0, "ms_per_100k": 100.0,
    }  # fmt: skip
    return plain | changes


def test_verdicts_name_where_another_is_ahead_and_leave_out_who_keeps_to_no_budget():
    systems = {
        OURS: row(),
        "big": row(recall=1.0, size=3.0),
        "good": row(copy=0.75, ms_per_100k=5.0, distant=0.41),
    }
    found = verdicts.standing(systems)
    assert found.behind == {"copies": ("good", 0.75)}
    assert found.ahead == ["distant recall"]
    assert set(found.level) >= {"recall", "typed messages"}
    assert verdicts.standing({OURS: row(), "weak": row(recall=0.1)}).ahead == ["recall"]
    lines = "\n".join(verdicts.verdict_lines({"fidelity": {"budgets": {"8000": systems}}}))
    assert "**behind in copies**: 0.700, good has 0.750" in lines
    assert "big" not in lines
    assert "**not within**" in lines
    assert verdicts.pace(systems) == ("good", 20.0)
    assert verdicts.pace({OURS: row(), "weak": row(distant=0.1)}) is None


def test_the_headline_shows_the_best_way_of_each_other_system_that_keeps_to_the_budget():
    budgets = {
        budget: {
            OURS: row(),
            "alpha, laddered": row(distant=0.5),
            "alpha, pinned": row(distant=0.6),
            "beta big": row(distant=0.99, size=2.0),
            "keep-last": row(distant=0.0),
            "drop-half": row(distant=0.1),
        }
        for budget in ("8000", "16000")
    }
    assert headline.best_others(budgets, ["8000", "16000"]) == ["alpha, pinned", "drop-half"]


def test_what_got_worse_is_said_and_what_got_better_is_not():
    def result(**changes):
        return {"fidelity": {"budgets": {"8000": {OURS: row(**changes), "keep-last": row(ms_per_100k=1.0)}}}}

    assert list(difference.worse(result(), result())) == []
    assert list(difference.worse(result(), result(recall=0.95, broke=0))) == []
    lines = sorted(difference.worse(result(), result(recall=0.85, broke=2, ms_per_100k=500.0)))
    assert [line.split(":")[0] for line in lines] == [
        "fidelity 8000 broke",
        "fidelity 8000 recall",
        "fidelity 8000 time",
    ]


def test_options_of_the_quick_run_are_small():
    quick = parse_options("", ["--quick"])
    assert (quick.limit, quick.cuts, quick.label) == (2, 1, "bundled")
    assert Options().labelled()


# ---- graded reading


def test_sheets_hide_which_system_made_a_context_and_grades_find_back(tmp_path):
    options = Options(budgets=(2_000, 4_000), cuts=1, limit=2)
    key = reading.write_sheets(options, [our_system(), *baselines()[:1]], tmp_path)
    assert json.loads((tmp_path / "key.json").read_text("utf-8")) == key
    (place, letters), *_ = key.items()
    assert set(letters.values()) == {f"{name}, {n}" for name in (OURS, "keep-last") for n in ("2,000", "4,000")}
    written = {path.name for path in (tmp_path / place).iterdir()}
    assert written == {f"{name}.txt" for name in (*letters, "before", "next")} | {
        "questions.md", "reader.md", "grader.md"
    }  # fmt: skip
    (mine,) = (letter for letter, name in letters.items() if name == f"{OURS}, 4,000")
    before, kept = ((tmp_path / place / f"{name}.txt").read_text("utf-8") for name in ("before", mine))
    assert 0 < count_tokens(kept) < count_tokens(before) / 2
    (tmp_path / place / "grades.json").write_text(json.dumps({mine: [1, 0.5, 0, 0.5]}))
    assert reading.summed(tmp_path) == {f"{OURS}, 4,000": {"graded": 0.5, "answers": 4}}
    (tmp_path / place / "grades.json").write_text('{"Z": [1]}')
    with pytest.raises(ValueError, match="letters are A, B, C, D"):
        reading.summed(tmp_path)


# ---- frameworks


def recorded(journey, send):
    """What a loop would have sent: `send` of what was said and printed so far."""
    recorder, history = Recorder(journey), [said("user", "\n".join(journey.asks))]
    for number, step in enumerate(journey.steps):
        recorder.step(partial(send, list(history)))
        if isinstance(step, str):
            history.append(said("assistant", step))
        else:
            history += [
                called(step.id, step.arguments["about"]),
                answered(step.id, recorder.run_tool(step.id[5:])),
            ]
        assert len(recorder.requests) == number + 1
    return frameworks.judge(recorder)


def test_a_journey_is_judged_by_what_its_requests_hold():
    journey = Journey(1)
    whole = recorded(journey, lambda history: history)
    for name in ("rules", "typed", "concluded", "details", "far_details"):
        assert whole[f"{name}_kept"] == whole[f"{name}_planted"] > 3, name
    assert whole["over"] > 0
    assert whole["compactions"] == whole["invalid"] == 0
    assert whole["billed"] < whole["sent"] / 4
    none = recorded(journey, lambda history: history[-1:])
    assert none["rules_kept"] == none["typed_kept"] == none["concluded_kept"] == none["far_details_kept"] == 0
    assert none["invalid"] > 50
    assert none["compactions"] > 50
    few = recorded(journey, lambda history: [history[0], *history[-11:]])
    assert few["rules_kept"] == few["rules_planted"]
    assert 0 < few["details_kept"] < few["details_planted"]


def test_the_stub_of_a_summary_takes_sentences_as_they_are():
    texts = ["Take v1.2. Use port 80! Nothing else.", "请用中文。不要用 MySQL。"]
    every = extractive("Old one.", texts, every_third=False, limit=100).splitlines()
    assert every == [
        "Old one.",
        "Take v1.2.",
        "Use port 80!",
        "Nothing else.",
        "请用中文。",
        "不要用 MySQL。",
    ]
    assert "Nothing else." not in extractive("", texts, every_third=True, limit=100)
    assert extractive("Old one.", texts, every_third=False, limit=4) == "Old one."


def test_a_framework_that_is_missing_is_said(capsys):
    assert frameworks.systems(["absent_loop"]) == ([], {})
    assert capsys.readouterr().out.startswith("absent is left out: No module named")


@pytest.mark.filterwarnings("ignore:The default value of `allowed_objects`")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_frameworks_are_driven_to_the_end_and_fill_the_report(tmp_path):
    options = Options(quick=True, out=tmp_path)
    found = frameworks.run(options)
    systems = found["lengths"][0]["systems"]
    for one in systems:
        if one["system"] == "nothing":
            assert one["details"] == one["rules"] == 1
            assert one["largest"] > 0.9 * found["window"]
        if one["system"].startswith("Holdfast"):
            assert one["rules"] == one["typed"] == 1
            assert one["over"] == one["invalid"] == 0
            assert one["compactions"] >= 1
    row = dict.fromkeys(frameworks.COLUMNS, 1)
    systems.append({"framework": "Some", "system": "HoldfastThing", **row})
    save(options, "frameworks", found)
    report.write(tmp_path)
    text = (tmp_path / "REPORT.md").read_text(encoding="utf-8")
    assert "## Against what they replace in agent frameworks" in text
    assert "### 25 tool calls (journeys: 1)" in text
    assert "| **Some, HoldfastThing** | 1 |" in text


# ---- agreement with the measures that others use, where they are at hand

if (SHARED / "eval").is_dir():

    def theirs(name):
        sys.path.insert(0, str(SHARED / "eval"))
        try:
            return importlib.import_module(name)
        finally:
            sys.path.remove(str(SHARED / "eval"))

    @pytest.fixture(scope="module")
    def shared_sessions():
        paths = sorted((SHARED / "data" / "sessions").glob("*.json.gz"))
        return sorted(paths, key=lambda path: path.stat().st_size)[20:60:8]

    def test_fidelity_agrees_on_the_same_cuts(shared_sessions):
        recall = theirs("recall")
        named = {"keep-last": "keep-last", "first+last": "first+last", "mask-observations": "mask"}
        chosen = [s for s in baselines() if s.name in named]
        rows = recall.measure(
            {named[s.name]: recall.BASELINES[named[s.name]] for s in chosen}, shared_sessions, [8000], 2
        )
        assert len(rows) > 10
        pairs = (
            ("need", "names"), ("hit", "names_kept"), ("distant", "distant"), ("hit_distant", "distant_kept"),
            ("runs", "runs"), ("hit_runs", "runs_kept"), ("far_runs", "far_runs"), ("hit_far_runs", "far_runs_kept"),
            ("said", "typed"), ("kept", "typed_kept"), ("before", "before"), ("after", "after"),
            ("broke", "broke"), ("left", "left"),
        )  # fmt: skip
        for theirs_ in rows:
            path = next(p for p in shared_sessions if p.stem == theirs_["session"])
            question = question_at(load_session(path), theirs_["cut"], 8000)
            system = next(s for s in chosen if named[s.name] == theirs_["system"])
            ours_ = judge(question, system.name, system.compact(question.prefix, 8000))
            for their_name, our_name in pairs:
                assert getattr(ours_, our_name) == pytest.approx(theirs_[their_name], rel=0.01), our_name

    def test_cuts_agree(shared_sessions):
        recall = theirs("recall")
        for path in shared_sessions:
            messages = load_session(path).messages
            assert cuts_of(messages, 3, 16_000) == recall.cuts(messages, 3, 16_000)

    def test_replay_agrees(shared_sessions):
        replay = theirs("replay")
        path = shared_sessions[0]
        drop_half = next(s for s in baselines() if s.name == "drop-half")
        for system, name in (
            (drop_half, "drop-half"),
            (everything(), "everything"),
            (baselines()[0], "sliding"),
        ):
            played = play(load_session(path), system.follow(8000), 8000)
            told = replay.run(path, replay.BASELINES[name], 8000)
            assert played.cost() == pytest.approx(told["cost"], abs=0.01)
            assert played.held / played.needed == pytest.approx(told["recall"], abs=0.01)
            assert (played.broke, played.left, played.over) == (told["bad"], told["left"], told["over"])

    def test_extraction_agrees():
        extraction = theirs("extraction")
        with (SHARED / "data" / "labelled_messages.jsonl").open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines][:120]
        total, by_language = extraction.measure(every_sentence, rows)
        found = measure(every_sentence, rows)
        for key, count in {"all": total, **by_language}.items():
            figures = summed(found[key])
            assert figures["precision"] == pytest.approx(count["good"] / count["pred"], abs=0.01)
            assert figures["recall"] == pytest.approx(count["found"] / count["gold"], abs=0.01)

    def test_native_agrees(shared_sessions):
        shared_native = theirs("native")
        recall = theirs("recall")
        corpus = theirs("corpus")
        for path in sorted((SHARED / "data" / "sessions").glob("claude-code*.json.gz")):
            messages = load_session(path).messages
            scores, last = [], 0
            for at in shared_native.compactions(messages):
                rest = messages[last:at] + messages[at + 1 :]
                need = corpus.needed(rest, at - last, 12)
                budget = corpus.size([messages[at]])
                context = "\n".join(corpus.text(m) for m in recall.keep_last(messages[last:at], budget))
                last = at
                if len(need) >= 5 and budget >= 500:
                    scores.append(sum(name in context for name in need) / len(need))
            found = native.measure([load_session(path)], System("keep-last", timed(keep_last)))
            assert len(found) == len(scores)
            if scores:
                assert native.summed(found)["recall"] == pytest.approx(sum(scores) / len(scores), abs=0.01)
