"""SQL stands in the store alone, and there in what SQLite and PostgreSQL both understand; what one
of them alone does stands in the modules about it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import judge_tui

ROOT = Path(judge_tui.__file__).parent
STORE = ROOT / "campaign" / "store"

ABOUT_SQLITE_FILES = {
    f"{name}.py" for name in ("sqlite", "campaign_file", "file_identity", "foreign_file", "schema")
}
ABOUT_POSTGRESQL = {"postgres.py", "postgres_connection.py", "postgres_schema.py", "grants.py"}
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

OF_POSTGRESQL_ALONE = re.compile(
    r"::\w|\bpg_|\bANY\(|string_agg|\bLISTEN\b|\bNOTIFY\b|\bGRANT\b|\bPOLICY\b|plpgsql"
    r"|\bCOPY \{|COLLATE|FOR UPDATE|current_schema|session_user",
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
        and node.attr in ("connection", "backend", "execute", "execute_many", "execute_later")
    ]
    assert (sql, reached) == ([], [])


@pytest.mark.parametrize(
    ("its_own", "about"),
    [(OF_SQLITE_ALONE, ABOUT_SQLITE_FILES), (OF_POSTGRESQL_ALONE, ABOUT_POSTGRESQL)],
    ids=["SQLite", "PostgreSQL"],
)
def test_what_one_of_them_has_of_its_own_stands_in_the_modules_about_it(its_own, about):
    found = {
        path.name
        for path, tree in modules(STORE)
        for _, text in texts(tree)
        if its_own.search(text)
    }
    assert found <= about
    assert found
