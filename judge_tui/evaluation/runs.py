"""Which runs there are in a source, what each is called, and how it is read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard

from judge_tui.errors import UsageError
from judge_tui.formats.source import open_source
from judge_tui.formats.whole_files import run_in, run_under_ids, tag_by_name
from judge_tui.model import Run

if TYPE_CHECKING:
    from judge_tui.formats.query_names import KnownQueries
    from judge_tui.formats.source import Layout

FilePath: TypeAlias = str | os.PathLike[str]

RunSource: TypeAlias = FilePath | Run | Mapping[Any, Mapping[Any, float]] | Iterable[Any]
"""A file, a `Run`, query_id -> doc_id -> score, a data frame, or rows of three."""

RunsSource: TypeAlias = RunSource | Mapping[str, Any]
"""One run, several, or several by tag; a frame with a column `tag` holds as many as it has tags."""


class TaggedRun(NamedTuple):
    """One run: the tag it is given, None where it has its own or none, and where it comes from.
    `layout`: what a table calls its columns, where they have other names."""

    tag: str | None
    source: RunSource
    layout: Layout | None = None

    @property
    def origin(self) -> str:
        """What it is called in a message: its file, or its tag."""
        if is_file(self.source):
            return os.fspath(self.source)
        tag = self.tag or (self.source.tag if isinstance(self.source, Run) else None)
        return "the run" if tag is None else f"run {tag!r}"


def is_file(source: object) -> TypeGuard[FilePath]:
    """Return whether this is the path of a file, and not what is in memory."""
    return isinstance(source, str | os.PathLike)


def distinct_tags(runs: Sequence[TaggedRun], tags: Sequence[str]) -> list[str]:
    """Return the tags of runs that say these `tags`; files that say the same one are called by
    their names. Raises `UsageError` where two are the same still."""
    count = Counter(tags)
    origins: dict[str, str] = {}
    for run, own in zip(runs, tags, strict=True):
        by_name = count[own] > 1 and run.tag is None
        tag = tag_by_name(run.source) if by_name and is_file(run.source) else own
        if tag in origins:
            raise UsageError(
                f"{origins[tag]} and {run.origin} have the same tag {own!r}",
                "name one of them by TAG=FILE",
            )
        origins[tag] = run.origin
    return list(origins)


def tagged_runs(runs: RunsSource) -> list[TaggedRun]:
    """Return each run with the tag it is given.

    A mapping is one run if it maps query_id -> doc_id -> score; once one of its values is a run
    itself, every key is a tag. A frame with a column of tags, and not given one, is cut into its
    runs. A run without a tag is called `run`, or by its place `run1`, `run2`. Raises `UsageError`
    for no run at all.
    """
    if is_file(runs) or isinstance(runs, Run):
        return [TaggedRun(None, runs)]
    if isinstance(runs, Mapping):
        if any(map(_is_run, runs.values())):
            return [TaggedRun(str(tag), source) for tag, source in runs.items()]
        return [TaggedRun(None, runs)]
    if isinstance(runs, list) and runs and all(isinstance(one, TaggedRun) for one in runs):
        return runs
    from judge_tui.evaluation.memory import holds_rows, is_frame, listed  # noqa: PLC0415 - files need none

    if is_frame(runs):
        return _cut(None, runs)
    items = listed(runs, "the run")
    if not items:
        raise UsageError("there is no run", "give at least one")
    if holds_rows(items):
        return [TaggedRun(None, items)]
    found: list[TaggedRun] = []
    for place, source in enumerate(items, start=1):
        has_tag = is_file(source) or isinstance(source, Run)
        found += [TaggedRun(None, source)] if has_tag else _cut(f"run{place}", source)
    return found


def _is_run(value: object) -> bool:
    """Return whether this is a run and not the scores of one query, doc_id -> score."""
    if isinstance(value, Mapping):
        return any(isinstance(inner, Mapping) for inner in value.values())
    return isinstance(value, Run | os.PathLike | Iterable)


def _cut(tag: str | None, source: Any) -> list[TaggedRun]:
    """Return the runs in a source without a tag: those that a frame names, or one."""
    from judge_tui.evaluation.memory import is_frame, runs_by_tag  # noqa: PLC0415 - files need none

    run = TaggedRun(tag, source)
    runs = runs_by_tag(source, run.origin) if is_frame(source) else None
    return [run] if runs is None else [TaggedRun(None, one) for one in runs]


def run_from(run: TaggedRun, names: KnownQueries | None = None) -> Run:
    """Read one run under the tag it is given, else its own, else `run`; by the ids of these
    queries, where it has their texts. Raises `InputError` for a file that holds none, and
    `UsageError` for anything else that does not."""
    if is_file(run.source):
        with open_source(run.source, layout=run.layout) as source:
            found = run_in(source, run.tag)
            return found if names is None else run_under_ids(found, names.at(run.source), source)
    if isinstance(run.source, Run):
        found = Run(run.tag or run.source.tag, run.source.scores, run.source.asked)
    else:
        from judge_tui.evaluation.memory import scores_in  # noqa: PLC0415 - files need none

        scores = scores_in(run.source, run.origin)
        # As in ranx's JSON, which is read into such a mapping.
        asked = frozenset(query_id for query_id, by_doc in scores.items() if not by_doc)
        found = Run(run.tag or "run", scores, asked)
    return found if names is None else run_under_ids(found, names.at(run.origin))
