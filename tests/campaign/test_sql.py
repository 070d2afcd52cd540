"""SQL stands in the store alone, and there in what SQLite and PostgreSQL both understand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import judge_tui

ROOT = Path(judge_tui.__file__).parent
STORE = ROOT / "campaign" / "store"

ABOUT_SQLITE_FILES = {
    f"{name}.py" for name in ("sqlite", "campaign_file", "file_identity", "foreign_file", "schema")
}
SQL = re.compile(
    r"\s*(SELECT\b.|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TEMP |UNIQUE )?\w+ |DROP |"
    r"ALTER |PRAGMA|ATTACH|BEGIN|COMMIT|ROLLBACK|WITH (RECURSIVE )?\w+ (\(|AS))"
    r"|.*\bSELECT\b.*\bFROM\b",
    re.DOTALL,
)
OF_SQLITE_ALONE = re.compile(
    r"json_each|json_extract|INSERT OR |CROSS JOIN|group_concat|\biif\(|\btotal\(|\?1|\browid\b"
    r"|\bGLOB\b|AS BLOB|PRAGMA|sqlite_schema|\+\w\.\w",
)


def modules(folder: Path) -> list[tuple[Path, ast.Module]]:
    return [(path, ast.parse(path.read_text())) for path in folder.rglob("*.py")]


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts of a module that are no docstrings, with their lines; of an f-string, its parts."""
    told = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            yield node.lineno, node.value


def test_no_module_above_the_store_holds_sql_or_reaches_past_the_campaign():
    above = [(path, tree) for path, tree in modules(ROOT) if STORE not in path.parents]
    sql = [
        f"{path}:{line}" for path, tree in above for line, text in texts(tree) if SQL.match(text)
    ]
    reached = [
        f"{path}:{node.lineno}"
        for path, tree in above
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in ("connection", "backend", "execute", "execute_many")
    ]
    assert (sql, reached) == ([], [])


def test_what_sqlite_has_of_its_own_stands_in_the_modules_about_its_files():
    found = [
        f"{path.name}:{line}: {text[:60]!r}"
        for path, tree in modules(STORE)
        if path.name not in ABOUT_SQLITE_FILES
        for line, text in texts(tree)
        if OF_SQLITE_ALONE.search(text)
    ]
    assert found == []
