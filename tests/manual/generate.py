"""The parts of the manual that the program itself knows: `make docs` writes them below the line
`MARK` of their pages, and `test_generated.py` holds them equal."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from judge_tui import manual
from judge_tui.cli import COMMANDS, cli
from judge_tui.collect.settings import KINDS, Arm, Identify, ResultSettings, SystemSettings
from judge_tui.formats.registry import CALLED, FORMATS
from judge_tui.formats.writers import (
    COLLECTIONS,
    JUDGMENT_FORMS,
    POOL_FORMS,
    QRELS_FORMS,
    RUN_FORMS,
)
from judge_tui.models.settings import JudgeSettings
from judge_tui.report.measures import measures_report
from judge_tui.scoring.bounds import BOUNDS
from judge_tui.scoring.measures import MEASURES, TREC_EVAL
from judge_tui.tui.keys import all_bound, shown_key

FOLDER = Path(manual.__file__).parent
MARK = "<!-- What follows is written by `make docs`. -->"


def generated(topic: str) -> str:
    """The page as it should be: what stands above `MARK`, and what is generated."""
    above, mark, _ = (FOLDER / f"{topic}.md").read_text(encoding="utf-8").partition(MARK)
    return f"{above}{mark}\n\n{PAGES[topic]()}"


def table(headings: str, rows: Iterable[Iterable[str]]) -> str:
    cells = [[one.replace("|", "\\|") for one in row] for row in rows]
    lines = [headings.split(" | "), ["---"] * len(headings.split(" | ")), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def measures() -> str:
    known = [
        [code(written), code(also), what, "yes" if name in BOUNDS else "", code(trec)]
        for written, also, what, _, trec in measures_report().tables[0].rows
        for name in [re.split(r"[@\[]", written)[0]]
    ]
    sources = [
        [code(name), one.source] for name, one in MEASURES.items() if one.source != TREC_EVAL
    ]
    parameters = {
        (one.name, repr(one.default), one.allowed): [
            each.name for each in MEASURES.values() if one in each.parameters
        ]
        for each in MEASURES.values()
        for one in each.parameters
    }
    return "\n".join(
        [
            table("measure | also | what it is | bounds | in trec_eval", known),
            "## Sources\n",
            "All others are defined by trec_eval's code.\n",
            table("measure | defined by", sources),
            "## Parameters\n",
            table(
                "parameter | default | takes | of",
                [
                    [code(name), code(default), allowed, "most" if len(of) > 9 else ", ".join(of)]
                    for (name, default, allowed), of in parameters.items()
                ],
            ),
        ]
    )


def files() -> str:
    read = [
        part
        for kind, called in CALLED.items()
        for part in (
            f"## Read as {called}\n",
            table(
                "format | what a line or a record holds",
                [[code(one.name), code(one.summary)] for one in FORMATS if one.kind == kind],
            ),
        )
    ]
    written = [
        [code(f"export {command}"), code(name), _lost(command, form)]
        for command, forms in (
            ("qrels", QRELS_FORMS),
            ("run", RUN_FORMS),
            ("judgments", JUDGMENT_FORMS),
            ("pool", POOL_FORMS),
            ("collection", COLLECTIONS),
        )
        for name, form in forms.items()
    ]
    return "\n".join([*read, "## Written\n", table("command | -f | cannot carry", written)])


def _lost(command: str, form: Any) -> str:
    """What the form has no place for."""
    lost = []
    if getattr(form, "by_text", False):
        lost.append("ids of queries: their texts stand for them")
    if command == "run" and not (form.has_nothing_found or form.has_grades):
        lost.append("queries that found nothing")
    if command == "judgments":
        for who, takes in (("people's", form.people), ("models'", form.models)):
            without = [one for one in ("grade", "skip", "cannot") if one not in takes]
            if without:
                lost.append(f"{who} {' and '.join(without)}")
        if form.greatest < 9:
            lost.append(f"grades above {form.greatest}")
    if getattr(form, "wants_text", False) or getattr(form, "in_fields", False):
        lost.append("documents without a text")
    return "; ".join(lost)


def commands() -> str:
    parts = []
    for heading, names in COMMANDS.items():
        parts += [f"## {heading}\n"]
        for name in names:
            for called, command in _with_those_below(name):
                options = sorted(
                    (max(option.opts, key=len) for option in command.params if _is_own(option)),
                    key=str,
                )
                what = (command.help or "").split("\n\n")[0].replace("\n", " ")
                shown = ", ".join(map(code, options)) or "none"
                lines = textwrap.fill(
                    f"Options: {shown}",
                    100,
                    initial_indent="  ",
                    subsequent_indent="  ",
                    break_on_hyphens=False,
                )
                parts += [f"- `{_usage(called, command)}`  \n  {what}  \n{lines}"]
        parts += [""]
    return "\n".join(parts)


def _with_those_below(name: str) -> Iterator[tuple[str, click.Command]]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield name, command
    for below, one in getattr(command, "commands", {}).items():
        yield f"{name} {below}", one


def _is_own(param: click.Parameter) -> bool:
    return isinstance(param, click.Option) and not param.hidden


def _usage(name: str, command: click.Command) -> str:
    context = click.Context(command, info_name=name)
    words = [
        word
        for param in command.params
        if isinstance(param, click.Argument)
        for word in param.get_usage_pieces(context)
    ]
    return " ".join(["judge-tui", name, *words])


def systems() -> str:
    parts: dict[str, type[BaseModel]] = {
        "Every kind": SystemSettings,
        "How the results are found: http and command": ResultSettings,
        **{f'kind = "{name}"': model for name, model in KINDS.items()},
        "An arm of a task": Arm,
        "identify": Identify,
    }
    written = []
    for heading, model in parts.items():
        above = {SystemSettings, ResultSettings} & {*model.__mro__[1:]}
        known = {"kind", *(name for one in above for name in one.model_fields)}
        rows = [
            [code(name), _takes(schema), _default(schema), schema["description"]]
            for name, schema in model.model_json_schema()["properties"].items()
            if name not in known
        ]
        written += [f"## {heading}\n", table("setting | takes | default | what it does", rows)]
    return "\n".join(written)


def model_settings() -> str:
    rows = [
        [code(name), _takes(schema), _default(schema), schema["description"]]
        for name, schema in JudgeSettings.model_json_schema()["properties"].items()
    ]
    return "\n".join(["## judges.toml\n", table("setting | takes | default | what it does", rows)])


_CALLED = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "array": "list",
    "object": "table",
}


def _takes(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(map(code, schema["enum"]))
    for one in schema.get("anyOf", []):  # the other is null
        return _takes(one)
    return _CALLED.get(schema.get("type", "object"), "table")


def _default(schema: dict[str, Any]) -> str:
    found = schema.get("default", "needed" if "anyOf" not in schema else "")
    if found in (None, {}, "", "needed"):
        return found or ""
    return code(json.dumps(found).strip('"'))


def keys() -> str:
    rooms: dict[str, dict[str, tuple[list[str], list[str]]]] = {}
    for one in all_bound({}):
        if one.what:
            shown, ids = rooms.setdefault(one.room, {}).setdefault(one.what, ([], []))
            shown += map(code, map(shown_key, one.keys))
            ids.append(code(one.id))
    return "\n".join(
        part
        for room, bound in rooms.items()
        for part in (
            f"### {room}\n",
            table(
                "key | does | id",
                [[_few(shown), what, _few(ids)] for what, (shown, ids) in bound.items()],
            ),
        )
    )


def _few(names: list[str]) -> str:
    return " ".join(names) if len(names) <= 4 else f"{names[0]} … {names[-1]}"


PAGES: dict[str, Callable[[], str]] = {
    "measures": measures,
    "files": files,
    "commands": commands,
    "systems": systems,
    "asking-models": model_settings,
    "configuration": keys,
}

if __name__ == "__main__":
    for topic in PAGES:
        (FOLDER / f"{topic}.md").write_text(generated(topic), encoding="utf-8")
