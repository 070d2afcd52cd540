"""A small campaign that many tests start from, made of real files by the real loaders."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from judge_tui.campaign import Campaign, create_campaign, open_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.errors import CampaignError
from judge_tui.model import Scale
from tests.campaigns import load_run
from tests.postgres import missing_server

# A busy machine is no reason to fail: no test asserts how long anything takes. `make test` tries
# the same few examples each time; HYPOTHESIS_PROFILE=thorough tries many, and others each time.
_SETTINGS = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
}
settings.register_profile("quick", max_examples=25, derandomize=True, **_SETTINGS)
settings.register_profile("thorough", max_examples=400, **_SETTINGS)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# Where there is room, the tests' files are in memory: no test waits for a disk to keep a campaign.
_MEMORY = Path("/dev/shm")  # noqa: S108
if (
    os.access(_MEMORY, os.W_OK)
    and not os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC
    and shutil.disk_usage(_MEMORY).free > 2**31
):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
    os.environ.setdefault("TMPDIR", str(_MEMORY))

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


@pytest.fixture(scope="session")
def small_campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the small campaign, made once: tests take copies."""
    folder = tmp_path_factory.mktemp("small")
    for name, text in (
        ("queries.jsonl", QUERIES),
        ("documents.jsonl", DOCUMENTS),
        ("alpha.run", RUN_A),
        ("beta.run", RUN_B),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    with create_campaign(
        folder / "campaign.db",
        name="small",
        scale=Scale.parse("0=no,1=some,2=good,3=perfect"),
        guidelines="# How to judge\n\nRead, then grade.",
        seed=7,
    ) as campaign:
        load_queries(campaign, folder / "queries.jsonl")
        for name in ("alpha.run", "beta.run"):
            load_run(campaign, folder / name)
        load_document_files(campaign, [folder / "documents.jsonl"])
        extend_pool(campaign, depth=10)
    return folder


@pytest.fixture
def files(small_campaign: Path, tmp_path: Path) -> Path:
    """A folder with queries.jsonl, documents.jsonl, alpha.run and beta.run."""
    for path in small_campaign.iterdir():
        if path.suffix != ".db":
            shutil.copyfile(path, tmp_path / path.name)
    return tmp_path


@pytest.fixture
def campaign(small_campaign: Path, files: Path) -> Iterator[Campaign]:
    """Two queries, two runs, a pool of six pairs, all texts loaded, seed 7."""
    shutil.copyfile(small_campaign / "campaign.db", files / "campaign.db")
    campaign = open_campaign(files / "campaign.db")
    yield campaign
    # A test may have closed it, or taken its file away.
    with suppress(CampaignError):
        campaign.close()


@pytest.fixture
def usual(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small campaign is the one that commands use by themselves, so that none names it."""
    monkeypatch.setenv("JUDGE_TUI_DB", str(files / "campaign.db"))


def pytest_configure() -> None:
    """Nothing is thrown away while tests are collected: looking for it would take a second."""
    gc.disable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Half of the tests of campaigns is not left out in silence."""
    why = missing_server()
    skipped = terminalreporter.stats.get("skipped", [])
    if count := sum(bool(why) and why in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(f"{count} tests of campaigns on a server were left out: {why}")


def pytest_collection_finish() -> None:
    """Thousands of tests that are known by now are not looked at with each collection of garbage,
    and copies of this process share them."""
    gc.collect()
    gc.freeze()
    gc.enable()
