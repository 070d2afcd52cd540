"""The final grades as qrels, and beside them where they came from."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge_tui.campaign.exporting import Exported
from judge_tui.campaign.exporting.same_texts import refuse_same_texts
from judge_tui.campaign.overview.grading import final_grades, refuse_unresolved
from judge_tui.campaign.store.adjudication import settled_by
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import models_count
from judge_tui.campaign.store.opening import SCHEMA_VERSION
from judge_tui.campaign.store.queries import all_queries
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.run_paths import provenance_beside
from judge_tui.formats.writers import QRELS_FORMS, GradedQuery, QrelsToWrite
from judge_tui.formats.writing import (
    as_named,
    bytes_of,
    refuse_target,
    write_atomically,
    write_text,
)
from judge_tui.model import Qrels
from judge_tui.version import __version__

__all__ = ["export_qrels"]


def export_qrels(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    policy: str = "majority",
    unresolved: str = "refuse",
    include_models: bool | None = None,
    form: str = "trec",
    index: str | None = None,
) -> Exported:
    """Write the final grades to `path` as qrels, and `path`.provenance.json beside it.

    `form` is one of `QRELS_FORMS`, of which some need the name of an `index`. Compressed where
    `path` ends with .gz. `unresolved`: `refuse` raises `UsageError` where the policy does not
    decide a pair that was judged, `skip` leaves such pairs out, `lead` takes only adjudicated and
    undisputed pairs. Pairs that nobody judged are left out and counted.
    """
    _refuse_target(path)
    with campaign.reading():
        final = final_grades(
            campaign,
            policy=policy,
            undisputed_only=unresolved == "lead",
            include_models=include_models,
        )
        if unresolved == "refuse":
            refuse_unresolved(campaign, final, policy)
        judges = _judges(campaign)
        leads = {} if policy.startswith("judge:") else settled_by(campaign)
        texts = {query.query_id: query.text for query in all_queries(campaign)}
    content = as_named(path, _content(form, final.qrels, texts, index or ""))
    counts = {"queries": len(final.qrels), "pairs": sum(map(len, final.qrels.values()))}
    settings = campaign.settings
    provenance = {
        "schema_version": 1,
        "judge_tui": __version__,
        "campaign": {
            "name": settings.name,
            "seed": settings.seed,
            "scale": {str(grade): label for grade, label in settings.scale.labels.items()},
            "schema_version": SCHEMA_VERSION,
        },
        "judges": judges,
        "settled_by": [{"name": name, "pairs": pairs} for name, pairs in leads.items()],
        "counts": {
            **counts,
            "rules": final.rules,
            "unresolved": len(final.unresolved),
            "not_judged": len(final.unjudged),
        },
        "format": form,
        "policy": policy,
        "unresolved": unresolved,
        "include_models": models_count(campaign, include_models),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    _write_both(path, content, provenance)
    return Exported(
        {
            "pairs": counts["pairs"],
            "queries": counts["queries"],
            **final.rules,
            "left out: unresolved": len(final.unresolved),
            "left out: not judged": len(final.unjudged),
        }
    )


def _content(form: str, qrels: Qrels, texts: Mapping[str, str], index: str) -> bytes:
    how = QRELS_FORMS[form]
    if how.needs_index and not index:
        raise UsageError(f"{form} names the index of the documents", "give it with --index NAME")
    if how.by_text:
        with_ids = (name for name, other in QRELS_FORMS.items() if not other.by_text)
        refuse_same_texts({query_id: texts[query_id] for query_id in qrels}, form, with_ids)
    queries = [
        GradedQuery(query_id, folded_text(texts[query_id]), dict(sorted(grades.items())))
        for query_id, grades in sorted(qrels.items())
    ]
    return bytes_of(how.lines(QrelsToWrite(queries, index)))


def _judges(campaign: Campaign) -> list[dict[str, Any]]:
    rows = campaign.rows(
        "SELECT j.name, j.kind, count(x.pair) FROM judges AS j"
        " LEFT JOIN decisions AS x ON x.judge = j.id AND x.action = 'grade'"
        " WHERE j.removed = 0 GROUP BY j.id ORDER BY j.name"
    )
    return [{"name": name, "kind": kind, "grades": grades} for name, kind, grades in rows]


def _refuse_target(path: str | os.PathLike[str]) -> None:
    """Before either file is written: no provenance is to be there without its qrels."""
    name = os.fspath(path)
    if name == "-" or name.startswith(("/proc/", "/dev/fd/")) or str(Path(name).parent) == "/dev":
        raise UsageError(
            f"beside {name} there is no place for where the qrels come from",
            "give a file with -o FILE",
        )
    if Path(path).exists() and not Path(path).is_file():
        raise InputError(path, None, "is no plain file", "give one with -o FILE")
    refuse_target(path)
    refuse_target(provenance_beside(path))


def _write_both(path: str | os.PathLike[str], content: bytes, provenance: dict[str, Any]) -> None:
    """The provenance, then the file; where that fails, the provenance is as it was."""
    beside = provenance_beside(path)
    before = beside.read_text(encoding="utf-8") if beside.is_file() else None
    write_text(json.dumps(provenance, indent=2, ensure_ascii=False) + "\n", beside)
    try:
        write_atomically(path, [content])
    except BaseException:
        if before is None:
            beside.unlink()
        else:
            write_text(before, beside)
        raise
