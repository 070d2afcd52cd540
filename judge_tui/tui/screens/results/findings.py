"""What is found out about the campaign's results: first what is quickly known, then the rest beside
the app."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge_tui.agreement.policies import checked_policy
from judge_tui.analysis.basis import Basis, Question
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.leaderboard import (
    MeanBounds,
    MeanIntervals,
    Ranking,
    Verdicts,
    intervals,
    mean_bounds,
    rank_runs,
    verdicts,
)
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.facts import QueryFacts, document_facts, query_facts
from judge_tui.campaign.overview.standing import RunsNow, results_now, runs_now
from judge_tui.campaign.store.arrays import most_to_count
from judge_tui.campaign.store.documents import DocumentName, document_names
from judge_tui.campaign.store.runs import all_runs
from judge_tui.errors import JudgeTuiError, UsageError, unknown
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Measure,
    Scores,
    judged_among,
    judged_beside,
    parse_measures,
)
from judge_tui.tui.screens.results.beside import Beside
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.analysis.document_slices import DocumentFacts

_GREATEST_SMALL = 20_000
# So far down is read first, for all measures that look no deeper.
_TOP = 10


@dataclass(slots=True)
class Lens:
    """What one looks through, the same in all views, and kept where the file is read again.

    The measure, by its name; the run that others are compared with, by its tag; and the measure
    that runs are sorted by, "" for the order in which they were loaded. None is what was asked for
    first.
    """

    measure: str | None = None
    baseline: str | None = None
    sort: str | None = None


class Findings:
    """What is known so far; what is None may still come, as long as it is `busy`.

    A small campaign is read before the constructor returns, so that nothing flickers. Of a large
    one, the top is read first, then all of it, beside the app. `nothing` says why there is nothing
    to be seen, and what to do about it.
    """

    def __init__(self, campaign: Campaign, asked: Question, lens: Lens) -> None:
        self.campaign = campaign
        self.asked = asked
        self.lens = lens
        self.version = campaign.version()
        self.now: RunsNow | None = None
        self.basis: Basis | None = None
        self.scores: Scores | None = None
        self.measures: tuple[Measure, ...] = ()
        self.queries = QueryFacts({}, {})
        self.intervals: MeanIntervals | None = None
        self.bounds: MeanBounds | None = None
        self.nothing: UsageError | None = None
        self._verdicts: dict[str, Verdicts] = {}
        self._facts: DocumentFacts | None = None
        self._asked_for_facts = False
        self._beside = Beside()
        self._documents: dict[int, DocumentName] = {}
        self._is_small = most_to_count(campaign) <= _GREATEST_SMALL
        if self._is_small:
            self._read(campaign)
            self._beside.do(self._work_out)
        else:
            self._beside.read(campaign, self._glance)
            self._beside.read(campaign, self._read)
            self._beside.do(self._work_out)

    @property
    def busy(self) -> bool:
        """Whether more will come."""
        return self._beside.busy

    @property
    def done(self) -> int:
        """Grows whenever something came."""
        return self._beside.done

    @property
    def error(self) -> JudgeTuiError | None:
        """What could not be read."""
        return self._beside.error

    def stop(self) -> None:
        """Give up. When this returns, nothing is read from the file any more."""
        self._beside.stop()

    @property
    def missing(self) -> UsageError:
        """Why there is nothing to work with: it is still being read, or there is `nothing`."""
        return self.nothing or UsageError("the runs are still being read", "again in a moment")

    @property
    def judged(self) -> JudgedRuns:
        """All runs in the light of the grades. Raises `UsageError` where it is not known yet."""
        if self.now is None:
            raise self.missing
        return self.now.judged

    @property
    def tags(self) -> tuple[str, ...]:
        """The runs, as they were loaded."""
        return () if self.scores is None else self.scores.tags

    @property
    def measure(self) -> Measure | None:
        """The one that is looked through; None where none is known yet."""
        return _named(self.measures, self.lens.measure)

    @property
    def sorted_by(self) -> Measure | None:
        """The measure that runs stand in the order of; None: as they were loaded."""
        return None if self.lens.sort == "" else _named(self.measures, self.lens.sort)

    @property
    def baseline(self) -> str | None:
        """The run that the others are compared with."""
        wanted = (self.lens.baseline, self.asked.baseline, self.campaign.settings.baseline)
        return next((tag for tag in (*wanted, *self.tags) if tag in self.tags), None)

    @property
    def verdicts(self) -> Verdicts | None:
        """The runs beside the baseline by the measure that is looked through, as
        `compare -m MEASURE` has them; None where they are still to come."""
        return None if self.measure is None else self._verdicts.get(self.measure.name)

    @property
    def ranking(self) -> Ranking | None:
        """The runs by the measure, with what is known so far."""
        measure, order = self.measure, self.sorted_by
        if self.scores is None or measure is None:
            return None
        return rank_runs(
            self.scores,
            measure,
            order if order in self.scores.measures else None,
            intervals=self.intervals,
            bounds=self.bounds,
            verdicts=self.verdicts,
        )

    def turn_to(self, baseline: str) -> None:
        """Compare the runs with another one from now on."""
        self.lens.baseline = baseline
        self._verdicts = {}
        if self.now is not None and self.basis is not None:
            self.basis = replace(self.basis, baseline=baseline)
            self._beside.do(self._compare)

    @property
    def stated(self) -> Basis:
        """What all views rest on, without what is to be known of each. Raises `UsageError` where
        that is not known yet."""
        if self.basis is None:
            raise self.missing
        return self.basis

    def query(self, place: int) -> int:
        """The key of a query, by its place in the lists."""
        if self.now is None:
            raise self.missing
        return int(self.now.loaded.queries[place])

    def unresolved(self, query: int) -> frozenset[int]:
        """The documents (keys) of a query (a key) that were judged and have no final grade."""
        if self.now is None:
            return frozenset()
        pool = self.now.grading.pool
        at = pool.places_of(self.now.grading.decided.unresolved)
        return frozenset(pool.documents[at[pool.queries[at] == query]].tolist())

    def called(self, query_id: str) -> str:
        """A query by its id and its text, on one line."""
        return visible_line(f"{query_id}  {self.queries.texts.get(query_id, '')}".rstrip())

    def named(self, documents: Iterable[int]) -> dict[int, DocumentName]:
        """What documents are called, by their keys."""
        wanted = set(documents)
        if missing := wanted - self._documents.keys():
            self._documents |= document_names(self.campaign, missing)
        return {key: self._documents[key] for key in wanted if key in self._documents}

    def sent(self) -> None:
        """One more pair is in the pool, and nobody has judged it."""
        if self.basis is not None:
            grades = self.basis.grades
            grades = replace(grades, unjudged=grades.unjudged + 1)
            self.basis = replace(self.basis, grades=grades)

    def facts(self) -> DocumentFacts | None:
        """Kind and length of the relevant documents; None where they are still to be read."""
        if self._facts is None and not self._asked_for_facts:
            self._asked_for_facts = True
            if self._is_small:
                self._read_facts(self.campaign)
            else:
                self._beside.read(self.campaign, self._read_facts)
        return self._facts

    # Read, in the app or beside it

    def _glance(self, reader: Campaign) -> None:
        """The means of what looks no further than the top: in half the time of all."""
        try:
            now = _runs(reader, self.asked, _TOP)
            every, shares = _measures(reader, self.asked)
        except UsageError:
            # What is wrong is said of the whole.
            return
        near = [measure for measure in every if measure.depth <= _TOP]
        self.queries = query_facts(reader)
        self.measures = every
        self.scores = now.judged.scores([*near, *(one for one in shares if one.depth <= _TOP)])

    def _read(self, reader: Campaign) -> None:
        try:
            found = results_now(reader, self.asked)
        except UsageError as error:
            self.nothing = error
            return
        self.queries = query_facts(reader)
        every = dict.fromkeys([*found.basis.measures, *found.basis.shares])
        self.scores = found.now.judged.scores(every)
        self.measures = found.basis.measures
        self.basis, self.now = found.basis, found.now
        if self.baseline is not None:
            self.basis = replace(found.basis, baseline=self.baseline)

    def _read_facts(self, reader: Campaign) -> None:
        from judge_tui.analysis.document_slices import relevant_documents  # noqa: PLC0415

        self._facts = document_facts(reader, relevant_documents(self.judged))

    # Worked out beside the app

    def _work_out(self) -> None:
        if self.now is None or self.basis is None:
            return
        self.intervals = intervals(self.now.judged.scores(self.measures), self.basis.seed)
        self._beside.do(self._compare)
        self._beside.do(self._bound)

    def _bound(self) -> None:
        if self.now is not None and self.basis is not None:
            self.bounds = mean_bounds(self.now.judged, self.measures, self.basis.scale)

    def _compare(self) -> None:
        if self.now is None or self.basis is None or self.baseline is None:
            return
        baseline = self.baseline
        found = {one.name: verdicts(self.now.judged, [one], baseline) for one in self.measures}
        if baseline == self.baseline:
            self._verdicts = found


def _named(measures: tuple[Measure, ...], name: str | None) -> Measure | None:
    """The measure of that name, else the first that says how good a run is, else the first."""
    by_name = [measure for measure in measures if measure.name == name]
    good = [measure for measure in measures if measure.definition.quality]
    return next(iter([*by_name, *good, *measures]), None)


def refuse_unknown(campaign: Campaign, asked: Question) -> None:
    """Raise `UsageError` for a run, a measure or a policy that is not there; where there is no run
    at all, the screen says what to do."""
    checked_policy(asked.policy)
    _measures(campaign, asked)
    named = (*asked.tags, *([] if asked.baseline is None else [asked.baseline]))
    if not named:
        return
    known = [record.tag for record in all_runs(campaign)]
    for tag in named:
        if known and tag not in known:
            raise unknown("run", tag, known)


def _measures(reader: Campaign, asked: Question) -> tuple[tuple[Measure, ...], tuple[Measure, ...]]:
    """What was asked for, or the usual, without the shares judged, and those, as if everything that
    they need were kept."""
    greatest = max(reader.settings.scale.grades)
    every = parse_measures(asked.measures or DEFAULT_MEASURES, max_rel=greatest)
    shares = judged_among(every) or judged_beside(every)
    return tuple(measure for measure in every if measure not in shares) or every, shares


def _runs(reader: Campaign, asked: Question, depth: int) -> RunsNow:
    return runs_now(
        reader,
        asked.tags,
        depth=depth,
        policy=asked.policy,
        include_models=asked.include_models,
    )
