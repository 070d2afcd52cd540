"""The judge's screen, from outside: a real pseudo-terminal of 120x40, from the key to the paint."""

from __future__ import annotations

import json
import random
import statistics
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from judge_tui.campaign import create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.model import DEFAULT_SCALE
from tests.benchmarks.big_campaign import Size, load_big, write_big
from tests.benchmarks.stopwatch import (
    KEYS,
    SIZE,
    STARTS,
    TOKEN,
    Goal,
    judging,
    pressed,
    quiet,
    report,
    start,
    wait,
)
from tests.campaigns import load_run
from tests.end_to_end.terminal import Terminal

SEED = 20
PROCESSES = Path(__file__).parent / "processes"
SMALL = Size(queries=10, documents=1_000, others=0, graded=0)
LATIN = "abcdefghijklmnopqrstuvwxyz"
HAN = "".join(map(chr, range(0x4E00, 0x4F00)))


@dataclass(frozen=True)
class _Shape:
    """Documents of `size` characters, whose ids end in `suffix`; `write` makes one of words."""

    size: int
    write: Callable[[str, list[str]], str]
    suffix: str = ""
    letters: str = LATIN

    @property
    def goal(self) -> Goal:
        return Goal(20 if self.size <= 50_000 else 40)


def measure_judge_screen(work: Path) -> None:
    """Print how long the first document takes, and the next one after a grade."""
    print("command `judge` to the first painted document (ms)")
    folder = work / "thousand"
    folder.mkdir()
    load_big(folder / "campaign.db", write_big(folder, SMALL))
    _starts_beside_textual(folder)
    print("\ngrade key to the next document painted, nothing more being drawn (ms)")
    for place, (name, shape) in enumerate(DOCUMENTS.items()):
        path = work / f"{place}.db"
        build(path, work, shape)
        with judging(path, "bench") as terminal:
            wait(terminal, TOKEN)
            quiet(terminal)
            report(name, [pressed(terminal, "2") for _ in range(KEYS)], shape.goal)
        path.unlink()
    print()


def _starts_beside_textual(folder: Path) -> None:
    """Starts of ours and of an app that shows one line, in turn: the same machine, the same time.

    What the library takes to be imported and to paint anything is beyond our reach.
    """

    def bare() -> Terminal:
        argv = [sys.executable, str(PROCESSES / "one_line_app.py")]
        return Terminal(argv, cwd=folder, size=SIZE, draw=False, copied=False)

    def ours() -> Terminal:
        return judging(folder / "campaign.db", "bench")

    turns = [(start(ours), start(bare)) for _ in range(STARTS + 1)][1:]
    report(f"{SMALL.pairs:,} pairs", [ours for ours, _ in turns], Goal(350, "median"))
    report("an app of Textual with one line", [bare for _, bare in turns])
    ratio = statistics.median(ours.passed / bare.passed for ours, bare in turns)
    print(f"  ours takes {ratio:.2f} times as long")


def write_documents(path: Path, shape: _Shape, count: int) -> None:
    """As many documents as JSON lines; the first line of each has its token."""
    generator = random.Random(SEED)
    words = _words(generator, shape.letters)
    with path.open("w") as file:
        for i in range(count):
            some = generator.choices(words, k=shape.size // 6)
            text = shape.write(f"TOK{i:06d}", some)[: shape.size]
            file.write(json.dumps({"doc_id": f"d{i}{shape.suffix}", "text": text}) + "\n")


def build(path: Path, work: Path, shape: _Shape) -> None:
    """One query with a document for each key to be pressed."""
    count = KEYS + 2
    (work / "q.tsv").write_text("q1\trelevance judgments of pooled documents\n")
    (work / "r.run").write_text(
        "".join(f"q1 Q0 d{i}{shape.suffix} {i + 1} {count - i} r\n" for i in range(count))
    )
    write_documents(work / "d.jsonl", shape, count)
    with create_campaign(path, name="bench", scale=DEFAULT_SCALE, seed=SEED) as campaign:
        load_queries(campaign, work / "q.tsv")
        load_run(campaign, work / "r.run", depth=count)
        load_document_files(campaign, [work / "d.jsonl"])
        extend_pool(campaign, depth=count)


def _words(generator: random.Random, letters: str) -> list[str]:
    """Made-up words, and some of the query's."""
    made = ["".join(generator.choices(letters, k=generator.randint(2, 10))) for _ in range(500)]
    return made + ["relevance", "judgment", "documents"] * 5


def _one_line(token: str, words: list[str]) -> str:
    return f"{token} {' '.join(words)}"


def _markdown(token: str, words: list[str]) -> str:
    """Headings, lists, emphasis, links and fenced code, paragraph after paragraph."""
    shapes = (
        "## {0} {1}\n\n",
        "{0} **{1}** {2} *{3}* `{4}` [{5}](https://example.org/{6}) {7}.\n\n",
        "- {0} {1} {2}\n- {3} {4}\n  - {5} {6}\n\n",
        "```python\ndef {0}({1}):\n    return {2}\n```\n\n",
        "> {0} {1} {2} {3}\n\n",
    )
    return f"# {token}\n\n{_filled(shapes, words)}"


def _html(token: str, words: list[str]) -> str:
    """A page of headings, paragraphs, lists and a table."""
    shapes = (
        "<h2>{0} {1}</h2>\n",
        '<p>{0} <b>{1}</b> {2} <a href="/{3}">{4}</a> &amp; {5} {6} {7}</p>\n',
        "<ul><li>{0} {1}</li><li>{2}</li></ul>\n",
        "<table><tr><td>{0}</td><td>{1}</td></tr></table>\n",
    )
    return f"<html><body><h1>{token}</h1>\n{_filled(shapes, words)}"


def _code(token: str, words: list[str]) -> str:
    """Python: comments, strings, numbers, functions."""
    shapes = (
        "def {0}_{1}({2}: int, {3}: str = '{4}') -> None:\n",
        "    # {0} {1} {2} {3}\n",
        "    {0} = {1}.{2}({3}, 42) + [{4} for {4} in range(10)]\n",
        '    if {0} and not {1}:\n        raise ValueError(f"{2} {{{3}}}")\n',
        "    return {0}\n\n\n",
    )
    return f"# {token}\n\n{_filled(shapes, words)}"


def _filled(shapes: tuple[str, ...], words: list[str]) -> str:
    """The shapes in turn, eight words for each."""
    return "".join(
        shapes[at // 8 % len(shapes)].format(*words[at : at + 8])
        for at in range(0, len(words) - 8, 8)
    )


DOCUMENTS: Mapping[str, _Shape] = {
    "2 KB": _Shape(2_000, _one_line),
    "50 KB": _Shape(50_000, _one_line),
    "50 KB accented": _Shape(50_000, _one_line, letters=LATIN + "éèàçüöß"),
    "50 KB Chinese": _Shape(50_000, _one_line, letters=HAN),
    "50 KB of Markdown": _Shape(50_000, _markdown, ".md"),
    "50 KB of HTML": _Shape(50_000, _html, ".html"),
    "50 KB of Python": _Shape(50_000, _code, ".py"),
    "1 MB on one line": _Shape(1_000_000, _one_line),
    "1 MB Chinese": _Shape(1_000_000, _one_line, letters=HAN),
    "1 MB of Markdown": _Shape(1_000_000, _markdown, ".md"),
    "1 MB of HTML": _Shape(1_000_000, _html, ".html"),
    "1 MB of Python": _Shape(1_000_000, _code, ".py"),
}
"""What the documents of a campaign are like; without a suffix, all of it is on one line."""
