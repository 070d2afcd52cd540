"""A model judges the pool: what is open is asked, by query, and each answer is stored as it comes,
so that whatever ends the work, the same again goes on where it stopped."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import groupby
from typing import NamedTuple, TypeAlias

from filelock import FileLock, Timeout

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.documents import document_by_key
from judge_tui.campaign.store.model_answers import (
    Answered,
    ModelAnswer,
    ModelJudge,
    Only,
    OpenPair,
    add_model_judge,
    answered_pairs,
    count_answers,
    model_judges,
    pairs_for_models,
    store_answers,
)
from judge_tui.campaign.store.pool import refuse_empty_pool
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.collect.secrets import Secrets
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Pair
from judge_tui.models.answers import read_grade
from judge_tui.models.asking import Answer, Asked, ask
from judge_tui.models.cost import NOTHING, Usage, expected_usage
from judge_tui.models.identity import Identity, identity_of
from judge_tui.models.prompts import Prompt, Request, read_prompt
from judge_tui.models.settings import JudgeSettings, read_judges
from judge_tui.pooling.order import drawn

OnProgress: TypeAlias = Callable[[int, int], None]
"""Takes how many pairs were asked about, and of how many."""

OnWait: TypeAlias = Callable[[float, str], None]
"""Takes the seconds of a pause, and why it is made."""


@dataclass(frozen=True)
class Candidate:
    """A model of a judges file, with all that it takes to ask it about a campaign."""

    campaign: Campaign
    name: str
    settings: JudgeSettings
    prompt: Prompt

    def known(self) -> ModelJudge | None:
        """The judge that it is: all is the same but, maybe, the model that the endpoint reports;
        the latest, where that was another one before. None where it has not judged."""
        rest = identity_of(self.settings, self.prompt).rest
        same = [one for one in self._judges() if one.rest == rest]
        return same[-1] if same else None

    def judge(self, model: str) -> ModelJudge:
        """The judge that it is where the endpoint reports this model, made if new."""
        identity = identity_of(self.settings, self.prompt, model)
        return add_model_judge(
            self.campaign, self.name, identity.digest, identity.model, identity.rest
        )

    def changes(self, judge: ModelJudge) -> str:
        """What is another since the last judge of that name before this one, in words; "" where
        there was none."""
        earlier = [one for one in self._judges() if one.key < judge.key]
        if not earlier:
            return ""
        return Identity(judge.model, judge.rest).changes(
            Identity(earlier[-1].model, earlier[-1].rest)
        )

    def _judges(self) -> list[ModelJudge]:
        return [one for one in model_judges(self.campaign) if one.called == self.name]

    def answer(self, answer: Answer, chars_seen: int) -> ModelAnswer:
        """An answer as it is stored: its grade, or why there is none."""
        text = answer.text or ""
        reading = read_grade(text, self.prompt.scale)
        chances = answer.probabilities
        return ModelAnswer(
            pair=answer.key,
            raw=text,
            grade=None if answer.failure else reading.grade,
            reason=answer.failure or reading.reason,
            probabilities=(
                None if chances is None else {int(grade): one for grade, one in chances.items()}
            ),
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
            seconds=answer.seconds,
            chars_seen=chars_seen,
        )

    def ids(self, pair: OpenPair) -> Pair:
        """The ids of query and document."""
        document, _ = document_by_key(self.campaign, pair.document)
        return query_by_key(self.campaign, pair.query).query_id, document.doc_id

    def requests(self, pairs: Iterable[OpenPair]) -> Iterator[tuple[OpenPair, Request]]:
        """What is asked about each, read as it is asked for."""
        for query_key, of_query in groupby(pairs, lambda one: one.query):
            query = query_by_key(self.campaign, query_key)
            for pair in of_query:
                document, _ = document_by_key(self.campaign, pair.document)
                yield pair, self.prompt.request(query, document)


def read_candidates(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    only: str | None = None,
    secrets: Secrets | None = None,
) -> list[Candidate]:
    """The models of a judges file; `only` and `secrets` as `read_judges` takes them. Raises
    `InputError` and `UsageError` as `read_judges` and `read_prompt` do."""
    read = read_judges(path, only=only, secrets=secrets)
    scale, guidelines = campaign.settings.scale, campaign.settings.guidelines
    found = []
    for name, one in read.judges.items():
        try:
            prompt = read_prompt(one, read.folder, scale, guidelines)
        except UsageError as error:
            what = f"judge {name}: {error.what}"
            raise InputError(path, read.lines[name], what, error.mend) from error
        found.append(Candidate(campaign, name, one, prompt))
    return found


class Plan(NamedTuple):
    """What is to be asked: `pairs`, by query; how many more the `judge` has answered before, None
    where it has not judged; how many have no text, about which nothing can be asked; and the tokens
    that it will take."""

    judge: ModelJudge | None
    pairs: list[OpenPair]
    answered: int
    without_text: int
    expected: Usage


def plan(
    candidate: Candidate,
    *,
    only: Only = "all",
    limit: int | None = None,
    judge: ModelJudge | None = None,
) -> Plan:
    """What a model is to be asked now, at most `limit` pairs, the first ones of an order that is
    drawn; `judge`: who it is, where that is known. Raises `UsageError` where there is no pair of
    that kind at all."""
    campaign, settings = candidate.campaign, candidate.settings
    refuse_empty_pool(campaign)
    every = pairs_for_models(campaign, only)
    if only == "sample" and not every:
        raise UsageError(
            "no pair of the pool was drawn at random", "draw some with pool --audit, or use --only"
        )
    judge = judge or candidate.known()
    answered = answered_pairs(campaign, judge.key) if judge else frozenset[int]()
    left = [one for one in every if one.key not in answered]
    pairs = [one for one in left if one.chars is not None]
    if limit is not None:
        place = drawn(campaign.settings.seed, "limit")
        first = nsmallest(limit, pairs, key=lambda one: place(str(one.key)))
        pairs = sorted(first, key=lambda one: (one.query, one.key))
    seen = sum(min(one.chars or 0, settings.max_document_chars) for one in pairs)
    counted = count_answers(campaign, judge.key) if judge else None
    return Plan(
        judge,
        pairs,
        len(every) - len(left),
        sum(one.chars is None for one in left),
        _expected(candidate, len(pairs), seen, counted),
    )


def _expected(
    candidate: Candidate, requests: int, document_chars: int, answered: Answered | None
) -> Usage:
    chars = document_chars + requests * len(candidate.prompt.text)
    return expected_usage(candidate.settings, requests, chars, answered)


@dataclass
class Judged:
    """What came of it. `judges`: who the model turned out to be, and what had changed since the
    last judge of that name; `none`: answers without a grade, by reason; `failed`: pairs about which
    no answer came, which stay open, by reason; `cut`: documents that were not seen whole; `known`:
    answers to what was answered before, which are not stored."""

    judges: dict[str, str] = field(default_factory=dict)
    graded: int = 0
    none: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    known: int = 0
    usage: Usage = NOTHING

    @property
    def done(self) -> int:
        """Pairs that were asked about, whatever came of them."""
        return self.graded + self.none.total() + self.failed.total() + self.known

    def count(self, answer: ModelAnswer, *, is_cut: bool, is_new: bool) -> None:
        """Count an answer; one that is not new was not stored."""
        if not is_new:
            self.known += 1
        elif answer.grade is None:
            self.none[answer.reason] += 1
        else:
            self.graded += 1
        self.cut += is_cut and is_new
        tokens_in, tokens_out = self.usage
        self.usage = Usage(
            tokens_in + (answer.tokens_in or 0), tokens_out + (answer.tokens_out or 0)
        )


@contextmanager
def only_asker(candidate: Candidate) -> Iterator[None]:
    """Plan and judge within this, so that nobody pays for an answer twice. Raises `UsageError` as
    long as another program asks the same model about the campaign."""
    campaign = candidate.campaign.place.resolve()
    lock = campaign.with_name(f".{campaign.name}.{candidate.name}.lock")
    try:
        with FileLock(lock, timeout=0):
            try:
                yield
            finally:
                lock.unlink(missing_ok=True)
    except Timeout as error:
        what = f"another program asks {candidate.name} about this campaign"
        raise UsageError(what, "wait for its end") from error


def judge_pool(
    candidate: Candidate,
    planned: Plan,
    judged: Judged,
    *,
    only: Only = "all",
    stop: threading.Event,
    on_progress: OnProgress = lambda _done, _total: None,
    on_wait: OnWait = lambda _seconds, _why: None,
) -> None:
    """Ask a model what is planned, as its `only_asker`, until `stop` is set. What was answered is
    stored, and counted in `judged`, whatever else happens.

    An endpoint that reports another model than before is another judge, who is asked about what is
    open for that one. Raises `UsageError` where it then reports the first one again, and as `ask`
    does.
    """
    work = _Work(candidate, planned, judged, on_progress)
    work.run(stop, on_wait)
    if work.changed is not None and not stop.is_set():
        left = len(planned.pairs) - judged.done
        again = plan(candidate, only=only, limit=left, judge=work.changed)
        _Work(candidate, again, judged, on_progress, may_change=False).run(stop, on_wait)


class _Work:
    """The pairs of a plan, asked of one judge. `changed`: who it is instead, where the endpoint has
    reported another model, and nothing more was asked."""

    def __init__(
        self,
        candidate: Candidate,
        planned: Plan,
        judged: Judged,
        on_progress: OnProgress,
        *,
        may_change: bool = True,
    ) -> None:
        self.changed: ModelJudge | None = None
        self._candidate = candidate
        self._judged = judged
        self._pairs = planned.pairs
        self._on_progress = on_progress
        self._total = judged.done + len(planned.pairs)
        self._may_change = may_change
        self._judge = planned.judge
        self._asked: dict[int, tuple[int, bool]] = {}

    def run(self, stop: threading.Event, on_wait: OnWait) -> None:
        self._on_progress(self._judged.done, self._total)
        candidate = self._candidate
        ask(
            candidate.settings,
            self._requests(),
            self._take,
            scale=candidate.prompt.scale,
            stop=stop,
            on_wait=on_wait,
        )

    def _requests(self) -> Iterator[Asked]:
        for pair, request in self._candidate.requests(self._pairs):
            if self.changed is not None:
                return
            seen = request.chars_seen
            self._asked[pair.key] = seen, seen < (pair.chars or 0)
            yield Asked(pair.key, request.messages)

    def _take(self, answer: Answer) -> None:
        """Store an answer, in the thread that the campaign was opened in."""
        seen, is_cut = self._asked.pop(answer.key)
        judged = self._judged
        if answer.text is None:
            judged.failed[answer.failure] += 1
        else:
            stored = self._candidate.answer(answer, seen)
            judge = self._whose(answer.model)
            is_new = store_answers(self._candidate.campaign, judge.key, [stored]) == 1
            judged.count(stored, is_cut=is_cut, is_new=is_new)
        self._on_progress(judged.done, self._total)

    def _whose(self, model: str) -> ModelJudge:
        judge = self._judge
        if judge is None or judge.model != model:
            judge = self._candidate.judge(model)
            if self._judge is None:
                self._judge = judge
            elif self._may_change:
                self.changed = judge
            else:
                raise UsageError(
                    f"the endpoint answers as {self._judge.model!r} and as {model!r} in turn",
                    "ask one model: write its whole name into judges.toml",
                )
        if judge.name not in self._judged.judges:
            self._judged.judges[judge.name] = self._candidate.changes(judge)
        return judge
