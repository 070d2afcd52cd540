"""Which runs there are in what was given, and what each is called; one source at a time, read or
checked."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from judge_tui.errors import UsageError
from judge_tui.formats.problems import OWN_TAG
from judge_tui.formats.whole_files import tag_by_name
from judge_tui.model import Qrels, Run

if TYPE_CHECKING:
    from judge_tui.sources.shapes import FilePath, QrelsSource, RunSource, RunsSource

__all__ = ["NamedFile", "distinct_tags", "named_sources", "origin_of", "qrels_from", "run_from"]


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A run file and the tag it is given, whatever tags it holds: `{tag: file}` within a list."""

    tag: str
    path: FilePath


def distinct_tags(
    named: Sequence[tuple[str | None, RunSource]], tags: Sequence[str]
) -> tuple[list[str], Mapping[str, Sequence[str]]]:
    """The tags of runs, `named` as they were given, that say these `tags`: files that say the same
    are called by their names, and returned by what they say. Raises `UsageError` where two are the
    same still."""
    count = Counter(tags)
    shared: dict[str, list[str]] = {}
    origins: dict[str, str] = {}
    for (given, source), said in zip(named, tags, strict=True):
        origin, tag = origin_of(given, source), said
        if count[said] > 1 and given is None and isinstance(source, str | os.PathLike):
            shared.setdefault(said, []).append(origin)
            tag = tag_by_name(source)
        if tag in origins:
            raise UsageError(
                f"{origins[tag]} and {origin} have the same tag {said!r}",
                f"give one of them {OWN_TAG}",
            )
        origins[tag] = origin
    return list(origins), shared


def named_sources(sources: RunsSource) -> list[tuple[str | None, RunSource]]:
    """Each run with the tag it is given, None where it has its own or none.

    A mapping is one run if it maps query_id -> doc_id -> score, or column -> values; once one of
    its values is a run itself (a file, a `Run`, a mapping of mappings, a table), every key is a tag
    and every value a run. A table with a column of tags, and not given one, is cut into its runs. A
    run without a tag is called `run`, or by its place `run1`, `run2`. Raises `UsageError` for a
    mapping that mixes both, and for no run at all.
    """
    if _names_itself(sources):
        return [_by_itself(sources)]
    if isinstance(sources, list | tuple) and sources and all(map(_names_itself, sources)):
        return list(map(_by_itself, sources))
    # The command line comes no further, and its start-up is counted.
    from judge_tui.sources.in_memory import holds_rows, is_table  # noqa: PLC0415

    if is_table(sources):
        return _cut(None, sources)
    if isinstance(sources, Mapping):
        return _by_tag(sources)
    if not isinstance(sources, Iterable) or isinstance(sources, bytes):
        return [(None, cast(Any, sources))]
    given = _listed(sources)
    if holds_rows(given):
        return _cut(None, given)
    if not given:
        raise UsageError("there is no run", "give at least one")
    named: list[tuple[str | None, RunSource]] = []
    for place, source in enumerate(given, start=1):
        if _names_itself(source):
            named.append(_by_itself(source))
        else:
            named += _cut(f"run{place}", source)
    return named


def origin_of(tag: str | None, source: object) -> str:
    """What a run is called in a message: its file, or its tag."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    tag = tag or (source.tag if isinstance(source, Run) else None)
    return "the run" if tag is None else f"run {tag!r}"


def qrels_from(source: QrelsSource) -> Qrels:
    """The grades in a source, whole numbers. Raises `InputError` for a file that holds none, and
    `UsageError` for anything else that does not."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats.whole_files import read_qrels  # noqa: PLC0415 - what is in memory needs none

        return read_qrels(source)
    from judge_tui.sources.in_memory import grades_in  # noqa: PLC0415 - files need none

    return grades_in(source, "the qrels")


def run_from(tag: str | None, source: RunSource) -> Run:
    """One run, its scores finite numbers, under the tag if it is given one, else its own, else
    `run`. Errors are those of `qrels_from`."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats.whole_files import read_run  # noqa: PLC0415 - as above

        return read_run(source, tag=tag)
    from judge_tui.sources.in_memory import scores_in  # noqa: PLC0415 - as above

    whose = origin_of(tag, source)
    if isinstance(source, Run):
        return Run(tag or source.tag, scores_in(source.scores, whose), source.asked)
    scores = scores_in(source, whose)
    # As in ranx's JSON, which is read into such a mapping.
    asked = frozenset(query_id for query_id, its in scores.items() if not its)
    return Run(tag or "run", scores, asked)


def _names_itself(source: object) -> TypeGuard[FilePath | NamedFile | Run]:
    return isinstance(source, str | os.PathLike | NamedFile | Run)


def _by_itself(source: FilePath | NamedFile | Run) -> tuple[str | None, RunSource]:
    return (source.tag, source.path) if isinstance(source, NamedFile) else (None, source)


def _by_tag(sources: Mapping[Any, Any]) -> list[tuple[str | None, RunSource]]:
    by_tag = [key for key, value in sources.items() if _is_run(value)]
    if not by_tag:
        return [(None, sources)]
    for key, value in sources.items():
        # An empty mapping can be either: a run without results, or a query without any.
        if isinstance(value, Mapping) and value and not _is_run(value):
            raise UsageError(
                f"{by_tag[0]!r} holds a run and {key!r} the scores of one query",
                "give either query_id -> doc_id -> score, or each run by its tag",
            )
    return [(str(tag), source) for tag, source in sources.items()]


def _is_run(value: object) -> bool:
    if isinstance(value, Mapping):
        from judge_tui.sources.in_memory import is_table  # noqa: PLC0415 - as above

        return is_table(value) or any(isinstance(inner, Mapping) for inner in value.values())
    # The scores of one query are a mapping, so that anything else of several things is a run.
    return isinstance(value, Run | os.PathLike | Iterable)


def _cut(tag: str | None, source: Any) -> list[tuple[str | None, RunSource]]:
    """The runs in a source that was given no tag: one, called `tag`, or those of its own tags."""
    from judge_tui.sources.in_memory import is_table, runs_by_tag  # noqa: PLC0415 - as above

    if (
        isinstance(source, Iterable)
        and not isinstance(source, Mapping | bytes)
        and not is_table(source)
    ):
        source = _listed(source)
    runs = runs_by_tag(source, origin_of(tag, source))
    return [(tag, source)] if runs is None else [(None, run) for run in runs]


def _listed(source: Iterable[Any]) -> list[Any]:
    found = source.tolist() if hasattr(source, "tolist") else list(source)
    return found if isinstance(found, list) else [found]
