"""A model judges the pool: what is open is asked, by query, and each answer is stored as it comes,
so that whatever ends the work, the same again goes on where it stopped."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeAlias

from judge_tui.campaign.store.model_answers import AskedModel, ModelAnswer, store_answers
from judge_tui.errors import UsageError
from judge_tui.models.asking import ModelReply, ModelRequest, ask
from judge_tui.models.candidate import Candidate, ModelQuestion
from judge_tui.models.cost import NOTHING, TokenCounts
from judge_tui.models.plan import AskPlan

OnProgress: TypeAlias = Callable[[int, int], None]
"""Takes how many of the questions that are planned were asked, and how many these are."""

OnWait: TypeAlias = Callable[[float, str], None]
"""Takes the seconds of a pause, and why it is made."""

Replan: TypeAlias = Callable[[AskedModel, int], AskPlan]
"""Takes the judge that the model is instead, and how many questions are left; what to ask it."""


@dataclass
class AskOutcome:
    """What came of asking. `judges`: who the model turned out to be, and what had changed since the
    last judge of that name; `graded`: pairs, `probed`: probes with a grade; `none`: answers without
    one, by reason; `failed`: what no answer came to, which stays open, by reason; `cut`: documents
    of pairs that were not seen whole; `known`: answers to what was answered before, which are not
    stored."""

    judges: dict[str, str] = field(default_factory=dict)
    graded: int = 0
    probed: int = 0
    none: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    known: int = 0
    usage: TokenCounts = NOTHING

    @property
    def done(self) -> int:
        """Questions that were asked, whatever came of them."""
        return self.graded + self.probed + self.none.total() + self.failed.total() + self.known

    def count(self, question: ModelQuestion, answer: ModelAnswer, *, is_new: bool) -> None:
        """Count an answer; one that is not new was not stored."""
        if not is_new:
            self.known += 1
        elif answer.grade is None:
            self.none[answer.reason] += 1
        elif answer.probe:
            self.probed += 1
        else:
            self.graded += 1
        is_cut = answer.chars_seen < (question.pair.chars or 0)
        self.cut += is_cut and is_new and not answer.probe
        tokens_in, tokens_out = self.usage
        self.usage = TokenCounts(
            tokens_in + (answer.tokens_in or 0), tokens_out + (answer.tokens_out or 0)
        )


@contextmanager
def only_asker(candidate: Candidate) -> Iterator[None]:
    """Plan and judge within this, so that nobody pays for an answer twice. Raises `UsageError` as
    long as another program asks the same model about the campaign."""
    with candidate.campaign.alone(candidate.name) as is_ours:
        if not is_ours:
            what = f"another program asks {candidate.name} about this campaign"
            raise UsageError(what, "wait for its end")
        yield


def judge_pool(
    candidate: Candidate,
    planned: AskPlan,
    outcome: AskOutcome,
    *,
    replan: Replan,
    stop: threading.Event,
    on_progress: OnProgress = lambda _done, _total: None,
    on_wait: OnWait = lambda _seconds, _why: None,
) -> AskedModel | None:
    """Ask a model what is planned, as its `only_asker`, until `stop` is set. What was answered is
    stored, and counted in `outcome`, whatever else happens. Returns who it is, None where it has
    not answered yet.

    An endpoint that reports another model than before is another judge, who is asked what `replan`
    says. Raises `UsageError` where it then reports the first one again, and as `ask` does.
    """
    before = outcome.done

    def tell(done: int, total: int) -> None:
        on_progress(done - before, total - before)

    work = _Work(candidate, planned, outcome, tell)
    work.run(stop, on_wait)
    if work.changed is not None and not stop.is_set():
        again = replan(work.changed, work.total - outcome.done)
        work = _Work(candidate, again, outcome, tell, may_change=False)
        work.run(stop, on_wait)
    return work.judge


class _Work:
    """The questions of a plan, asked of one `judge`. `changed`: who it is instead, where the
    endpoint has reported another model, and nothing more was asked. `total`: how many questions
    there are, with those that came before."""

    def __init__(
        self,
        candidate: Candidate,
        planned: AskPlan,
        outcome: AskOutcome,
        on_progress: OnProgress,
        *,
        may_change: bool = True,
    ) -> None:
        self.judge = planned.judge
        self.changed: AskedModel | None = None
        self.total = outcome.done + len(planned.questions)
        self._candidate = candidate
        self._outcome = outcome
        self._questions = planned.questions
        self._on_progress = on_progress
        self._may_change = may_change
        self._asked: dict[int, tuple[ModelQuestion, int]] = {}

    def run(self, stop: threading.Event, on_wait: OnWait) -> None:
        self._on_progress(self._outcome.done, self.total)
        candidate = self._candidate
        ask(
            candidate.settings,
            self._requests(),
            self._take,
            scale=candidate.prompt.scale,
            stop=stop,
            on_wait=on_wait,
        )

    def _requests(self) -> Iterator[ModelRequest]:
        requests = self._candidate.requests(self._questions)
        for number, (question, request) in enumerate(requests):
            if self.changed is not None:
                return
            self._asked[number] = question, request.chars_seen
            yield ModelRequest(number, request.messages)

    def _take(self, answers: Sequence[ModelReply]) -> None:
        """Store what came, in the thread that the campaign was opened in."""
        for one in answers:
            if one.text is None:
                del self._asked[one.key]
                self._outcome.failed[one.failure] += 1
        came = (one for one in answers if one.text is not None)
        for model, of_model in groupby(came, lambda one: one.model):
            self._store(self._whose(model), of_model)
        self._on_progress(self._outcome.done, self.total)

    def _store(self, judge: AskedModel, replies: Iterable[ModelReply]) -> None:
        """In one transaction, as disks are slow to say that something is kept."""
        candidate, answered = self._candidate, []
        for reply in replies:
            question, seen = self._asked.pop(reply.key)
            answered.append((question, candidate.to_stored(question, reply, seen)))
        with candidate.campaign.writing():
            new = [store_answers(candidate.campaign, judge.key, [one]) == 1 for _, one in answered]
        for (question, answer), is_new in zip(answered, new, strict=True):
            self._outcome.count(question, answer, is_new=is_new)

    def _whose(self, model: str) -> AskedModel:
        judge = self.judge
        if judge is None or judge.model != model:
            judge = self._candidate.find_or_add_judge(model)
            if self.judge is None:
                self.judge = judge
            elif self._may_change:
                self.changed = judge
            else:
                raise UsageError(
                    f"the endpoint answers as {self.judge.model!r} and as {model!r} in turn",
                    "ask one model: write its whole name into judges.toml",
                )
        if judge.name not in self._outcome.judges:
            self._outcome.judges[judge.name] = self._candidate.changes(judge)
        return judge
