"""Campaigns in the states that the app's tests start from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from judge_tui.campaign import Campaign, create_campaign
from judge_tui.campaign.extend_pool import extend_pool
from judge_tui.campaign.loading.documents import load_document_files
from judge_tui.campaign.loading.judgments import load_judgments
from judge_tui.campaign.loading.queries import load_queries
from judge_tui.campaign.store.events import append_event
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.model import Scale
from tests.campaigns import load_run

GRADES = "q1 0 csv.reader 3\nq1 0 csv.writer 1\nq1 0 json.load 0\nq2 0 sorted 3\nq2 0 json.load 0\n"
"""All of the pool of the small campaign but list.sort, the first of alpha for q2."""


def graded(campaign: Campaign, lines: str = GRADES, judge: str = "ann") -> Campaign:
    """The campaign, once a file has brought these grades; "bot" is a model."""
    path = campaign.path.with_name(f"{judge}.qrels")
    path.write_text(lines)
    kind = "model" if judge == "bot" else "human"
    load_judgments(campaign, path, judge=judge, kind=kind)
    return campaign


def with_run(campaign: Campaign, name: str, lines: str) -> Campaign:
    """The campaign with one more run."""
    path = campaign.path.with_name(f"{name}.run")
    path.write_text(lines)
    load_run(campaign, path, tag=name)
    return campaign


JUDGED: Mapping[str, Mapping[tuple[str, str], int | str]] = {
    "ann": {
        ("q1", "csv.reader"): 2,
        ("q1", "csv.writer"): 0,
        ("q1", "json.load"): 0,
        ("q2", "list.sort"): 1,
        ("q2", "sorted"): 0,
        ("q2", "json.load"): 0,
    },
    "bob": {
        ("q1", "csv.reader"): 2,
        ("q1", "csv.writer"): "cannot",
        ("q1", "json.load"): 1,
        ("q2", "list.sort"): 2,
        ("q2", "sorted"): 3,
        ("q2", "json.load"): 0,
    },
}
"""Judge -> pair -> what the judge did.

By nDCG@10, with what the two judges disagree about left out (linear gains, log2 discounts; a pair
that is set joins in):

- q1 json.load, 0 or 1. With 0, alpha has 1 and .6309 has beta on q1; on q2 both have 0: alpha is
  better by .1845 on average. With 1 the ideal is 2 + .6309: alpha has 2 / 2.6309 = .7602, beta
  (1 + 1.2619) / 2.6309 = .8597, so that beta is better by .0498. One swap, a change of .2343.
- q2 sorted, 0 or 3. With 3 it is the only relevant document of q2: beta has 1, alpha .6309, and
  all in all they are even; with 0 alpha is better by .1845. One swap, a change of .1845.
- q2 list.sort, 1 or 2: it is the only relevant document either way. With it alpha has 1 on q2, and
  beta 0, where both have 0 as it stands: no swap, a change of .5.
"""

IN_ORDER = ["json.load", "sorted", "list.sort"]
"""The disagreements of `JUDGED`, those first that matter most."""


def disputed(campaign: Campaign) -> dict[str, Judge]:
    """Let ann and bob judge; bob has a comment and ann a flag."""
    judges = {name: add_judge(campaign, name) for name in JUDGED}
    for name, given in JUDGED.items():
        for (query_id, doc_id), done in given.items():
            append_event(
                campaign,
                judge=judges[name].key,
                pair=pair_key(campaign, query_id, doc_id),
                action="cannot" if done == "cannot" else "grade",
                grade=done if isinstance(done, int) else None,
                looked=12.0 if name == "ann" else None,
            )
    pair = pair_key(campaign, "q1", "json.load")
    append_event(campaign, judge=judges["bob"].key, pair=pair, action="comment", note="see [/] row")
    pair = pair_key(campaign, "q1", "csv.reader")
    append_event(campaign, judge=judges["ann"].key, pair=pair, action="flag")
    return judges


def pair_key(campaign: Campaign, query_id: str, doc_id: str) -> int:
    """The file's own key of a pair."""
    rows = campaign.rows(
        "SELECT p.id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document WHERE q.query_id = ? AND d.doc_id = ?",
        (query_id, doc_id),
    )
    return int(rows[0][0])


def campaign_of(
    folder: Path,
    documents: Mapping[str, str] | Sequence[Mapping[str, object]],
    query: str = "read a CSV file",
    *,
    scale: str = "0=no,1=some,2=good,3=perfect",
    **settings: object,
) -> Campaign:
    """One query, q1, and these documents in its pool: texts by doc_id, or whole documents.
    `settings` go to `create_campaign`."""
    if isinstance(documents, Mapping):
        documents = [{"doc_id": name, "text": text} for name, text in documents.items()]
    files = {
        "queries.jsonl": [json.dumps({"query_id": "q1", "text": query})],
        "documents.jsonl": [json.dumps(document) for document in documents],
        "one.run": [
            f"q1 Q0 {document['doc_id']} {rank} {1 / rank} one"
            for rank, document in enumerate(documents, start=1)
        ],
    }
    for name, lines in files.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = {"name": "made", "seed": 7, **settings}
    campaign = create_campaign(folder / "made.db", scale=Scale.parse(scale), **options)
    load_queries(campaign, folder / "queries.jsonl")
    load_run(campaign, folder / "one.run", depth=max(1, len(documents)))
    load_document_files(campaign, [folder / "documents.jsonl"])
    extend_pool(campaign, depth=max(1, len(documents)))
    return campaign
