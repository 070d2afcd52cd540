"""Whether a result can be compared with an earlier one: refused, with the reason, if it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judge_tui.baseline.fingerprint import grades_digest, qrels_sha256
from judge_tui.baseline.saved import SavedScores
from judge_tui.errors import InputError
from judge_tui.model import Qrels
from judge_tui.scoring import Measure, Scores

__all__ = [
    "graded_otherwise",
    "refuse_missing_measures",
    "refuse_missing_runs",
    "refuse_missing_values",
    "refuse_other_settings",
    "refuse_without_slices",
]

_OPTIONS = {
    "complete": "--complete",
    "judged_only": "--judged-only",
    "depth": "--max-results",
    "score_precision": "--score-precision",
    "credit": "--credit",
}


def graded_otherwise(earlier: SavedScores, qrels: Qrels, *, by_place: bool) -> Sequence[str] | None:
    """The queries of both whose grades are others than those that the earlier result was made with,
    whatever file these are in, and whatever ids queries have by now that are known by their texts;
    None where some grades are others and the result does not tell whose: it is of an earlier
    version, or does not say what stood at the places that ids are (`by_place`)."""
    then = {earlier.ids_then.get(query_id, query_id): its for query_id, its in qrels.items()}
    if len(then) == len(qrels) and earlier.qrels_sha256 == qrels_sha256(then):
        return ()
    if by_place or not earlier.grades:
        return None
    both = (query_id for query_id in qrels if query_id in earlier.grades)
    return [one for one in both if earlier.grades[one] != grades_digest(qrels[one])]


def refuse_other_settings(earlier: SavedScores, settings: Mapping[str, Any]) -> None:
    """Raise `InputError` where a setting that every value depends on was another one."""
    for name, option in _OPTIONS.items():
        was, value = earlier.settings.get(name), settings.get(name)
        if was != value:
            raise InputError(
                earlier.path,
                None,
                f"it was made with {option} {_told(was)}, not {_told(value)}",
                "score with the same options, or save it again",
            )


def refuse_missing_measures(
    earlier: SavedScores, measures: Iterable[Measure], *, unlike: str = ""
) -> None:
    """Raise `InputError` where the earlier result has no values by one of the measures; `unlike`:
    the field by which these are those of slices."""
    missing = [str(measure) for measure in measures if measure not in earlier.measures]
    if missing:
        raise InputError(
            earlier.path,
            None,
            f"it holds no {', '.join(missing)}, but {', '.join(map(str, earlier.measures))}",
            f"save it again with --by {unlike}"
            if unlike
            else "ask for those with -m, or save it again",
        )


def refuse_without_slices(earlier: SavedScores) -> None:
    """Raise `InputError` where the queries of the earlier result have unlike measures, and nobody
    asks for the slices that these are of."""
    if earlier.by:
        raise InputError(
            earlier.path,
            None,
            f"it was saved by {earlier.by}, each with measures of its own, and has no value over"
            " all queries",
            f"add --by {earlier.by}, or save it again without",
        )


def refuse_missing_values(
    earlier: SavedScores, scores: Scores, over_all: Iterable[Measure] = ()
) -> None:
    """Raise `InputError` where a query of both results has no earlier value by a measure of its
    slice as it is now, or by one of those that are asked for `over_all` queries."""
    cut = scores.slices
    own = {} if cut is None or cut.composite else {one.name: one.measures for one in cut.slices}
    for was in earlier.runs if earlier.by else ():
        now = {*scores[was.tag].query_ids} if was.tag in scores else ()
        for query_id in was.query_ids:
            asked = scores.measures
            if cut is not None and own:
                asked = own.get(cut.of_query.get(query_id, ""), ())
            for measure in (*asked, *over_all):
                if query_id in now and was.value(str(measure), query_id) is None:
                    raise InputError(
                        earlier.path,
                        None,
                        f"it holds no {measure} of query {query_id!r}, whose {earlier.by} then had"
                        " other measures",
                        f"score the earlier run by what each {earlier.by} is now and save that, or"
                        " leave the query where it was",
                    )


def refuse_missing_runs(earlier: SavedScores, tags: Iterable[str]) -> None:
    """Raise `InputError` where the earlier result does not hold one of the runs."""
    missing = [tag for tag in tags if earlier.run(tag) is None]
    if missing:
        raise InputError(
            earlier.path,
            None,
            f"it holds no run {', '.join(map(repr, missing))}, "
            f"but {', '.join(repr(run.tag) for run in earlier.runs)}",
            "leave that run out, or save the result again with it",
        )


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "unset" if value is None else f"{value!s:.20}"
