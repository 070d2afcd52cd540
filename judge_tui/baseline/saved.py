"""The file of a saved result: JSON with every query's value, the same bytes for the same result."""

from __future__ import annotations

import math
import os
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from judge_tui.baseline.fingerprint import grades_digest, qrels_sha256
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Qrels, Query, tag_meant
from judge_tui.scoring import Measure, Scores, parse_measure
from judge_tui.scoring.class_terms import class_called
from judge_tui.version import __version__

__all__ = ["SavedRun", "SavedScores", "read_saved", "saved_text"]

SCHEMA_VERSION = 1

_TEXTS = {"texts": False, "texts_by_id": True}
"""By the name of what queries ask: whether their file gives them ids. A file may lack either: one
of an earlier version has the first alone."""

_AGAIN = "save it again: judge-tui score ... --save"


@dataclass(frozen=True, slots=True)
class SavedRun:
    """One run of a saved result.

    `query_ids`: the queries averaged over, ascending; `values`: name of the measure -> one value a
    query, aligned with them, NaN for one that its slice is not measured by (`SavedScores.usual`);
    `in_vain`: for how many of these the run had no result;
    `without_results`: which ones these are, none where the file tells their number alone.
    """

    tag: str
    query_ids: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    in_vain: int = 0
    without_results: tuple[str, ...] = ()

    def value(self, measure: str, query_id: str) -> float | None:
        """The value of one query, if it was averaged and has one by that measure."""
        place = bisect_left(self.query_ids, query_id)
        there = place < len(self.query_ids) and self.query_ids[place] == query_id
        value = self.values[measure][place] if there and measure in self.values else math.nan
        return None if math.isnan(value) else value

    def values_of(self, measure: str) -> dict[str, float]:
        """query_id -> value, of those that have one by that measure."""
        if measure not in self.values:
            return {}
        found = zip(self.query_ids, self.values[measure], strict=True)
        return {query_id: value for query_id, value in found if not math.isnan(value)}

    def without(self, query_ids: Collection[str]) -> SavedRun:
        """The run over all its queries but these."""
        left = [at for at, query_id in enumerate(self.query_ids) if query_id not in query_ids]
        return self if len(left) == len(self.query_ids) else self._at(left)

    def mean(self, measure: Measure) -> float:
        """What the measure makes of all queries, as it stood when the result was saved."""
        return measure.definition.average([*self.values_of(str(measure)).values()])

    def mean_or_none(self, measure: Measure) -> float | None:
        """The same, but None where there was no query to average over."""
        return self.mean(measure) if self.values_of(str(measure)) else None

    def by_slice(self, names: Iterable[str], of_query: Mapping[str, str]) -> dict[str, SavedRun]:
        """The run over its queries of each of the slices of these names. `of_query`: query_id ->
        name of its slice; a query that is not in it is in none."""
        places: dict[str, list[int]] = {name: [] for name in names}
        for at, query_id in enumerate(self.query_ids):
            if query_id in of_query:
                places.setdefault(of_query[query_id], []).append(at)
        return {name: self._at(its) for name, its in places.items()}

    def _at(self, places: Sequence[int]) -> SavedRun:
        query_ids = tuple([self.query_ids[at] for at in places])
        nothing = tuple(sorted({*self.without_results}.intersection(query_ids)))
        return replace(
            self,
            query_ids=query_ids,
            values={m: tuple([values[at] for at in places]) for m, values in self.values.items()},
            in_vain=len(nothing),
            without_results=nothing,
        )


@dataclass(frozen=True, slots=True)
class SavedScores:
    """A result that was saved earlier, from the file `path`.

    `settings` are what every value depends on: `complete`, `judged_only`, `depth`,
    `score_precision` and, with answers in place of qrels, `credit`; `qrels_sha256` tells the
    grades that it was made with. `texts`: what the queries ask, as far as it was known, by id;
    `by_place`: those of these ids that stood for places in a file without ids; `classes`: that of
    each query, "" without one, empty where none was known to have any. `ids_then`: by the
    ids that queries have now which are known by their texts, those that they had then; `remarks`:
    what is to be told of ids and texts that are others now. `grades`: of each query what tells its
    grades from others (`grades_digest`), empty in a file of an earlier version.

    `by`: the field by which it was cut into slices of unlike measures, each query with those of its
    own, "" where all have the same; `usual`: those of slices that have none of their own, as asked
    for then.
    """

    path: str
    version: str
    qrels_sha256: str
    settings: Mapping[str, Any]
    measures: tuple[Measure, ...]
    runs: tuple[SavedRun, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    by_place: frozenset[str] = frozenset()
    classes: Mapping[str, str] = field(default_factory=dict)
    ids_then: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    by: str = ""
    usual: tuple[Measure, ...] = ()
    grades: Mapping[str, str] = field(default_factory=dict)

    def run(self, tag: str) -> SavedRun | None:
        """The run of that tag, if it was saved."""
        return next((run for run in self.runs if run.tag == tag), None)

    def named_as(self, tags: Iterable[str]) -> SavedScores:
        """The same, where a run that is called by one of these `tags` in another spelling
        (`model.tag_meant`), and by which no other is called, has that one."""
        own, now = [run.tag for run in self.runs], list(tags)
        meant = {tag: other for other in now if (tag := tag_meant(other, own)) not in (None, other)}
        return replace(
            self,
            runs=tuple(
                run if run.tag in now else replace(run, tag=meant.get(run.tag, run.tag))
                for run in self.runs
            ),
        )


def saved_text(
    scores: Scores,
    qrels: Qrels,
    settings: Mapping[str, Any],
    queries: Iterable[Query] = (),
    usual: Iterable[Measure] = (),
) -> str:
    """The text of the file: what `score -q -f json` prints, what it was made from, and of each run
    `in_vain`, the queries without results that counted; and what the `queries` ask, apart for those
    that have ids of their own, and their classes.

    `settings` and `usual` as in `SavedScores`. No date and no path: the same result gives the same
    bytes. The checksum is over everything else in the file, so that a value changed by hand does
    not pass.
    """
    import json  # noqa: PLC0415 - start-up is counted

    # Neither bounds nor slices are compared, and the file is the same without them, but that a
    # query of unlike slices has the measures of its own.
    unlike = scores.slices if scores.slices is not None and not scores.slices.composite else None
    bare = replace(
        scores, runs=tuple(replace(run, bounds=None) for run in scores.runs), slices=unlike
    )
    shown = bare.to_dict(per_query=True)
    for entry, run in zip(shown["runs"], scores.runs, strict=True):
        entry.pop("slices", None)
        entry["in_vain"] = list(run.without_results)
    document = {
        "schema_version": SCHEMA_VERSION,
        "judge_tui": __version__,
        "qrels_sha256": qrels_sha256(qrels),
        "grades": {query_id: grades_digest(qrels[query_id]) for query_id in sorted(qrels)},
        "measures": shown["measures"],
        "settings": dict(settings),
        "runs": shown["runs"],
        "warnings": shown["warnings"],
    }
    if unlike is not None:
        document |= {"by": unlike.by, "usual": [str(measure) for measure in usual]}
    graded = [one for one in queries if one.query_id in qrels]
    for name, own_id in _TEXTS.items():
        asked = (one for one in graded if one.own_id == own_id and one.text.strip())
        if texts := {one.query_id: one.text for one in asked}:
            document[name] = texts
    if any(one.query_class for one in graded):
        document["classes"] = {one.query_id: class_called(one.query_class) for one in graded}
    document["checksum"] = _checksum(document)
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def read_saved(path: str | os.PathLike[str]) -> SavedScores:
    """Read what `saved_text` wrote.

    Raises `InputError` for a file that cannot be read, is no saved result, was changed since, or
    holds measures that this version does not know.
    """
    from judge_tui.formats import read_text  # noqa: PLC0415 - as above

    document = _parsed(path, read_text(path))
    if not isinstance(document, dict) or "checksum" not in document:
        raise InputError(
            path,
            None,
            "this is not a result that judge-tui saved",
            "give a file that was written by judge-tui score --save",
        )
    version = document.get("schema_version")
    if version != SCHEMA_VERSION:
        raise InputError(
            path,
            None,
            f"its schema_version is {version!r:.40}, this judge-tui knows {SCHEMA_VERSION}",
            _AGAIN,
        )
    checksum = document.pop("checksum")
    if checksum != _checksum(document):
        raise InputError(
            path, None, "the file was changed after it was saved", f"take it back, or {_AGAIN}"
        )
    try:
        return _saved(path, document)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        # Its checksum is right, so that judge_tui did not write it, or not this one.
        raise InputError(
            path, None, "the file does not hold what a saved result holds", _AGAIN
        ) from error


def _saved(path: str | os.PathLike[str], document: Mapping[str, Any]) -> SavedScores:
    measures = tuple(_measure(path, name) for name in document["measures"])
    complete = bool(document["settings"]["complete"])
    by = str(document.get("by", ""))
    runs = tuple(
        _run(run, measures, complete=complete, unlike=bool(by)) for run in document["runs"]
    )
    version, sha256 = document["judge_tui"], document["qrels_sha256"]
    if not (isinstance(version, str) and isinstance(sha256, str)):
        raise TypeError
    settings = dict(document["settings"])
    texts: dict[str, str] = {}
    by_place: set[str] = set()
    for name, own_id in _TEXTS.items():
        its = {query_id: str(text) for query_id, text in document.get(name, {}).items()}
        texts |= its
        by_place |= set() if own_id else its.keys()
    return SavedScores(
        os.fspath(path),
        version,
        sha256,
        settings,
        measures,
        runs,
        texts,
        frozenset(by_place),
        {query_id: str(name) for query_id, name in document.get("classes", {}).items()},
        by=by,
        usual=tuple(_measure(path, name) for name in document.get("usual", ())),
        grades={query_id: str(digest) for query_id, digest in document.get("grades", {}).items()},
    )


def _run(
    run: Mapping[str, Any], measures: Sequence[Measure], *, complete: bool, unlike: bool
) -> SavedRun:
    tag, per_query = run["tag"], run["per_query"]
    query_ids = tuple(sorted(per_query))
    if not isinstance(tag, str):
        raise ValueError
    values = {
        name: tuple(
            math.nan if unlike and name not in per_query[query_id] else float(value)
            for query_id in query_ids
            for value in [per_query[query_id].get(name)]
        )
        for name in map(str, measures)
    }
    # Saved before it was told apart: which of those that are missing were averaged is not known.
    in_vain = run.get("in_vain", run["missing"]["run"] if complete else 0)
    if not isinstance(in_vain, list):  # saved before they were told by their ids
        return SavedRun(tag, query_ids, values, int(in_vain))
    return SavedRun(tag, query_ids, values, len(in_vain), tuple(map(str, in_vain)))


def _measure(path: str | os.PathLike[str], name: str) -> Measure:
    try:
        return parse_measure(name)
    except UsageError as error:
        raise InputError(path, None, f"it has {name!r}: {error.what}", _AGAIN) from error


def _parsed(path: str | os.PathLike[str], text: str) -> Any:
    import json  # noqa: PLC0415 - as above

    def refuse(constant: str) -> NoReturn:
        raise ValueError(constant)

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise InputError(
            path, error.lineno, f"not valid JSON: {error.msg}", f"take it back, or {_AGAIN}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            path,
            None,
            "this is not a result that judge-tui saved",
            "give a file that was written by judge-tui score --save",
        ) from error


def _checksum(document: Mapping[str, Any]) -> str:
    import hashlib  # noqa: PLC0415 - as above
    import json  # noqa: PLC0415

    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
