"""The manual and the README: every example runs, every link leads somewhere, and all of it is
short. `pytest tests/manual -k pools` tries the page pools.md.

A block of commands (sh) runs line by line: each exits with 0, or as its comment `# exits with 1`
says. A command that would open the app is read and no more, but after `judge` ann and bob have
judged, and after `settle` lea has settled. A console block is what its commands print, and the
comments of a Python block are what it prints. A block below a line that ends in `NAME`: becomes
that file. Each page has a new copy of the examples (examples.py), without campaign and qrels where
it begins with `judge-tui init`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from judge_tui import manual
from judge_tui.agreement.policies import POLICIES
from judge_tui.cli import NAMES
from judge_tui.collect import read_systems
from judge_tui.pooling.strategies import STRATEGIES
from judge_tui.tui.keys import all_bound, shown_key
from tests.as_typed import invoke
from tests.collect.server import serving
from tests.manual.examples import judge_the_pool, make_folder, settle_all
from tests.models.endpoint import vllm

ROOT = Path(__file__).parents[2]
PAGES = sorted(Path(manual.__file__).parent.glob("*.md"))
ALL = [ROOT / "README.md", *PAGES]
LARGEST = 12 * 1024
LONGEST = 30
WIDEST = 110
ENDPOINT = "http://localhost:8000"
JUDGED = "judge-tui export judgments -f jsonl"

each = pytest.mark.parametrize(
    "path", ALL, ids=lambda path: path.stem if path.parent != ROOT else "of-the-project"
)


class Block(NamedTuple):
    """A block of code: its language, its text, and the file that it becomes, "" where none."""

    language: str
    text: str
    file: str


def blocks(page: str) -> Iterator[Block]:
    for before, language, text in re.findall(
        r"([^\n]*)\n*^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL
    ):
        named = re.search(r"`([\w./-]+)`:$", before)
        yield Block(language, text, named[1] if named else "")


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    make_folder(folder)
    return folder


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The address of a model that finds everything relevant."""
    with serving() as server:
        server.completes = lambda _request: vllm("##final score: 2")
        yield server.url


@each
def test_examples_run(
    path: Path, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    shutil.copytree(examples, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_TUI_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("SEARCH_KEY", "secret")
    monkeypatch.setenv("CHAT_KEY", "secret")
    monkeypatch.setenv("JUDGE_KEY", "secret")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    here: dict[str, object] = {}
    found = list(blocks(path.read_text(encoding="utf-8")))
    commands = [line for one in found if one.language == "sh" for line in lines_of(one.text)]
    if commands and commands[0].startswith("judge-tui init"):
        Path("campaign.db").unlink()
        Path("qrels.txt").unlink()
    for one in found:
        if one.file:
            Path(one.file).parent.mkdir(parents=True, exist_ok=True)
            text = one.text.replace(ENDPOINT, endpoint)
            Path(one.file).write_text(text, encoding="utf-8")
        elif one.language == "sh":
            run_commands(one.text)
        elif one.language == "console":
            assert transcript(one.text) == one.text
        elif one.language == "python":
            run_python(one.text, here)
        elif one.language == "toml" and "[systems." in one.text:
            Path("shown.toml").write_text(one.text, encoding="utf-8")
            read_systems(Path("shown.toml"))


def lines_of(text: str) -> list[str]:
    return [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]


def run_commands(text: str) -> None:
    for line in lines_of(text):
        expected = re.search(r"# exits with (\d)", line)
        code, output = run(line)
        if "error: the app needs a terminal" in output:
            if line.startswith("judge-tui judge ") and '"judge": "' not in run(JUDGED)[1]:
                judge_the_pool()
            if line.startswith("judge-tui settle "):
                settle_all()
        else:
            assert code == int(expected[1] if expected else 0), f"{line}\n{output}"


def run(line: str) -> tuple[int, str]:
    """How the command ends, and what it prints."""
    words = shlex.split(line, comments=True)
    if words[1:2] == ["demo"]:  # it takes its time elsewhere
        return 0, ""
    assert words[0] == "judge-tui", line
    done = invoke(*words[1:])
    return done.exit_code, done.output


def transcript(text: str) -> str:
    return "".join(
        f"$ {command}\n{run(command)[1]}" for command in re.findall(r"^\$ (.*)", text, re.MULTILINE)
    )


def run_python(code: str, here: dict[str, object]) -> None:
    """Its tests, too; the comments are what is printed."""
    before = set(here)
    with redirect_stdout(StringIO()) as printed:
        exec(compile(code, "example", "exec"), here)
        for name in set(here) - before:
            if name.startswith("test_"):
                here[name]()  # type: ignore[operator]
    assert printed.getvalue().splitlines() == re.findall(r"^(?:.*  )?# (.*)$", code, re.MULTILINE)


def sentences(page: str) -> Iterator[str]:
    """Those of the prose: no code, tables or headings."""
    prose = re.sub(r"^```.*?^```$", "\n", page, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^(    .*|\|.*|#.*|!\[.*|<!--.*)$", "\n", prose, flags=re.MULTILINE)
    prose = re.sub(r"`[^`]+`", "code", re.sub(r"\]\([^)]*\)", "]", prose))
    for paragraph in re.split(r"\n\s*\n|\n(?=[-*] |\d+\. )", prose):
        yield from re.split(r"(?<=[.?!])\s+", " ".join(paragraph.split()))


@each
def test_pages_are_short(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert len(page.encode()) <= LARGEST
    assert not [one for one in sentences(page) if len(one.split()) > LONGEST]
    outside = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    assert not [
        line
        for line in outside.splitlines()
        if len(line) > WIDEST and not line.startswith(("|", "!", "    "))
    ]


@each
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).is_file(), target
        assert path.parent == ROOT or "/" not in target, "what is not in the package"


def test_contents_have_each_page_once() -> None:
    topics = [page.topic for page in manual.all_pages()]
    assert sorted([*topics, "README"]) == [path.stem for path in PAGES]
    links = re.findall(r"^- \[", (PAGES[0].parent / "README.md").read_text(), re.MULTILINE)
    assert len(links) == len(topics)


def test_the_page_of_the_code_names_what_is_there() -> None:
    page = (PAGES[0].parent / "code.md").read_text(encoding="utf-8")
    for name in re.findall(r"`([a-z_/]+(?:/|\.py|\.toml))`", page):
        assert (ROOT / name).exists() or (ROOT / "judge_tui" / name).exists(), name
    # What stands beside a module is in it, or a command.
    for part in re.split(r"\n(?=\||\d+\. )|\n\n(?!- )", page.split("\n## ", 1)[1]):
        modules = [module_of(path) for path in re.findall(r"`([a-z_/]+\.py)`", part)]
        for name in re.findall(r"`@?([A-Za-z_][\w.]*)`", part) if modules else ():
            there = any(has(module, name) for module in modules)
            assert there or name in NAMES or (ROOT / "judge_tui" / name).exists(), (name, part)


def module_of(path: str) -> ModuleType:
    above = "" if path.startswith("tests/") else "judge_tui."
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return import_module(f"{above}{name}")


def has(module: ModuleType, name: str) -> bool:
    """Whether the module has that name, of a class its field, too."""
    owner, _, field = name.partition(".")
    found = getattr(module, owner, None)
    fields = (*dir(found), *getattr(found, "__annotations__", ()))
    return found is not None and (not field or field in fields)


def test_tables_have_each_strategy_and_policy() -> None:
    pools, settle = ((PAGES[0].parent / f"{one}.md").read_text() for one in ("pools", "settle"))
    assert re.findall(r"^\| `--strategy (\w+)`", pools, re.MULTILINE) == [*STRATEGIES]
    policies = settle.split("| `--policy` |")[1].split("\n\n")[0]
    assert re.findall(r"`([a-z-]+)`", policies) == [*POLICIES]


@pytest.mark.parametrize("screen", ["judge", "settle", "results"])
def test_keys_of_a_screen_are_bound(screen: str) -> None:
    page = (Path(manual.__file__).parent / f"{screen}.md").read_text(encoding="utf-8")
    rows = page.split("| key | does |\n|---|---|\n")[1].split("\n\n")[0].splitlines()
    keys = {key for row in rows for key in re.findall(r"`([^`]+)`", row.split(" | ")[0])}
    elsewhere = ("document.", "app.", "table.")
    bound = {
        shown_key(key)
        for one in all_bound({})
        if one.id.startswith((f"{screen}.", *elsewhere))
        for key in one.keys
    }
    assert keys <= bound, keys - bound
