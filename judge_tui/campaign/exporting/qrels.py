"""The final grades as qrels, and beside them where they came from; with queries and documents, as a
collection that other tools take."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from judge_tui.analysis.warnings import warn_of_models
from judge_tui.campaign.exporting import ExportCounts, refuse_same_texts
from judge_tui.campaign.overview.grading import (
    FinalGrades,
    final_grades,
    models_count,
    refuse_unresolved,
)
from judge_tui.campaign.store.adjudication import adjudications_by_lead
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import all_documents
from judge_tui.campaign.store.judges import all_judges
from judge_tui.campaign.store.judgments import pairs_graded
from judge_tui.campaign.store.queries import all_queries
from judge_tui.campaign.store.schema import SCHEMA_VERSION
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.run_paths import provenance_beside
from judge_tui.formats.writers import COLLECTIONS, QRELS_FORMS, GradedQuery, QrelsToWrite
from judge_tui.formats.writing import (
    as_named,
    bytes_of,
    is_stream,
    write_atomically,
    write_lines,
    writing_beside,
)
from judge_tui.model import Document
from judge_tui.version import __version__


def export_qrels(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    policy: str = "majority",
    unresolved: str = "refuse",
    include_models: bool | None = None,
    form: str = "trec",
    index: str = "",
) -> ExportCounts:
    """Write the final grades to `path` as qrels, and `path`.provenance.json beside it, both or
    none; to a stream the qrels alone. Compressed where `path` ends with .gz.

    `form`: one of `QRELS_FORMS`, of which some name the `index` of the documents. `unresolved`:
    `refuse` raises `UsageError` where the policy does not decide a judged pair, `skip` leaves such
    pairs out, `lead` takes only adjudicated and undisputed ones. Unjudged pairs are counted.
    """
    with campaign.reading():
        final = final_grades(
            campaign,
            policy=policy,
            undisputed_only=unresolved == "lead",
            include_models=include_models,
        )
        if unresolved == "refuse":
            refuse_unresolved(campaign, final, policy)
        lines = _lines(campaign, final, form, index)
        graded = pairs_graded(campaign)
        judges = [
            {"name": judge.name, "kind": judge.kind, "grades": graded.get(judge.key, (0, 0))[0]}
            for judge in sorted(all_judges(campaign), key=lambda one: one.name)
        ]
        leads = {} if policy.startswith("judge:") else adjudications_by_lead(campaign)
    text = "".join(lines)
    content = as_named(path, bytes_of([text]))
    queries, pairs = len(final.qrels), sum(map(len, final.qrels.values()))
    settings, used = campaign.settings, final.used
    provenance = {
        "schema_version": 1,
        "judge_tui": __version__,
        "campaign": {
            "name": settings.name,
            "seed": settings.seed,
            "scale": {str(grade): label for grade, label in settings.scale.labels.items()},
            "schema_version": SCHEMA_VERSION,
        },
        "judges": judges,
        "settled_by": [{"name": name, "pairs": pairs} for name, pairs in leads.items()],
        "counts": {
            "queries": queries,
            "pairs": pairs,
            "rules": final.rules,
            "unresolved": used.unresolved,
            "not_judged": used.unjudged,
            "models_alone": used.models_alone,
            "models_changed": used.models_changed,
            "models_unresolved": used.models_unresolved,
        },
        "format": form,
        "policy": policy,
        "unresolved": unresolved,
        "include_models": models_count(campaign, include_models),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    if is_stream(path):
        write_lines(path, [text])
    else:
        document = [json.dumps(provenance, indent=2, ensure_ascii=False), "\n"]
        with writing_beside(provenance_beside(path), document):
            write_atomically(path, [content])
    return ExportCounts(
        {"pairs": pairs, "queries": queries},
        final.rules,
        {"unresolved": used.unresolved, "not judged": used.unjudged},
        warn_of_models(used),
    )


def _lines(campaign: Campaign, final: FinalGrades, form: str, index: str) -> Iterator[str]:
    how = QRELS_FORMS[form]
    if how.needs_index and not index:
        raise UsageError(
            f"{form} needs the name of the documents' index", "give it with --index NAME"
        )
    queries = all_queries(campaign)
    if how.by_text:
        refuse_same_texts(queries, form)
    texts = {query.query_id: folded_text(query.text) for query in queries}
    graded = [
        GradedQuery(query_id, texts[query_id], dict(sorted(grades.items())))
        for query_id, grades in sorted(final.qrels.items())
    ]
    return how.lines(QrelsToWrite(graded, index))


def export_collection(
    campaign: Campaign,
    path: str | os.PathLike[str],
    form: str,
    *,
    policy: str = "majority",
    unresolved: str = "refuse",
    include_models: bool | None = None,
) -> ExportCounts:
    """Write the files of one of `COLLECTIONS` into a folder, which is made if new; beside the qrels
    where they came from.

    The qrels are those of `export_qrels`, and come first: what they are refused for, nothing is
    written for. A folder that was new is removed where writing it fails or is interrupted. Raises
    `InputError` where files cannot be written.
    """
    how = COLLECTIONS[form]
    folder = Path(path)
    counts: Counter[str] = Counter()

    def documents() -> Iterator[Document]:
        for document, has_text in all_documents(campaign):
            if has_text or not how.in_fields:
                counts["documents"] += 1
                yield document
            if not has_text:
                counts["without a text"] += 1

    with ExitStack() as undo:
        if not folder.exists():
            undo.callback(shutil.rmtree, folder, ignore_errors=True)
        _make(folder, (folder / how.qrels).parent)
        with campaign.reading():
            graded = export_qrels(
                campaign,
                folder / how.qrels,
                policy=policy,
                unresolved=unresolved,
                include_models=include_models,
                form=form,
            )
            queries = all_queries(campaign)
            write_lines(folder / how.queries, how.queries_writer.lines(queries))
            write_lines(folder / how.corpus, how.documents_writer.lines(documents()))
        undo.pop_all()
    return ExportCounts(
        {
            "queries": len(queries),
            "documents": counts["documents"],
            "grades": graded.written["pairs"],
        },
        {"documents without a text": counts["without a text"]},
        graded.left_out,
        graded.warnings,
    )


def _make(*folders: Path) -> None:
    for folder in folders:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            what = f"cannot be a folder to write to: {error.strerror}"
            raise InputError(folder, None, what, "check the path and its permissions") from error
