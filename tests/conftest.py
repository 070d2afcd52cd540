"""A small campaign that many tests start from, made of real files by the real loaders."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.loading.documents import load_documents
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.pool import extend_pool
from judge_tui.errors import CampaignError
from judge_tui.model import Scale
from tests.loading_runs import load_run

# A busy machine is no reason to fail: no test asserts how long anything takes.
# A property that names no number of examples is tried with some in each of many runs, and with
# many where somebody asks for it: HYPOTHESIS_PROFILE=thorough.
settings.register_profile("any machine", deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "any machine"))


# What a shell script starts in the background has interruptions ignored, what nohup starts the
# terminal's end, and both hand that on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# The tests start hundreds of programs: where Python is asked to keep nothing that it compiled, each
# would compile all of ours, and of Textual's, again; and so would each process of the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two processes a processor: half of what most tests of the app do is wait for a screen."""
    return 2 * len(os.sched_getaffinity(0))


QUERIES = """\
{"query_id": "q1", "text": "read a CSV file", "class": "how-to", "narrative": "A reader of CSV."}
{"query_id": "q2", "text": "sort lists", "class": "lookup"}
"""

DOCUMENTS = """\
{"doc_id": "csv.reader", "title": "csv.reader(file)", "text": "Reads a CSV file.", "kind": "class"}
{"doc_id": "csv.writer", "title": "csv.writer(file)", "text": "Writes CSV files."}
{"doc_id": "json.load", "text": "Reads JSON."}
{"doc_id": "list.sort", "text": "Sorts the list in place."}
{"doc_id": "sorted", "text": "Returns a sorted list."}
{"doc_id": "never.retrieved", "text": "No run has this."}
"""

RUN_A = """\
q1 Q0 csv.reader 1 3.0 alpha
q1 Q0 csv.writer 2 2.0 alpha
q2 Q0 list.sort 1 5.5 alpha
q2 Q0 sorted 2 4.5 alpha
"""

RUN_B = """\
q1 Q0 json.load 1 0.9 beta
q1 Q0 csv.reader 2 0.8 beta
q2 Q0 sorted 1 0.7 beta
q2 Q0 json.load 2 0.1 beta
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with queries.jsonl, documents.jsonl, alpha.run and beta.run."""
    for name, text in (
        ("queries.jsonl", QUERIES),
        ("documents.jsonl", DOCUMENTS),
        ("alpha.run", RUN_A),
        ("beta.run", RUN_B),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def campaign(files: Path) -> Iterator[Campaign]:
    """Two queries, two runs, a pool of six pairs, all texts loaded, seed 7."""
    campaign = create_campaign(
        files / "campaign.db",
        name="small",
        scale=Scale.parse("0=no,1=some,2=good,3=perfect"),
        guidelines="# How to judge\n\nRead, then grade.",
        seed=7,
    )
    load_queries(campaign, files / "queries.jsonl")
    for name in ("alpha.run", "beta.run"):
        load_run(campaign, files / name)
    load_documents(campaign, files / "documents.jsonl")
    extend_pool(campaign, depth=10)
    yield campaign
    # A test may have closed it, or taken its file away.
    with suppress(CampaignError):
        campaign.close()


@pytest.fixture
def usual(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small campaign is the one that commands use by themselves, so that none names it."""
    monkeypatch.setenv("JUDGE_TUI_DB", str(files / "campaign.db"))
