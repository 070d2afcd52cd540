"""Copies on which judges did anything come together in any order, grouped in any way, alike."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.overview.grading import grades_by_judge
from judge_tui.campaign.store.check import check_campaign
from judge_tui.campaign.store.events import append_event, rebuild, redo, undo
from judge_tui.campaign.store.judges import add_judge, all_judges, rename_judge
from judge_tui.campaign.store.merge import merge
from judge_tui.campaign.store.model_answers import ModelAnswer, add_model_judge, store_answers
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.campaign.store.same_judges import by_who
from judge_tui.errors import InputError
from tests.campaign.copies import answers_of, copied, events_of
from tests.properties import dear

pytestmark = pytest.mark.about_files

JUDGES = ("zoe", "ann", "bob")
COPIES = 3

DONE = st.tuples(
    st.integers(0, COPIES),  # where: the first stands for all that was done before copying
    st.sampled_from(JUDGES),
    st.sampled_from(
        (
            *("grade", "grade", "grade", "skip", "cannot", "flag", "comment", "adjudicate"),
            *("undo", "undo", "redo", "merge", "load", "load", "replace"),
            *("load skip", "load cannot", "rename", "answer", "answer", "answer"),
        )
    ),
    st.integers(1, 6),
    st.integers(0, 3),
    st.sampled_from((0, 0, 0, 1)),
)


def do(campaign: Campaign, judge: str, action: str, pair: int, number: int, turn: int) -> None:
    known = (one for one in all_judges(campaign) if one.first_name == judge)
    who = next(known, None) or add_judge(campaign, judge)
    if action == "answer":
        # Each copy asks a model of its own: of one that is asked twice, the first answer stays.
        digest = sha256(campaign.path.stem.encode()).hexdigest()
        model = add_model_judge(campaign, "model", digest, "served", "{}")
        said = ModelAnswer(pair, "said", number, probe="words" if turn else "")
        store_answers(campaign, model.key, [said])
    elif action == "rename":
        rename_judge(campaign, who.name, f"{judge} {number}")
    elif action == "undo":
        undo(campaign, who.key)
    elif action == "redo":
        redo(campaign, who.key)
    elif action in ("load", "replace", "load skip", "load cannot"):
        query_id, doc_id = next(name for name, key in pair_keys(campaign).items() if key == pair)
        decision = "grade"
        if action.startswith("load "):
            decision = "skip" if action == "load skip" else "cannot"
        grade = number if decision == "grade" else None
        row = {"query_id": query_id, "doc_id": doc_id, "judge": who.name, "decision": decision}
        path = campaign.path.with_name("said.jsonl")
        path.write_text(json.dumps(row | {"grade": grade}) + "\n")
        # A file with a judgment that differs is refused.
        with suppress(InputError):
            load_judgments(campaign, path, replace=action == "replace")
    elif action != "merge":
        append_event(
            campaign,
            judge=who.key,
            pair=pair,
            action=action,
            grade=number if action in ("grade", "adjudicate") else None,
            note="n" * number if action == "comment" else "",
            looked=number / 4,
            turn=0 if action == "adjudicate" else turn,
        )


def chosen(campaign: Campaign) -> dict[tuple[int, int], int]:
    """By judge and pair (keys), the grade that holds: of what was not undone the latest in the app,
    else the latest of a file; but for a skip that a file judged later."""
    events = campaign.rows(
        "SELECT id, judge, pair, action, grade, target, painted_at FROM events"
        " WHERE turn = 0 ORDER BY id"
    )
    redone = {event[5] for event in events if event[3] == "redo"}
    undone = {event[5] for event in events if event[3] == "undo" and event[0] not in redone}
    found: dict[tuple[int, int], dict[bool, tuple]] = {}
    for event_id, judge, pair, action, grade, _, painted_at in events:
        if action in ("grade", "skip", "cannot") and event_id not in undone:
            in_app = painted_at is not None
            found.setdefault((judge, pair), {})[in_app] = event_id, action, grade
    grades = {}
    for at, held in found.items():
        holds = held.get(True, held.get(False))
        loaded = held.get(False, ("", "skip", None))
        if holds[1] == "skip" and loaded[1] != "skip" and loaded[0] > holds[0]:
            holds = loaded
        if holds[1] == "grade":
            grades[at] = holds[2]
    return grades


def held_tables(campaign: Campaign) -> list[tuple]:
    return [
        *campaign.rows("SELECT * FROM judgments ORDER BY judge, pair, turn"),
        *campaign.rows("SELECT * FROM adjudications ORDER BY pair"),
    ]


def outcome(path: Path) -> tuple[object, ...]:
    """Everything of a campaign that must not depend on the order in which it came."""
    with open_campaign(path) as campaign:
        assert campaign.rows("PRAGMA integrity_check") == [("ok",)]
        assert campaign.rows("PRAGMA foreign_key_check") == []
        # What is kept of what holds is what the events come to.
        held = held_tables(campaign)
        with campaign.writing():
            rebuild(campaign)
        assert held_tables(campaign) == held
        assert check_campaign(path).problems == ()
        judges = {one.name: one for one in all_judges(campaign)}
        grades = grades_by_judge(campaign, include_models=True)
        keys = pair_keys(campaign)
        assert chosen(campaign) == {
            (judges[name].key, keys[pair]): grade
            for name, of_judge in grades.items()
            for pair, grade in of_judge.items()
        }
        # What a judge is called is the lead's; who it is, is the same everywhere.
        first = {one.name: who for who, one in by_who(campaign, judges.values()).items()}
        written: list[object] = []
        if grades or campaign.rows("SELECT 1 FROM adjudications"):
            for policy in ("majority", "max"):
                target = path.with_suffix(f".{policy}")
                export_qrels(
                    campaign, target, policy=policy, unresolved="skip", include_models=True
                )
                provenance = json.loads(Path(f"{target}.provenance.json").read_text())
                for one in (*provenance["judges"], *provenance["settled_by"]):
                    one["name"] = first[one["name"]]
                for one in ("judges", "settled_by"):
                    provenance[one].sort(key=lambda its: its["name"])
                written += [target.read_bytes(), provenance]
        return (
            events_of(campaign),
            answers_of(campaign),
            sorted((first[one.name], one.role, one.kind) for one in judges.values()),
            {first[name]: its for name, its in grades.items()},
            written,
        )


@dear
@given(done=st.lists(DONE, min_size=5, max_size=30), seed=st.randoms(use_true_random=False))
def test_any_order_and_grouping_gives_the_same(campaign, done, seed):
    with tempfile.TemporaryDirectory(dir=campaign.path.parent) as folder:
        base = Path(folder) / "base.db"
        copied(campaign, f"{Path(folder).name}/base.db")
        with open_campaign(base) as opened:
            for where, *what in done:
                if where == 0:
                    do(opened, *what)
            away = [copied(opened, f"{place}.db") for place in range(COPIES)]
            for name in ("one", "two", "three"):
                copied(opened, f"{name}.db")
        for place, path in enumerate(away, start=1):
            with open_campaign(path) as opened:
                for where, *what in done:
                    if where == place:
                        if what[1] == "merge":
                            merge(opened, [seed.choice(away)])
                        do(opened, *what)

        # All at once; one by one in another order, some twice; two of them first with each other.
        one, two, three = (Path(folder) / f"{name}.db" for name in ("one", "two", "three"))
        with open_campaign(one) as opened:
            merge(opened, away)
        with open_campaign(two) as opened:
            for path in (*seed.sample(away, COPIES), away[0]):
                merge(opened, [path])
        with open_campaign(away[2]) as opened:
            merge(opened, [away[0]])
        with open_campaign(three) as opened:
            merge(opened, [away[1], away[2]])
        expected = outcome(one)
        assert outcome(two) == expected
        assert outcome(three) == expected

        with open_campaign(one) as opened:
            before = events_of(opened)
            again = merge(opened, [two, three, *away])
            assert [(came.events, came.answers) for came in again] == [({}, {})] * 5
            assert events_of(opened) == before
