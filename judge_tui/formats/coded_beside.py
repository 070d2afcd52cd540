"""Whether the ids in a table have the codes of the qrels beside it: what the provenance of an
exported collection says of its other files, which cannot say it themselves."""

from __future__ import annotations

import os
from pathlib import Path

from judge_tui.formats.compression import ENDINGS
from judge_tui.formats.source import STDIN

__all__ = ["CODED", "PROVENANCE", "ids_are_coded"]

PROVENANCE = ".provenance.json"
"""What the file beside exported qrels has behind their name."""

CODED = "coded_ids"
"""Its key for the names of the files beside the qrels whose ids are written as in these
(`ids.encode_id`)."""


def ids_are_coded(path: str | os.PathLike[str]) -> bool:
    """Whether some provenance in the folder of that file says so; a compressed one is the file that
    it was made from. What cannot be read there says nothing."""
    file = Path(path)
    if os.fspath(path) == STDIN:
        return False
    names = {file.name, file.stem if file.suffix in ENDINGS else file.name}
    return any(not names.isdisjoint(_named_in(one)) for one in file.parent.glob(f"*{PROVENANCE}"))


def _named_in(provenance: Path) -> list[str]:
    import json  # noqa: PLC0415 - start-up is counted, and few folders hold a provenance

    try:
        said = json.loads(provenance.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    named = said.get(CODED) if isinstance(said, dict) else None
    return [one for one in named if isinstance(one, str)] if isinstance(named, list) else []
