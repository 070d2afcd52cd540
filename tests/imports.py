"""What a fresh process imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import judge_tui

_ROOT = Path(judge_tui.__file__).parent


def imported_by(code: str) -> set[str]:
    """The modules that it has when `code` is done, and did not have as it began."""
    whole = (
        f"import sys\nbefore = {{*sys.modules}}\n{code}\n"
        "print(*{*sys.modules} - before, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def ours(names: set[str]) -> set[str]:
    """Those of them that are our own, by their names within the package."""
    return {name.removeprefix("judge_tui.") for name in names if name.startswith("judge_tui.")}


def modules_of(*beginnings: str) -> set[str]:
    """Our modules whose names begin so; there is one for each beginning."""
    files = (path.relative_to(_ROOT).with_suffix("") for path in _ROOT.rglob("*.py"))
    names = {".".join(path.parts).removesuffix(".__init__") for path in files}
    for beginning in beginnings:
        assert any(name.startswith(beginning) for name in names), beginning
    return {name for name in names if name.startswith(beginnings)}
