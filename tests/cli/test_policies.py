"""A policy of the registry works everywhere: in the export, in the report, and in what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.agreement.policies import POLICIES, RULES
from tests.as_typed import invoke
from tests.cli.test_agreement_command import DOCUMENTS, QUERIES, grades_of, made
from tests.deciding import decide_by_id

JUDGES = ("ann", "bob", "cyd")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("policies"), list(JUDGES))


@pytest.mark.parametrize("name", POLICIES)
def test_the_export_and_the_page_decide_by_it_and_say_so(folder: Path, name: str) -> None:
    expected = decide_by_id(
        {
            judge: {
                (query_id, doc_id): grade
                for at, query_id in enumerate(QUERIES)
                for doc_id, grade in zip(DOCUMENTS, grades_of(judge, at), strict=True)
            }
            for judge in JUDGES
        },
        name,
        range(4),
        adjudicated={},
    )
    assert expected.rules[name]
    qrels = folder / f"{name}.qrels"
    page = folder / f"{name}.md"
    skip = ("--unresolved", "skip")
    for command, output in ((("export", "qrels", *skip), qrels), (("report",), page)):
        asked = ("--policy", name, "-o", str(output))
        args = [*command, "--db", str(folder / "campaign.db"), *asked]
        assert invoke(*args).exit_code == 0
    found: dict[str, dict[str, int]] = {}
    for query_id, _, doc_id, grade in map(str.split, qrels.read_text().splitlines()):
        found.setdefault(query_id, {})[doc_id] = int(grade)
    assert found == expected.qrels
    provenance = json.loads(Path(f"{qrels}.provenance.json").read_text())
    assert provenance["policy"] == name
    assert f"| {RULES[name]} | {expected.rules[name]} |" in page.read_text()


def test_every_rule_is_told_and_no_two_alike() -> None:
    assert [rule for rule in RULES if rule in POLICIES] == list(POLICIES)
    assert len(set(RULES.values())) == len(RULES)
