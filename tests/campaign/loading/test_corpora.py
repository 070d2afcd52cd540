"""A corpus of which the runs need little: what is not wanted is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.errors import InputError
from tests.loading_runs import load_run


def texts(campaign: Campaign) -> dict[str, str]:
    return dict(campaign.rows("SELECT doc_id, text FROM documents WHERE text IS NOT NULL"))


@pytest.fixture
def corpus(campaign: Campaign, files: Path) -> Path:
    """20,000 documents, of which a run retrieved every hundredth."""
    with (files / "corpus.jsonl").open("w") as file:
        for at in range(20_000):
            file.write(json.dumps({"_id": f"d{at}", "title": "", "text": f"text {at}"}) + "\n")
    with (files / "wide.run").open("w") as file:
        for at in range(0, 20_000, 100):
            file.write(f"q1 Q0 d{at} 1 {-at} wide\n")
    load_run(campaign, files / "wide.run", depth=1000)
    return files / "corpus.jsonl"


def test_only_what_the_runs_need_is_kept(campaign, corpus):
    before = texts(campaign)
    told: list[int] = []
    (loaded,) = load_document_files(campaign, [corpus], on_rows=told.append)
    assert loaded == LoadCounts(added=200, left_out=19_800)
    assert texts(campaign) == before | {f"d{at}": f"text {at}" for at in range(0, 20_000, 100)}
    assert told == sorted(told)
    assert told[-1] > 15_000


def test_each_file_counts_its_own(campaign, corpus, files):
    (files / "other.tsv").write_text("d1\tno run has this\ncsv.reader\tReads.\nx\ty\n")
    first, second = load_document_files(campaign, [corpus, files / "other.tsv"], replace=True)
    assert first.left_out == 19_800
    assert second == LoadCounts(replaced=1, left_out=2)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ('{"id": "x", "text": ""}\n{"id": "sorted", "text": 1}\n', "2: 'text' is a number"),
        (
            '{"id": "sorted", "text": "a"}\n{"id": "x"}\n{"id": "sorted"}\n',
            "3: document id",
        ),
    ],
)
def test_what_is_wanted_and_wrong_is_refused(campaign, files, lines, why):
    (files / "hostile.jsonl").write_text(lines)
    before = texts(campaign)
    with pytest.raises(InputError, match=rf"hostile\.jsonl:{why}"):
        load_document_files(campaign, [files / "hostile.jsonl"], replace=True)
    assert texts(campaign) == before
