"""`--save` and `--against`: scores kept in a file, and compared with when the runs change.

The file is the JSON of `score -q`, with the version that wrote it and the SHA-256 of the grades. It
holds no date and no path: the same result gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from judge_tui.analysis.warnings import warn_of_comparisons
from judge_tui.errors import InputError, UsageError
from judge_tui.evaluation.values import scores_of
from judge_tui.model import Qrels
from judge_tui.scoring import Measure, RunScores, Scores, parse_measure
from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparisons

EARLIER = " (earlier)"
"""What stands behind the tag of a run as it was saved, in a comparison with what it is now."""

_AGAIN = "save it again: judge-tui score ... --save"


_DECISIVE = ("complete", "judged_only", "depth", "ignore_self", "score_precision", "credit")
"""The settings that every value depends on."""


@dataclass(frozen=True, slots=True)
class SavedScores:
    """A result from the file `path`, made with grades of this SHA-256; `settings`: those of
    `_DECISIVE`."""

    path: str
    qrels_sha256: str
    settings: Mapping[str, Any]
    scores: Scores

    def refuse_others(self, scores: Scores, sha256: str) -> None:
        """Raise `InputError` where the result was made with other grades or settings than the
        scores, or has no values by one of their measures."""
        settings = {**scores.rules.to_dict(), **scores.settings}
        for name in _DECISIVE:
            was, now = self.settings.get(name), settings.get(name)
            if was != now:
                raise InputError(
                    self.path,
                    None,
                    f"it was made with {name} {json.dumps(was)}, not {json.dumps(now)}",
                    "score with the same options, or save it again",
                )
        if self.qrels_sha256 != sha256:
            raise InputError(self.path, None, "it was made with other grades", _AGAIN)
        if missing := [str(one) for one in scores.measures if one not in self.scores.measures]:
            raise InputError(
                self.path,
                None,
                f"it has no values by {', '.join(missing)}, but by"
                f" {', '.join(map(str, self.scores.measures))}",
                "name those with -m, or save it again",
            )


def qrels_sha256(qrels: Qrels) -> str:
    """Return what tells these grades from others, in whatever file or order they are."""
    digest = hashlib.sha256()
    for query_id in sorted(qrels):
        for doc_id in sorted(qrels[query_id]):
            line = f"{query_id}\t{doc_id}\t{qrels[query_id][doc_id]:d}\n"
            digest.update(line.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def save_scores(path: str | os.PathLike[str], scores: Scores, sha256: str) -> None:
    """Write the scores with the values of every query. Raises `InputError` where the file cannot be
    written."""
    from judge_tui.formats.writing import write_text  # noqa: PLC0415 - start-up is counted

    settings = {name: one for name, one in scores.settings.items() if name in _DECISIVE}
    document = {
        **replace(scores, slices=None, bounds=None, settings=settings).to_dict(per_query=True),
        "judge_tui": __version__,
        "qrels_sha256": sha256,
    }
    write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", path)


def load_scores(path: str | os.PathLike[str]) -> SavedScores:
    """Read what `save_scores` wrote. Raises `InputError` for anything else."""
    from judge_tui.formats.whole_files import read_text  # noqa: PLC0415 - as above

    try:
        document = json.loads(read_text(path))
        measures = tuple(parse_measure(name) for name in document["measures"])
        settings = dict(document["settings"])
        per_query = {str(entry["tag"]): entry["per_query"] for entry in document["runs"]}
        scores = scores_of(measures, per_query)
        # What was missing is not saved.
        scores = replace(scores, answered=np.ones_like(scores.counted))
        return SavedScores(os.fspath(path), document["qrels_sha256"], settings, scores)
    except json.JSONDecodeError as error:
        raise InputError(path, error.lineno, f"not JSON: {error.msg}", _AGAIN) from error
    except UsageError as error:
        raise InputError(path, None, error.what, _AGAIN) from error
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(path, None, "this is not a result that judge-tui saved", _AGAIN) from error


def compare_with_saved(
    saved: SavedScores, scores: Scores, sha256: str, measures: Sequence[Measure]
) -> Comparisons:
    """Compare each run with itself as it was saved, as `compare` does, by those of the `measures`
    of which more is better, slice by slice where there are slices. Raises `InputError` as
    `refuse_others`, for a run that was not saved, and where a run has no query in common with what
    was saved."""
    from judge_tui.comparison.compare import compare_paired  # noqa: PLC0415 - few compare
    from judge_tui.comparison.settings import ComparisonSettings  # noqa: PLC0415 - few compare
    from judge_tui.scoring.slices import scores_by  # noqa: PLC0415 - few compare

    saved.refuse_others(scores, sha256)
    then = {run.tag: run for run in saved.scores.runs}
    paired: list[tuple[RunScores, RunScores]] = []
    for run in scores.runs:
        if run.tag not in then:
            raise InputError(
                saved.path,
                None,
                f"it has no run {run.tag!r}, but {', '.join(map(repr, saved.scores))}",
                f"name it as it was, such as {next(iter(then or saved.scores))}=FILE, leave it out,"
                " or save the result again with it",
            )
        before = then.pop(run.tag)
        if set(before.query_ids).isdisjoint(run.query_ids):
            raise InputError(saved.path, None, f"no query of {run.tag!r} is in both", _AGAIN)
        paired.append((replace(before, tag=f"{run.tag}{EARLIER}"), run))
    found = compare_paired(paired, scores_by(scores, measures), ComparisonSettings())
    found = replace(found, gone=tuple(then))
    return replace(found, warnings=warn_of_comparisons(found))
