"""Draw the pictures of the README: the app itself, at work on the sample campaign.

judge.svg (which moves), settle.svg and results.svg beside this file: `make picture` draws them
anew.
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
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.app import JudgeTuiApp, Opening, judging, settling, showing_results

SAMPLES = Path(__file__).parent
SIZE = (110, 30)
QUERY = "q001"
SHOWN = "csv.reader"
LEFT = {SHOWN, "csv.writer", "csv.excel", "tokenize.tokenize"}
KEYS = ("3", "u", "1", "3", "0")
SECONDS = 2.0
"""For how long each screen of a picture that moves is shown."""


def main(folder: Path = SAMPLES) -> None:
    """Build the campaign, judge some of it, draw."""
    with tempfile.TemporaryDirectory() as scratch, campaign(Path(scratch)) as made:
        results = showing_results(Question(baseline="bm25"))
        draw(made, results, (), folder / "results.svg", "judge-tui results")
        lead = settling(add_judge(made, "lea", role="lead"))
        draw(made, lead, "211", folder / "settle.svg", "judge-tui settle")
        ann = add_judge(made, "ann")
        judge(Desk(made, ann))
        opening, title = judging(ann), "judge-tui judge --judge ann"
        draw(made, opening, KEYS, folder / "judge.svg", title, moves=True)


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
                append_event(
                    desk.campaign,
                    judge=desk.judge.key,
                    pair=pair.key,
                    action="grade",
                    grade=grade,
                    looked=14.0,
                )


def draw(
    made: Campaign,
    opening: Opening,
    keys: Sequence[str],
    file: Path,
    title: str,
    *,
    moves: bool = False,
) -> None:
    """The screen after the keys; if it moves, also the screens before and between them."""
    screens = asyncio.run(_screens(JudgeTuiApp(made, opening=opening), keys, title))
    drawn = [_own_names(screen, f"screen{number}-") for number, screen in enumerate(screens)]
    svg = _in_turn(drawn) if moves else drawn[-1]
    file.write_text("\n".join(map(str.rstrip, svg.splitlines())) + "\n", encoding="utf-8")


async def _screens(app: JudgeTuiApp, keys: Sequence[str], title: str) -> list[str]:
    """The screen at first, and after each key."""
    app.session.guard.least_look = 0.0
    async with app.run_test(size=SIZE) as pilot:
        await _at_rest(pilot)
        screens = [app.export_screenshot(title=title)]
        for key in keys:
            await asyncio.sleep(0.15)  # no auto-repeat
            await pilot.press(key)
            await _at_rest(pilot)
            screens.append(app.export_screenshot(title=f"{title}    key: {key}"))
        return screens


def _own_names(svg: str, prefix: str) -> str:
    """The same with names of its own for colours and clips, and without the fonts, which would be
    fetched from elsewhere: any monospace font will do."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"\bterminal-(\d+-)?", prefix, svg)


def _in_turn(screens: Sequence[str]) -> str:
    """One picture that shows each for a while, for ever; where motion is not wanted, the last."""
    view = re.search(r'viewBox="[^"]*"', screens[0])
    assert view
    share = 100 / len(screens)
    style = f"""<style>
    .screen {{ visibility: hidden; animation: turn {SECONDS * len(screens)}s step-end infinite }}
    @keyframes turn {{ 0% {{ visibility: visible }} {share}% {{ visibility: hidden }} }}
    @media (prefers-reduced-motion) {{
      .screen {{ animation: none }}
      .screen:last-child {{ visibility: visible }}
    }}
    </style>"""
    groups = [
        f'<g class="screen" style="animation-delay: {SECONDS * number}s">{screen}</g>'
        for number, screen in enumerate(screens)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {view[0]}>'
    return "\n".join([head, style, *groups, "</svg>"])


async def _at_rest(pilot: Pilot[None]) -> None:
    """Wait for what is worked out beside the app, and until the screen stays as it is."""
    before, now = "", "-"
    while before != now or any(not worker.is_finished for worker in pilot.app.workers):
        await pilot.pause(0.1)
        before, now = now, pilot.app.export_screenshot()


if __name__ == "__main__":
    main()
