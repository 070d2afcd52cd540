"""The campaign as a collection that other tools take: queries, documents and final grades."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from judge_tui.campaign.exporting import Exported
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import all_documents
from judge_tui.campaign.store.queries import all_queries
from judge_tui.errors import InputError
from judge_tui.formats.writers import COLLECTIONS
from judge_tui.formats.writing import write_lines
from judge_tui.model import Document


def export_collection(
    campaign: Campaign,
    path: str | os.PathLike[str],
    form: str,
    *,
    policy: str = "majority",
    unresolved: str = "refuse",
    include_models: bool | None = None,
) -> Exported:
    """Write the files of one of `COLLECTIONS` into a folder, which is made if new; beside the qrels
    where they came from.

    The qrels are those of `export_qrels`, and come first: what they are refused for, nothing is
    written for. A folder that was new and could not be written whole is removed. Raises
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

    is_new = not folder.exists()
    try:
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
    except BaseException:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return Exported(
        {
            "queries": len(queries),
            "documents": counts["documents"],
            "grades": graded.written["pairs"],
        },
        {"documents without a text": counts["without a text"]},
        graded.left_out,
    )


def _make(*folders: Path) -> None:
    for folder in folders:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            what = f"cannot be a folder to write to: {error.strerror}"
            raise InputError(folder, None, what, "check the path and its permissions") from error
