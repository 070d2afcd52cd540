"""Documents as files of other tools name them that have no ids: by their texts."""

from __future__ import annotations

import os
from collections.abc import Iterable

from judge_tui.campaign.file import Campaign
from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted

__all__ = ["FoundDocuments"]


class FoundDocuments:
    """The documents of a campaign that have one of these texts, with or without the title before
    it; white space in it counts as one blank."""

    def __init__(
        self, campaign: Campaign, path: str | os.PathLike[str], passages: Iterable[str]
    ) -> None:
        self._path = path
        self._by_text: dict[str, list[str]] = {_words(passage): [] for passage in passages}
        if not self._by_text:
            return
        for doc_id, title, text in campaign.rows(
            "SELECT doc_id, title, text FROM documents WHERE text IS NOT NULL ORDER BY doc_id"
        ):
            words = _words(text)
            for form in {words, f"{_words(title)} {words}".strip()}:
                if form in self._by_text:
                    self._by_text[form].append(doc_id)

    def ids_of(self, passage: str, line: int, *, skip_unknown: bool) -> list[str]:
        """The ids of the documents of that text: several may have one. None where there is none and
        such are to be skipped, else `InputError`."""
        found = self._by_text[_words(passage)]
        if found or skip_unknown:
            return found
        raise InputError(
            self._path,
            line,
            f"no document of the campaign has the text {quoted(' '.join(passage.split()))}",
            "load the documents first (load docs --all), or leave such rows out with"
            " --skip-unknown",
        )


def _words(text: str) -> str:
    return " ".join(text.split())
