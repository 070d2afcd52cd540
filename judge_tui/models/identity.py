"""Which judge a model is: whatever its grades depend on. With another identity it is another
judge."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from judge_tui.models.answers import PARSER
from judge_tui.models.prompts import SYSTEM, Prompt
from judge_tui.models.settings import JudgeSettings

_IN_WORDS = {
    "model": "the model",
    "prompt": "the prompt",
    "scale": "the scale",
    "sampling": "the settings that are sent",
    "options": "the options",
    "max_document_chars": "max_document_chars",
    "parser": "how answers are read",
}
_NAMED = ("model", "max_document_chars")


class Identity(NamedTuple):
    """`model` as the server reports it, "" as long as it has not; `rest`: all else, as JSON."""

    model: str
    rest: str

    @property
    def digest(self) -> str:
        """SHA-256, in hexadecimal."""
        return _digest(self)

    def changes(self, earlier: Identity) -> str:
        """What is another since the earlier one, in words; "" where nothing is."""
        before, now = ({"model": one.model, **json.loads(one.rest)} for one in (earlier, self))
        return ", ".join(
            f"{words} ({before.get(key)} before, {now[key]} now)" if key in _NAMED else words
            for key, words in _IN_WORDS.items()
            if before.get(key) != now[key]
        )


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def identity_of(settings: JudgeSettings, prompt: Prompt, model: str = "") -> Identity:
    """The identity of a judge whose endpoint reports this model. Of `options` it has a digest: they
    may hold a secret, and the identity goes into the campaign."""
    parts: dict[str, Any] = {
        "prompt": f"{SYSTEM}\n{prompt.text}",
        "scale": str(prompt.scale),
        "sampling": settings.sampling,
        "options": _digest(settings.options),
        "max_document_chars": settings.max_document_chars,
        "parser": PARSER,
    }
    return Identity(model, json.dumps(parts, sort_keys=True))
