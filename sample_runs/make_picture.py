"""Draw the pictures of the README: the app itself, at work on the sample campaign.

judge.svg, settle.svg and results.svg beside this file: `make picture` draws them anew.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from textual.pilot import Pilot

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.judges import add_judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.app import JudgeTuiApp, Opening, judging, settling, showing_results

SAMPLES = Path(__file__).parent
SIZE = (110, 30)
QUERY = "q001"
SHOWN = "csv.reader"
LEFT = {SHOWN, "tokenize.tokenize"}


def main(folder: Path = SAMPLES) -> None:
    """Build the campaign, judge some of it, draw."""
    with tempfile.TemporaryDirectory() as scratch, campaign(Path(scratch)) as made:
        results = showing_results(Question(baseline="bm25"))
        draw(made, results, (), folder / "results.svg", "judge-tui results")
        lead = settling(add_judge(made, "lea", role="lead"))
        draw(made, lead, "211", folder / "settle.svg", "judge-tui settle")
        ann = add_judge(made, "ann")
        judge(Desk(made, ann))
        draw(made, judging(ann), (), folder / "judge.svg", "judge-tui judge --judge ann")


def campaign(folder: Path) -> Campaign:
    """The sample campaign, as `judge-tui demo` builds it."""
    documents = folder / "documents.jsonl"
    argv = [sys.executable, str(SAMPLES / "make_documents.py"), "-o", str(documents)]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    made = create_campaign(
        folder / "campaign.db",
        name="Python documentation",
        scale=DEFAULT_SCALE,
        guidelines=(SAMPLES / "guidelines.md").read_text(encoding="utf-8"),
        seed=2026,
        include_models=True,
    )
    load_queries(made, SAMPLES / "queries.jsonl")
    load_runs(made, sorted(SAMPLES.glob("runs/*.run")))
    load_document_files(made, [documents])
    extend_pool(made, depth=10)
    for name in ("assessor-a", "assessor-b"):
        load_judgments(made, SAMPLES / "grades" / f"{name}.qrels", judge=name, kind="model")
    return made


def judge(desk: Desk) -> None:
    """Two queries, and then most of the one that is shown."""
    rows = (SAMPLES / "grades" / "assessor-a.qrels").read_text(encoding="utf-8").splitlines()
    grades = {(row.split()[0], row.split()[2]): int(row.split()[3]) for row in rows}
    queries = [query for query in desk.queries() if query.query_id != QUERY][:2]
    queries += [query for query in desk.queries() if query.query_id == QUERY]
    for query in queries:
        for pair in desk.pairs(query.key):
            if query.query_id != QUERY or pair.doc_id not in LEFT:
                grade = grades[query.query_id, pair.doc_id]
                desk.record("grade", pair, grade=grade, looked=14.0)


def draw(made: Campaign, opening: Opening, keys: Sequence[str], file: Path, title: str) -> None:
    """The screen after the keys."""
    svg = asyncio.run(_drawn(JudgeTuiApp(made, opening=opening), keys, title))
    # The fonts would be fetched from elsewhere; any monospace font will do.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\bterminal-\d+-", "terminal-", svg)
    file.write_text("\n".join(map(str.rstrip, svg.splitlines())) + "\n", encoding="utf-8")


async def _drawn(app: JudgeTuiApp, keys: Sequence[str], title: str) -> str:
    app.session.guard.least_look = 0.0
    async with app.run_test(size=SIZE) as pilot:
        await _at_rest(pilot)
        for key in keys:
            await asyncio.sleep(0.15)  # no auto-repeat
            await pilot.press(key)
            await _at_rest(pilot)
        return app.export_screenshot(title=title)


async def _at_rest(pilot: Pilot[None]) -> None:
    """Wait for what is worked out beside the app, and until it is painted."""
    await pilot.pause(0.1)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause(0.1)


if __name__ == "__main__":
    main()
