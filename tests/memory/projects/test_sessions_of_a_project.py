"""Several sessions of one project: words said again, what is taken back or pinned, what holds for a moment."""

from __future__ import annotations

import pytest

from memory import ConversationMemory
from memory.entries.stored import MemoryFilter, MemoryScope
from memory.projects.project_memory import PersistentMemoryManager
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite.store import SqliteStore

NOW = 1_700_000_000.0


@pytest.fixture(params=["memory", "file"])
def project(request, tmp_path):
    store = InMemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "store.db")
    yield PersistentMemoryManager(store, "p_harbour")
    store.close()


def told(task, *texts, at=NOW, timed=True):
    """A task's memory after a person typed these messages, a second apart from a time on, or at times unknown."""
    memory = ConversationMemory(task)
    for number in range(len(texts)):
        messages = [{"role": "user", "content": text} for text in texts[: number + 1]]
        memory.extract_memories(messages, now=at + number if timed else None)
    return memory


def sessions(project, *each, timed=True):
    """Save tasks "t0", "t1", ... that each said some messages, an hour apart; return the last one's result."""
    for number, texts in enumerate(each):
        said = told(f"t{number}", *texts, at=NOW + 3600 * number, timed=timed)
        saved = project.save_task(said, now=NOW + 3600 * number + 60)
    return saved


def in_force(project):
    return {memory.entry.content for memory in project.get_project_memories()}


def everything(project):
    found = project.store.find(MemoryFilter(project.project, statuses=()))
    return sorted(
        (m.id, m.entry.task_id, m.entry.status, m.scope, m.entry.access_count, m.sightings) for m in found
    )


GOING_BACK = [
    ("Use MariaDB for the berths.", "Use SQLite for the berths."),
    ("The harbour server runs on port 6100.", "The harbour server runs on port 6200."),
    ("Always answer in German.", "Always answer in French."),
    ("数据库用 MariaDB", "数据库用 SQLite"),
    ("Always use yarn.", "Never use yarn."),
]


class TestTheSameWordsInALaterTask:
    @pytest.mark.parametrize("timed", [True, False])
    @pytest.mark.parametrize(("first", "second"), GOING_BACK)
    def test_who_goes_back_to_what_was_said_first_is_heard(self, project, first, second, timed):
        sessions(project, [first], [second], timed=timed)
        assert in_force(project) == {second}
        sessions(project, [first], [second], [first], timed=timed)
        assert in_force(project) == {first}

    def test_the_links_of_what_is_said_again_stay_within_its_task(self, project):
        sessions(project, ["Use yarn."], ["Use bun."], ["Use yarn.", "Use pnpm."])
        (now,) = project.get_project_memories()
        chain = [(one.entry.task_id, one.entry.content) for one in project.chain(now.id)]
        assert ("t2", "Use yarn.") in chain
        own = [m for m in project.store.find(MemoryFilter(project.project, statuses=())) if m.entry.task_id == "t2"]
        (old,) = [m for m in own if m.entry.content == "Use yarn."]
        assert old.entry.superseded_by == now.id

    @pytest.mark.parametrize("timed", [True, False])
    def test_it_counts_as_said_once_more_and_saving_again_changes_nothing(self, project, timed):
        rule = "Never moor a ferry at the north quay."
        saved = sessions(project, [rule], [rule], timed=timed)
        (known,) = project.get_project_memories()
        assert [one.id for one in saved.strengthened] == [known.id]
        assert [seen.task_id for seen in known.sightings] == ["t1"]
        before = everything(project)
        again = project.save_task(told("t1", rule, at=NOW + 3600, timed=timed), now=NOW + 9000)
        assert (again.new, again.strengthened, again.superseded) == ((), (), ())
        assert everything(project) == before

    @pytest.mark.parametrize("timed", [True, False])
    def test_saving_the_later_task_again_after_it_won_changes_nothing(self, project, timed):
        sessions(project, ["Use yarn."], ["Use bun."], ["Use yarn."], timed=timed)
        before = everything(project)
        for number, text in ((0, "Use yarn."), (2, "Use yarn.")):
            project.save_task(told(f"t{number}", text, at=NOW + 3600 * number, timed=timed), now=NOW + 20_000)
        assert everything(project) == before

    def test_who_repeated_a_choice_before_it_changed_does_not_bring_it_back_by_being_saved_again(self, project):
        sessions(project, ["Use yarn."], ["Use yarn."], ["Use bun."], timed=False)
        project.save_task(told("t1", "Use yarn.", timed=False), now=NOW + 20_000)
        assert in_force(project) == {"Use bun."}

    def test_a_copy_of_a_session_says_nothing_again(self, project):
        rule = "Never moor a ferry at the north quay."
        project.save_task(told("first", rule), now=NOW)
        again = project.save_task(told("copy", rule), now=NOW + 60)
        (known,) = project.get_project_memories()
        assert again.strengthened == ()
        assert known.sightings == ()

    def test_a_copy_of_a_session_that_repeated_a_rule_says_nothing_again(self, project):
        rule = "Never moor a ferry at the north quay."
        sessions(project, [rule], [rule])
        project.save_task(told("copy", rule, at=NOW + 3600), now=NOW + 9000)
        (known,) = project.get_project_memories()
        assert [seen.task_id for seen in known.sightings] == ["t1"]

    @pytest.mark.parametrize("rule", ["Never moor a ferry at the north quay.", "泊位一律用英文命名"])
    def test_what_was_forgotten_comes_back_and_what_was_dismissed_does_not(self, project, rule):
        sessions(project, [rule])
        project.forget(project.get_project_memories()[0].id)
        project.save_task(told("t0", rule), now=NOW + 100)
        assert in_force(project) == set()
        sessions(project, [rule], [rule])
        (back,) = project.get_project_memories()
        assert (back.entry.content, back.entry.task_id) == (rule, "t1")
        project.dismiss(back.id)
        sessions(project, [rule], [rule], [rule])
        assert in_force(project) == set()

    def test_tasks_keep_their_own_words_apart(self, project):
        text = "The crane at berth nine is broken today."
        sessions(project, [text], [text])
        kept = project.store.find(MemoryFilter(project.project, scope=MemoryScope.TASK, statuses=()))
        tasks = [memory.entry.task_id for memory in kept if memory.entry.content == text]
        assert len(tasks) == len(set(tasks))

    def test_what_is_erased_after_an_edit_is_in_no_task_that_said_it_again(self, project):
        sessions(project, ["Use yarn."], ["Use bun."], ["Use yarn."])
        (now,) = project.get_project_memories()
        project.edit(now.id, "Use yarn everywhere")
        project.forget(now.id, erase=True)
        assert "yarn" not in project.store.get_conversation(project.project, "t2").snapshot


class TestWhatALaterTaskTakesBack:
    @pytest.mark.parametrize("timed", [True, False])
    @pytest.mark.parametrize(
        ("rule", "word"),
        [
            ("Never moor at the north quay.", "Forget what I said about the north quay."),
            ("Always use Podman.", "we don't use Podman any more"),
            ("Use Svelte.", "Forget Svelte."),
            ("禁止使用 Kafka", "刚才说禁止使用 Kafka 的作废"),
            ("Never write to the logbook.", "You may write to the logbook again."),
        ],
    )
    def test_it_is_taken_back_in_the_project(self, project, rule, word, timed):
        saved = sessions(project, [rule, "Always greet the pilot in Dutch."], [word], timed=timed)
        assert rule not in in_force(project)
        assert "Always greet the pilot in Dutch." in in_force(project)
        assert len(saved.superseded) == 1

    @pytest.mark.parametrize(
        "word",
        [
            "Forget the logbook for now.",
            "You can write to the logbook.",
            "Go ahead and write to the logbook.",
            "No need to write to the logbook.",
            "Don't forget the logbook.",
            "My colleague says you may write to the logbook again.",
            "Never mind the logbook.",
        ],
    )
    def test_what_is_allowed_once_or_told_of_others_takes_nothing_back(self, project, word):
        rule = "Never write to the logbook."
        sessions(project, [rule], [word])
        assert rule in in_force(project)

    def test_a_part_of_a_memory_is_taken_back(self, project):
        both = "Use SQLite on port 6100 with Svelte and yarn for the whole harbour."
        sessions(project, [both], ["Forget SQLite."])
        (left,) = project.get_project_memories()
        assert [mark.slot.value for mark in left.entry.overtaken] == ["sqlite"]

    def test_what_is_pinned_or_said_later_stays_and_saving_again_takes_nothing_back(self, project):
        rule, word = "Never moor at the north quay.", "Forget what I said about the north quay."
        sessions(project, [rule])
        project.pin(project.get_project_memories()[0].id)
        gone = told("t1", word, at=NOW + 3600)
        project.save_task(gone, now=NOW + 3600)
        assert in_force(project) == {rule}
        project.pin(project.get_project_memories()[0].id, on=False)
        project.save_task(gone, now=NOW + 3700)
        assert in_force(project) == {rule}
        sessions(project, [rule], [word], [rule])
        assert in_force(project) == {rule}
        project.save_task(told("t1", word, at=NOW + 3600), now=NOW + 20_000)
        assert in_force(project) == {rule}

    def test_it_spares_what_the_same_message_says_instead(self, project):
        rule = "Never moor at the north quay."
        sessions(
            project, [rule], ["Forget what I said about the north quay. Never moor ferries at the north quay."]
        )
        assert in_force(project) == {"Never moor ferries at the north quay."}

    def test_who_repeats_a_rule_and_takes_it_back_takes_it_back_everywhere(self, project):
        rule = "Never moor at the north quay."
        sessions(project, [rule], [rule, "Forget what I said about the north quay."])
        assert in_force(project) == set()

    def test_its_words_are_kept_nowhere(self, project):
        memory = told("t1", "Forget what I said about the north quay.")
        assert memory.taken_back
        assert "quay" not in memory.serialize()
        assert ConversationMemory.deserialize(memory.serialize()).taken_back == []
        project.save_task(memory, now=NOW)
        assert memory.taken_back == []
        assert project.store.find(MemoryFilter(project.project, statuses=())) == ()

    def test_what_its_own_conversation_said_is_all_that_is_meant(self, project):
        rule = "Never moor at the north quay."
        sessions(project, [rule], ["Keep the lamps of the north quay lit.", "Forget the lamps."])
        assert rule in in_force(project)


class TestWhatIsPinned:
    def test_a_later_choice_stands_beside_it(self, project):
        sessions(project, ["Use SQLite for the berths."])
        project.pin(project.get_project_memories()[0].id)
        saved = sessions(project, ["Use SQLite for the berths."], ["Use MariaDB for the berths instead."])
        assert saved.superseded == ()
        assert in_force(project) == {"Use SQLite for the berths.", "Use MariaDB for the berths instead."}

    def test_what_is_not_pinned_gives_way(self, project):
        sessions(project, ["Use SQLite for the berths."])
        project.accept(project.get_project_memories()[0].id)
        sessions(project, ["Use SQLite for the berths."], ["Use MariaDB for the berths instead."])
        assert in_force(project) == {"Use MariaDB for the berths instead."}

    def test_an_opposite_rule_stands_beside_it_and_the_same_one_makes_it_surer(self, project):
        sessions(project, ["Never log the tides."])
        project.pin(project.get_project_memories()[0].id)
        sessions(project, ["Never log the tides."], ["Always log the tides."], ["Never log the tides."])
        assert "Never log the tides." in in_force(project)


MOMENTS = [
    "For this task only, use port 9700.",
    "Use port 9700 for this test run.",
    "Until tomorrow use MariaDB.",
    "Just for today use yarn.",
    "In this branch use Svelte.",
    "Never commit in this session.",
    "While I measure, run the server on port 9700.",
    "Option A: use MariaDB on port 9700.",
    "Explain this in Danish.",
    "Don't move anything now.",
    "Wait, don't sail anywhere",
    "这个任务用 MariaDB",
    "临时用一下 MariaDB",
    "今天先用 yarn",
    "就这一次用丹麦语回答",
    "先别提交",
    "Nur heute: Port 9700",
    "Только сегодня используй порт 9700",
]


class TestWhatHoldsForOneTask:
    @pytest.mark.parametrize("text", MOMENTS)
    def test_it_is_not_shared_and_retires_nothing(self, project, text):
        rules = ["Use SQLite.", "The server runs on port 6100.", "Use bun.", "Always answer in Dutch."]
        sessions(project, rules)
        before = in_force(project)
        saved = sessions(project, rules, [text])
        assert (saved.new, saved.superseded) == ((), ())
        assert in_force(project) == before

    @pytest.mark.parametrize(
        "text",
        [
            "Never commit temporary files.",
            "不要提交临时文件",
            "From today on, always use bun.",
            "从今天起一律用 bun",
            "Never push until I have reviewed it.",
            "Use Redis for this task queue, always.",
            "Always name the log by today's date.",
            "We use bun in this project.",
            "Use bun now.",
            "每次提交前必须先用 bun 检查",
            "Don't ignore errors.",
        ],
    )
    def test_a_rule_that_only_names_a_moment_is_shared(self, project, text):
        assert [one.entry.content for one in sessions(project, [text]).new] == [text]
