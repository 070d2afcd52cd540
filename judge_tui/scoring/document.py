"""Scores as JSON has them: `Scores.to_dict`, of which `judge-tui score -f json` is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judge_tui.scoring.scores import NO_COMPOSITE, Rules, RunScores, Scores

if TYPE_CHECKING:
    from judge_tui.scoring.slices import Slices

__all__ = ["document_of", "settings_of"]


def document_of(scores: Scores, *, per_query: bool, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The whole result; floats at full precision. `settings` are told beside those of the scores.

    What is undefined is None, with the reason under `why`.
    """
    document: dict[str, Any] = {
        "schema_version": 1,
        "measures": [str(measure) for measure in scores.measures],
        "settings": {
            **settings_of(scores.rules),
            **settings,
        },
        "runs": [_run(run, scores, per_query=per_query) for run in scores.runs],
        "warnings": [*map(str, scores.warnings)],
    }
    if scores.slices is not None:
        document["settings"]["by"] = scores.slices.by
        for place, entry in enumerate(document["runs"]):
            _add_slices(entry, place, scores.slices)
    return document


def settings_of(rules: Rules) -> dict[str, Any]:
    """The rules; `ignore_self` where it holds."""
    return {
        name: value for name, value in rules._asdict().items() if value or name != "ignore_self"
    }


def _run(run: RunScores, scores: Scores, *, per_query: bool) -> dict[str, Any]:
    names = [str(measure) for measure in scores.measures]
    entry: dict[str, Any] = {
        "tag": run.tag,
        "queries": len(run.query_ids),
        "missing": {"run": len(run.missing_run), "qrels": len(run.missing_qrels)},
        "mean": {name: run.mean_or_none(name) for name in names},
    }
    if names and not run.query_ids:
        entry["why"] = {"mean": f"the run answers no query of the {scores.grounds}"}
    if per_query:
        entry["per_query"] = {
            query_id: {
                str(measure): value
                for measure in scores.measures
                if (value := run.value(measure, place)) is not None
            }
            for place, query_id in enumerate(run.query_ids)
        }
    if run.bounds is not None:
        entry["bounds"] = {
            name: None if name not in run.bounds else list(run.bounds[name]) for name in names
        }
        if None in entry["bounds"].values():
            from judge_tui.scoring.bounds import without_bounds  # noqa: PLC0415 - seldom asked for

            entry["why"] = {"bounds": without_bounds(scores.measures)}
    return entry


def _add_slices(entry: dict[str, Any], place: int, slices: Slices) -> None:
    """The slices of one run, and where there is no composite, its means and foreign values out."""
    entry["slices"] = {
        one.name: {
            "queries": len(run.query_ids),
            "missing": {"run": len(run.missing_run), "qrels": len(run.missing_qrels)},
            "mean": {str(m): run.mean_or_none(m) for m in one.measures},
        }
        for one in slices.slices
        for run in [one.runs[place]]
    }
    if slices.composite:
        return
    entry["mean"] = None
    entry["why"] = {"mean": NO_COMPOSITE}
    for query_id, values in entry.get("per_query", {}).items():
        own = map(str, slices.of(query_id).measures)
        entry["per_query"][query_id] = {name: values[name] for name in own if name in values}
