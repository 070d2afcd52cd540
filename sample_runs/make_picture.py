"""Draw the README's picture of the Judge screen: the app itself, on a campaign made for it.

The texts below are written for the picture, so that no document of others is in it.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from pathlib import Path

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.loading.runs import load_runs
from judge_tui.campaign.store.judges import add_judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.screens.judge import JudgeScreen

PICTURE = Path(__file__).with_name("judge.svg")
SIZE = (104, 26)
SHOWN = "csv.reader"

QUERY = {
    "query_id": "q001",
    "text": "how do I read a CSV file row by row",
    "narrative": "Wants the rows of a file of comma separated values, one after another."
    " 3: what reads the rows. 2: needed in the same task. 1: only writes. 0: other formats.",
}

TEXTS = {
    "csv.reader": """\
Goes through a file of comma separated values and gives one row at a time.

Each row is a list of strings, one for every field, in the order of the
columns. Nothing is converted: a number in the file is a string in the row.

    with open("prices.csv", newline="") as file:
        for row in csv.reader(file):
            print(row[0], row[-1])

What separates and quotes the fields is told by the dialect. Open the file
with newline="", so that a line break in a quoted field stays in its row.""",
    "csv.Sniffer": "Guesses the delimiter of a CSV file from a sample of it.",
    "csv.writer": "Writes rows to a CSV file.",
    "csv.field_size_limit": "Says how long a field may be.",
    "csv.list_dialects": "Names the dialects that are known.",
    "io.TextIOBase.readline": "Reads one line of a file.",
    "json.load": "Reads a JSON document from a file.",
    "linecache.getline": "Reads a numbered line of a file.",
    "sqlite3.Cursor.fetchone": "Gives the next row of a result.",
    "zipfile.ZipFile.read": "Reads one file of an archive.",
}

GRADES = {"csv.Sniffer": 2, "csv.writer": 1, "json.load": 0, "linecache.getline": 0}


def main(picture: Path = PICTURE) -> None:
    """Build, judge a little, draw."""
    with tempfile.TemporaryDirectory() as folder, campaign(Path(folder)) as made:
        app = JudgeTuiApp(made, opening=judging(add_judge(made, "ann")))
        svg = asyncio.run(drawn(app))
    # The fonts would be fetched from elsewhere; any monospace font will do.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    picture.write_text(svg.rstrip() + "\n", encoding="utf-8")


def campaign(folder: Path) -> Campaign:
    """One query and ten documents."""
    files = {
        "queries.jsonl": json.dumps(QUERY),
        "documents.jsonl": "\n".join(
            json.dumps({"doc_id": name, "title": name, "kind": "class", "text": text})
            for name, text in TEXTS.items()
        ),
        "a.run": "\n".join(f"q001 Q0 {name} {i} {-i} a" for i, name in enumerate(TEXTS)),
    }
    for name, text in files.items():
        (folder / name).write_text(text + "\n", encoding="utf-8")
    made = create_campaign(folder / "c.db", name="picture", scale=DEFAULT_SCALE, seed=4)
    load_queries(made, folder / "queries.jsonl")
    load_runs(
        made,
        [folder / "a.run"],
        depth=None,
        tag=None,
        layout=None,
        replace=False,
        skip_unknown=False,
        on_bytes=None,
    )
    load_document_files(made, [folder / "documents.jsonl"])
    extend_pool(made)
    return made


async def drawn(app: JudgeTuiApp) -> str:
    """Grade some documents at a human pace and stop at the one to be shown."""
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        screen = app.screen_stack[-1]
        assert isinstance(screen, JudgeScreen)
        for pair in list(screen.route.pairs):
            if pair.doc_id in GRADES:
                screen.desk.record("grade", pair, grade=GRADES[pair.doc_id], looked=14.0)
        screen.route.catch_up()
        screen.route.to_index([pair.doc_id for pair in screen.route.pairs].index(SHOWN))
        await pilot.press("right_square_bracket", "left_square_bracket")
        await pilot.pause()
        return app.export_screenshot(title="judge-tui judge --judge ann")


if __name__ == "__main__":
    main()
