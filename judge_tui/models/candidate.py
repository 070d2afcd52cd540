"""A model of a judges file, with all that it takes to ask it about the pairs of a campaign."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import NamedTuple

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.documents import document_by_key
from judge_tui.campaign.store.judges import all_judges
from judge_tui.campaign.store.model_answers import (
    AskedModel,
    ModelAnswer,
    OpenPair,
    add_model_judge,
    asked_models,
)
from judge_tui.campaign.store.queries import query_by_key
from judge_tui.collect.secrets import Secrets
from judge_tui.errors import InputError, UsageError
from judge_tui.model import Document, Pair, Query
from judge_tui.models.answers import Reading, find_probabilities, read_grade
from judge_tui.models.asking import ModelReply
from judge_tui.models.identity import Identity, identity_of
from judge_tui.models.probes import PROBES, SeenDocument
from judge_tui.models.prompts import Prompt, Request, read_prompt
from judge_tui.models.settings import JudgeSettings, read_judges
from judge_tui.pooling.order import drawn


class ModelQuestion(NamedTuple):
    """What is asked: about a pair, with one of `PROBES` planted in its document, "" for none."""

    pair: OpenPair
    probe: str = ""


@dataclass(frozen=True)
class Candidate:
    """A model of a judges file, with all that it takes to ask it about a campaign."""

    campaign: Campaign
    name: str
    settings: JudgeSettings
    prompt: Prompt

    def latest_judge(self) -> AskedModel | None:
        """The judge that it is: all is the same but, maybe, the model that the endpoint reports;
        the latest, where that was another one before. None where it has not judged."""
        rest = identity_of(self.settings, self.prompt).rest
        same = [one for one in self._judges() if one.rest == rest]
        return same[-1] if same else None

    def find_or_add_judge(self, model: str) -> AskedModel:
        """The judge that it is where the endpoint reports this model, made if new."""
        identity = identity_of(self.settings, self.prompt, model)
        return add_model_judge(
            self.campaign, self.name, identity.digest, identity.model, identity.rest
        )

    def changes(self, judge: AskedModel) -> str:
        """What is another since the last judge of that name before this one, in words; "" where
        there was none."""
        earlier = [one for one in self._judges() if one.key < judge.key]
        if not earlier:
            others = (one.name for one in all_judges(self.campaign) if one.key != judge.key)
            return f"the grades of {self.name} came from elsewhere" if self.name in others else ""
        return Identity(judge.model, judge.rest).changes(
            Identity(earlier[-1].model, earlier[-1].rest)
        )

    def _judges(self) -> list[AskedModel]:
        return [one for one in asked_models(self.campaign) if one.called == self.name]

    def to_stored(self, question: ModelQuestion, reply: ModelReply, chars_seen: int) -> ModelAnswer:
        """A reply as it is stored: its grade, or why there is none."""
        text, scale = reply.text or "", self.prompt.scale
        reading = Reading(None, reply.failure) if reply.failure else read_grade(text, scale)
        return ModelAnswer(
            pair=question.pair.key,
            raw=text,
            grade=reading.grade,
            reason=reading.reason,
            probabilities=find_probabilities(reply.tokens, reading, scale),
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            seconds=reply.seconds,
            chars_seen=chars_seen,
            probe=question.probe,
        )

    def ids(self, pair: OpenPair) -> Pair:
        """The ids of query and document."""
        document, _ = document_by_key(self.campaign, pair.document)
        return query_by_key(self.campaign, pair.query).query_id, document.doc_id

    def requests(
        self, questions: Iterable[ModelQuestion]
    ) -> Iterator[tuple[ModelQuestion, Request]]:
        """What is asked by each, read as it is asked for."""
        for query_key, of_query in groupby(questions, lambda one: one.pair.query):
            query = query_by_key(self.campaign, query_key)
            for one in of_query:
                document, _ = document_by_key(self.campaign, one.pair.document)
                yield one, self._request(query, document, one.probe)

    def _request(self, query: Query, document: Document, probe: str) -> Request:
        if not probe:
            return self.prompt.request(query, document)
        place = partial(drawn(self.campaign.settings.seed, probe), query.query_id, document.doc_id)
        return self.prompt.request(
            query,
            document,
            lambda text: PROBES[probe](SeenDocument(text, query, self.prompt.scale, place)),
        )


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
