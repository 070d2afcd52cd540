"""`judge-tui demo`: from the files of a sample campaign to a verdict, by the commands one types."""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Literal

import click

from judge_tui.cli.commands import make_command, option
from judge_tui.cli.options import file_name
from judge_tui.errors import UsageError
from judge_tui.place import Place
from judge_tui.visible import visible_line

_SAMPLES = Path(__file__).parents[1] / "sample_runs"
_FILES = ("queries.jsonl", "guidelines.md", "runs", "grades")


@make_command(manual="first-campaign", examples=["demo", "demo -o try-it"])
@option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    default="demo",
    show_default=True,
    callback=file_name,
    help="The folder that everything is written into.",
)
def command(folder: str) -> None:
    """Go the whole way with a sample campaign: five systems, 50 queries, a model that judged twice.

    Each command is printed as it runs, with what matters of its output. Once you have judged a few
    documents, you see how good a judge a model is. Run it again to judge on; remove DIR to start
    over.
    """
    at = Path(folder)
    at.mkdir(parents=True, exist_ok=True)
    db, qrels, page = (str(at / name) for name in ("campaign.db", "qrels.txt", "report.html"))
    runs = [str(at / "runs" / run.name) for run in sorted(_SAMPLES.glob("runs/*.run"))]

    if not Path(qrels).exists():  # the first time, or what was interrupted
        _build(at, db, runs)
    else:
        click.echo("\nThe campaign is there already, and goes on.")
    _judge(db)
    _run("agreement", "--db", db, shows="table")
    # Where the sample judges differ and nobody settled it, no majority decides.
    _run("export", "qrels", "--db", db, "-o", qrels, "--unresolved", "skip", "--force")
    _run("compare", qrels, str(at / "runs"), "--baseline", "bm25", shows="table")
    _run("report", "--db", db, "-o", page, "--force", shows="all")
    model = _show_model(Path(db))

    program = "judge-tui" if shutil.which("judge-tui") else shlex.quote(sys.argv[0])
    click.echo(f"\nNext, beside {page} in a browser:")
    for words in (*model, "status", "settle --lead you", "results"):
        click.echo(f"    {program} --db {shlex.quote(db)} {words}")


def _build(at: Path, db: str, runs: list[str]) -> None:
    """The campaign, up to the grades of the sample judges; what is there of it already stays."""
    for name in _FILES:
        source, copy = _SAMPLES / name, at / name
        if source.is_dir():
            shutil.copytree(source, copy, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, copy)
    documents = at / "documents.jsonl"
    if not documents.exists():
        _make_documents(documents)
    if not Path(db).exists():
        about = ["--name", "Python documentation", "--guidelines", str(at / "guidelines.md")]
        _run("init", "--db", db, *about, "--seed", "2026", "--include-models")
    _run("load", "queries", "--db", db, str(at / "queries.jsonl"))
    _run("load", "run", "--db", db, *runs)
    _run("settings", "--db", db, "baseline", "bm25")
    _run("load", "docs", "--db", db, str(documents))
    _run("pool", "--db", db, "--depth", "10")
    for judge in ("assessor-a", "assessor-b"):
        grades = str(at / "grades" / f"{judge}.qrels")
        _run("load", "qrels", "--db", db, grades, "--judge", judge, "--kind", "model")


def _make_documents(path: Path) -> None:
    """The documentation of this Python, by a process that may import all of it."""
    import subprocess

    script = _SAMPLES / "make_documents.py"
    click.echo(f"\nThe documents are the docstrings of this Python ({sys.version.split()[0]}).")
    done = subprocess.run([sys.executable, script, "-o", path], check=False)  # noqa: S603 - our own
    if done.returncode:
        raise UsageError("the documents could not be made", f"see what {script} says above")


def _judge(db: str) -> None:
    from judge_tui.cli.app import is_terminal

    if is_terminal():
        click.echo(
            "\nThe app opens now: a digit grades, ? shows the keys, q goes on with the demo."
        )
        _run("judge", "--db", db, "--judge", "you", shows="all")
    else:
        click.echo("\nThere is no terminal here, so the app stays closed; the sample grades count.")


def _show_model(db: Place) -> list[str]:
    """Print what matters of `model report` on a sample judge; its words, once it has numbers."""
    from judge_tui.agreement.estimates import FEW_PAIRS
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.overview.model_study import studied_models
    from judge_tui.report.layout import number, short_number, span
    from judge_tui.scoring import parse_measure

    with open_campaign(db) as campaign:
        studies = studied_models(campaign, parse_measure("nDCG@10"), "majority")
    for study in studies:
        found, order = study.beside_final, study.order
        kappa = found.kappa_quadratic
        if kappa.value is None or order.tau is None:
            continue
        few = f": fewer than {FEW_PAIRS}, so uncertain" if found.pairs < FEW_PAIRS else ""
        within = f" (95 % interval {span(kappa.ci95)})" if kappa.ci95 else ""
        grades = f"{short_number(found.mean)}, people's {short_number(found.other_mean)}"
        lines = [
            f"\n{visible_line(study.judge)}, a model, beside people on {found.pairs:,} pairs{few}",
            f"    agreement   kappa quadratic {number(kappa.value)}{within}",
            f"    mean grade  {grades}",
            f"    systems     by {order.measure}: tau {number(order.tau)} (1: the same order)",
        ]
        click.echo("\n".join(lines))
        return [f"model report {shlex.quote(study.judge)}"]
    click.echo(
        "\nTo see what a model is worth as a judge, run this again and judge a few documents, good"
        " and bad."
    )
    return []


def _run(*words: str, shows: Literal["nothing", "table", "all"] = "nothing") -> None:
    """Print the command, run it, and show this of its output: `table` is the first one. A command
    that fails ends the demo."""
    from judge_tui.cli import cli

    click.echo(f"$ {shlex.join(['judge-tui', *words])}")
    printed, notes = io.StringIO(), io.StringIO()
    try:
        with ExitStack() as streams:
            if shows != "all":
                streams.enter_context(redirect_stdout(printed))
                streams.enter_context(redirect_stderr(notes))
            cli.main(list(words), prog_name="judge-tui")
    except SystemExit as end:
        if end.code:
            click.echo(notes.getvalue(), err=True, nl=False)
            raise
    if shows == "table":
        click.echo(printed.getvalue().partition("\n\n")[0].rstrip() + "\n")
