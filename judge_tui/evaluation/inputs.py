"""What is scored and compared: what is right, the runs, and what is known of the queries; from
files, from memory or from a campaign.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from judge_tui.errors import InputError, UsageError, in_message
from judge_tui.evaluation.runs import FilePath, RunsSource, TaggedRun, is_file, tagged_runs
from judge_tui.formats import collected
from judge_tui.formats.beir_folder import qrels_file
from judge_tui.formats.ids import id_in
from judge_tui.formats.query_names import KnownQueries, QueryText, name_of
from judge_tui.formats.rows import iter_qrels
from judge_tui.formats.source import Layout, fitting, open_source
from judge_tui.formats.whole_files import qrels_in, read_queries
from judge_tui.model import Qrels, Query
from judge_tui.scoring import Scores

if TYPE_CHECKING:
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.overview.qrels_and_runs import QrelsAndRuns
    from judge_tui.formats.answers import Answered
    from judge_tui.scoring.filled import StandIn
    from judge_tui.truths import OrderDemands, Truths

QrelsSource: TypeAlias = FilePath | Mapping[Any, Mapping[Any, int]] | Iterable[Any]
"""A file, query_id -> doc_id -> grade, a data frame, or rows of (query_id, doc_id, grade)."""

QueriesSource: TypeAlias = FilePath | Iterable[Query]
"""A queries file (TSV, a table, JSONL, TREC topics), or the queries themselves."""


@dataclass(frozen=True, slots=True)
class EvaluationInputs:
    """`qrels`: the grades, or with `answers` in their place those of these, by their keys. `runs`:
    a file is read when it is scored. `values`: of runs and queries, in place of all these, where
    they were measured elsewhere. `queries`: what is known of them; `names`: of runs that call them
    by their texts. `order_demands`: what answers or queries want to come first. `from_campaign`: of
    a campaign. `files`: all that is read, which no output may replace. `settings` tell where the
    grades are from.
    """

    qrels: Qrels
    runs: Sequence[TaggedRun] = ()
    answers: Truths | None = None
    values: Scores | None = None
    queries: Sequence[Query] = ()
    names: KnownQueries | None = None
    order_demands: OrderDemands = field(default_factory=dict)
    from_campaign: QrelsAndRuns | None = None
    files: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def texts(self) -> dict[str, str]:
        """query_id -> its text, where queries are known."""
        return {query.query_id: query.text for query in self.queries}

    @property
    def max_rel(self) -> int | None:
        """The greatest grade of a campaign's scale; None where no scale is known."""
        return None if self.from_campaign is None else max(self.from_campaign.scale)

    @property
    def reference(self) -> str:
        """What says what is right, as it is called when readers are told."""
        if self.values is not None:
            return self.values.reference
        return "qrels" if self.answers is None else "answers"

    def with_queries(
        self, source: QueriesSource | None, layout: Layout | None = None
    ) -> EvaluationInputs:
        """Return the same with what is known of the queries, if anything. `layout`: what a file
        calls its columns. Raises `InputError` and `UsageError`."""
        if source is None:
            return self
        queries = _queries_from(source, layout)
        return replace(
            self,
            queries=queries,
            names=KnownQueries(queries, "") if queries else None,
            order_demands=_order_demands(queries, source),
            files=(*self.files, os.fspath(source)) if is_file(source) else self.files,
        )

    def refuse_other_texts(self) -> None:
        """Raise `InputError` for a run that `collect` made of queries with other texts."""
        # Where a form has no text of a query, the id stands for it.
        known = [query for query in self.queries if query.text not in ("", query.query_id)]
        names = KnownQueries(known, "")
        for run in self.runs if known else ():
            if is_file(run.source):
                collected.refuse_other_texts(run.source, names)


def inputs_of(
    source: QrelsSource | Campaign | Scores | None,
    runs: RunsSource | None = None,
    answers: FilePath | None = None,
    queries: QueriesSource | None = None,
    *,
    baseline: str | None = None,
    join_baseline: bool = False,
    policy: str | None = None,
    include_models: bool | None = None,
    unjudged: StandIn = "zero",
) -> EvaluationInputs:
    """Return what is scored, of whatever `api.score` takes. Raises `InputError` for a bad file, and
    `UsageError` for what is none of it."""
    if isinstance(source, Scores):
        if runs is not None or answers is not None:
            raise UsageError("scores hold their runs", "leave out runs and answers")
        return EvaluationInputs({}, values=source).with_queries(queries)
    if not (source is None or isinstance(source, Iterable | os.PathLike)):
        from judge_tui.campaign import Campaign  # noqa: PLC0415 - files need no SQLite

        if isinstance(source, Campaign):
            return inputs_of_campaign(
                source,
                [runs] if isinstance(runs, str) else cast("Sequence[str]", runs or ()),
                baseline=baseline,
                join_baseline=join_baseline,
                policy=policy,
                include_models=include_models,
                unjudged=unjudged,
                queries=queries,
            )
    if policy is not None or include_models is not None:
        raise UsageError(
            "policy and include_models are about a campaign",
            "give one that judge_tui.open_campaign has opened, or leave them out",
        )
    tagged = tagged_runs([] if runs is None else runs)
    return read_inputs(source, tagged, answers=answers, queries=queries)


def read_inputs(
    qrels: QrelsSource | None = None,
    runs: Sequence[TaggedRun] = (),
    *,
    answers: FilePath | None = None,
    queries: QueriesSource | None = None,
    layout: Layout | None = None,
) -> EvaluationInputs:
    """Return what is right, by `qrels` (a file, or in memory) or a file of `answers`, and the
    `runs`.

    Without `queries` they are those in the file of answers, or in the file of qrels where its
    format has texts of queries. `layout`: what all these files call their columns and their
    grades. Raises `InputError` for a bad file, and `UsageError` for what in memory is none of it.
    """
    if answers is not None:
        return _of_answers(os.fspath(answers), runs, queries, layout)
    if qrels is None:
        raise UsageError("nothing says what is right", "give qrels or answers")
    if not is_file(qrels):
        from judge_tui.evaluation.memory import grades_in  # noqa: PLC0415 - files need none

        return EvaluationInputs(grades_in(qrels, "the qrels"), runs).with_queries(queries)
    path = qrels_file(qrels)
    its = layout and fitting(path, layout)
    with open_source(path, layout=its) as source:
        form, grades = qrels_in(source)
    if queries is None and form.has_texts and Path(path).is_file():
        queries = path
    inputs = EvaluationInputs(grades, runs, files=(os.fspath(qrels),))
    inputs = inputs.with_queries(queries, layout)
    if inputs.names is None or not any(isinstance(name, QueryText) for name in grades):
        return inputs
    return replace(inputs, qrels=_under_ids(grades, inputs.names, qrels, its))


def _under_ids(qrels: Qrels, names: KnownQueries, path: FilePath, layout: Layout | None) -> Qrels:
    """Return the grades of a file by the ids of the queries. Raises `InputError` for a text that no
    query has, or several have."""
    try:
        return {names.get(None, text).query_id: by_doc for text, by_doc in qrels.items()}
    except InputError:
        here = names.at(path)  # it is read again, for the line
        for row in iter_qrels(path, format=layout):
            here.get(row.line, row.query_id)
        raise


def inputs_of_campaign(
    campaign: Campaign,
    tags: Sequence[str] = (),
    *,
    baseline: str | None = None,
    join_baseline: bool = False,
    policy: str | None = None,
    include_models: bool | None = None,
    unjudged: StandIn = "zero",
    queries: QueriesSource | None = None,
) -> EvaluationInputs:
    """Return the final grades of an open campaign as they are now, and what it keeps of its runs of
    these tags, or of all; `baseline`, `join_baseline` and `unjudged` as in `qrels_and_runs`.
    Raises `UsageError` as that, and where no pair has a grade."""
    from judge_tui.campaign.overview.qrels_and_runs import qrels_and_runs  # noqa: PLC0415 - files need no SQLite

    policy = policy or "majority"
    judged = qrels_and_runs(
        campaign,
        list(tags),
        baseline=baseline,
        join_baseline=join_baseline,
        policy=policy,
        include_models=include_models,
        unjudged=unjudged,
    )
    if not judged.qrels:
        raise UsageError(
            f"no pair has a final grade: policy {policy} decides none of"
            f" {judged.grades.unresolved:,}",
            "settle them (judge-tui settle --lead NAME), or choose another policy",
        )
    inputs = EvaluationInputs(
        judged.qrels,
        [TaggedRun(None, run) for run in judged.runs],
        from_campaign=judged,
        files=(os.fspath(campaign.path),),
        settings=judged.grades.to_dict(judged.name),
    )
    return inputs.with_queries(judged.queries if queries is None else queries)


def _queries_from(source: QueriesSource, layout: Layout | None) -> list[Query]:
    """Read the queries, their ids in the form of TREC files, as those of qrels and runs are."""
    if is_file(source):
        queries = read_queries(source, format=layout and fitting(source, layout))
    else:
        queries = list(cast("Iterable[Query]", source))
    for query in queries:
        if not isinstance(query, Query):
            raise UsageError(
                f"{in_message(query)} is not a query",
                "give a file, or queries of judge_tui.model; slices take query_id -> name",
            )
    return [replace(query, query_id=id_in(query.query_id)) for query in queries]


def _order_demands(queries: Sequence[Query], source: object) -> OrderDemands:
    """Return query_id -> what the queries themselves say is to come first."""
    if not any("prefer" in query.meta or "authority" in query.meta for query in queries):
        return {}
    from judge_tui.formats.answers import demands_of_queries  # noqa: PLC0415 - few say so

    path = source if is_file(source) else "queries"
    return demands_of_queries(queries, path)


def _of_answers(
    path: str, runs: Sequence[TaggedRun], queries: QueriesSource | None, layout: Layout | None
) -> EvaluationInputs:
    from judge_tui.formats.answers import answers_again, read_answers  # noqa: PLC0415 - few have

    answers = read_answers(path, format=layout and fitting(path, layout))
    known = None if queries is None else _queries_from(queries, layout)
    names = KnownQueries(known or (), path)
    found: dict[str, tuple[Query, Answered]] = {}
    for answer in answers:
        query = about = answer.query
        if known is not None:
            query = names.get(answer.line, name_of(about), about.text)
            query = replace(
                query,
                query_class=query.query_class or about.query_class,
                meta={**about.meta, **query.meta},
            )
        if query.query_id in found:
            before = found[query.query_id][1].line
            raise answers_again(path, answer.line, query.query_id, before)
        found[query.query_id] = query, answer
    truths = {query_id: answer.truths for query_id, (_, answer) in found.items() if answer.truths}
    asked = [query for query, _ in found.values()]
    return EvaluationInputs(
        {query_id: {one.key: one.grade for one in keys} for query_id, keys in truths.items()},
        runs,
        answers=truths,
        queries=asked,
        names=KnownQueries(known or asked, ""),
        order_demands=_order_demands(asked, path),
        files=(path, os.fspath(queries)) if is_file(queries) else (path,),
    )
