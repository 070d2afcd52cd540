"""A judges file, the endpoint that it names, and what is asked and stored of the small campaign."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from judge_tui.campaign import open_campaign
from judge_tui.campaign.store.model_answers import asked_models, model_answers
from tests.models.endpoint import vllm

TEXTS = {
    "csv.reader": "Reads a CSV file.",
    "csv.writer": "Writes CSV files.",
    "json.load": "Reads JSON.",
    "list.sort": "Sorts the list in place.",
    "sorted": "Returns a sorted list.",
}
JUDGES = """\
[judges.umbrela]
url = "{url}/v1"
model = "m"
concurrency = {concurrency}
retries = 0
price_in = 1000.0
price_out = 5000.0
{more}
"""


@pytest.fixture
def judges(server, files, campaign, usual, monkeypatch):
    """Writes judges.toml, in the folder that commands run in."""
    campaign.close()
    monkeypatch.chdir(files)

    def write(more: str = "", concurrency: int = 4) -> None:
        text = JUDGES.format(url=server.url, concurrency=concurrency, more=more)
        (files / "judges.toml").write_text(text)

    write()
    return write


def asked_about(request):
    """The query and the document of a request."""
    text = request["messages"][-1]["content"]
    doc_id = next(doc_id for doc_id, its in TEXTS.items() if f"\n{its}\n</document-1>" in text)
    return re.search(r"^Query: (.*)$", text, re.MULTILINE)[1], doc_id


def grades(text="##final score: 2", **pairs):
    """An endpoint that answers `text`, but for these documents."""
    return lambda request: vllm(pairs.get(asked_about(request)[1].replace(".", "_"), text))


def asked(server):
    """How often the endpoint was asked about each query and document."""
    return Counter(asked_about(json.loads(body)) for *_, body in server.asked)


def stored(files):
    """Judge -> (query_id, doc_id) -> its answer."""
    with open_campaign(files / "campaign.db") as campaign, campaign.reading():
        return {
            judge.name: {tuple(ids): one for *ids, one in model_answers(campaign, judge.key)}
            for judge in asked_models(campaign)
        }
