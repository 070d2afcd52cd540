"""The judges file (TOML): which models judge, and how they are asked.

[judges.umbrela]
url = "http://localhost:8000/v1"
model = "Qwen/Qwen3-32B"
prompt = "umbrela"
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import AfterValidator, Field, JsonValue, PrivateAttr, model_validator

from judge_tui.campaign.store.judges import proper_name
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.settings import Limits, Name, Options, SecretText, Strict, Text, Texts, Url
from judge_tui.collect.validation import Words, validated
from judge_tui.errors import UsageError, unknown
from judge_tui.formats.toml_file import read_toml

_PATH = "chat/completions"


class ShippedPrompt(NamedTuple):
    """What belongs to a prompt that comes with judge_tui, `prompts/NAME.md.j2`:
    `frequency_penalty`, where no other is set; the `grades` that it is for, None for any."""

    frequency_penalty: float = 0.0
    grades: tuple[int, ...] | None = None


SHIPPED: Mapping[str, ShippedPrompt] = {
    "umbrela": ShippedPrompt(0.5, (0, 1, 2, 3)),
    "guidelines": ShippedPrompt(),
}
"""The prompts that come with judge_tui, by name."""


class JudgeSettings(Limits):
    """A model that judges, behind an endpoint that speaks OpenAI's chat completions."""

    url: Url
    """The address up to `/v1`; `chat/completions` is put behind it."""
    model: Text
    """The model that the endpoint is asked for."""
    prompt: Text = "umbrela"
    """`umbrela`, `guidelines`, or a file `NAME.md.j2`, from the folder of this one."""
    api_key: SecretText = ""
    """Sent as a bearer token; write `"${NAME}"` and set that in the environment."""
    headers: Texts = Field(default={})
    """Other headers to send; `${NAME}` is read from the environment."""
    temperature: float = Field(default=0.0, ge=0, le=100)
    """The temperature that is asked for."""
    top_p: float = Field(default=1.0, gt=0, le=1)
    """The share of the likeliest tokens that the model draws from."""
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    """The penalty for tokens that came before; 0.5 with the prompt `umbrela`, else 0."""
    max_tokens: int = Field(default=100, ge=1, le=1_000_000)
    """The longest answer; one that is cut there is no grade."""
    seed: int | None = None
    """The seed that is asked for."""
    json_schema: bool = False
    """Whether the answer must be `{"grade": N}`, by a schema that is sent."""
    logprobs: bool = True
    """Whether to ask for the probabilities of the grades; an endpoint may have none."""
    options: Options = Field(default={})
    """What else is sent with each request."""
    concurrency: int = Field(default=8, ge=1, le=1_000)
    """How many requests are under way at once."""
    timeout: float = Field(default=120.0, ge=0.001, le=86_400)
    """Seconds to wait for one answer."""
    price_in: float | None = Field(default=None, ge=0)
    """The price of a million tokens of prompts."""
    price_out: float | None = Field(default=None, ge=0)
    """The price of a million tokens of answers."""
    max_document_chars: int = Field(default=24_000, ge=1)
    """What is behind this many characters of a document is cut."""

    _secrets: Secrets = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Keep the secrets of the file, which the context of validation is."""
        self._secrets = context

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        if (self.price_in is None) != (self.price_out is None):
            raise ValueError("has one price; write both price_in and price_out")
        if fixed := _FIXED & self.options.keys():
            raise ValueError(f"has {min(fixed)} in options; write that as a setting of its own")
        return self

    @property
    def secrets(self) -> Secrets:
        """Those that the file names; `redact` is for whatever is stored or printed."""
        return self._secrets

    @property
    def endpoint(self) -> str:
        """The address to send requests to, with its secrets."""
        address, mark, query = self._secrets.expand_url(self.url).partition("?")
        return f"{address.rstrip('/')}/{_PATH}{mark}{query}"

    @property
    def sent_headers(self) -> dict[str, str]:
        """The headers of requests, with their secrets."""
        key: dict[str, str] = {}
        if self.api_key:
            key["Authorization"] = f"Bearer {self._secrets.expand(self.api_key)}"
        expanded: dict[str, str] = self._secrets.expand(self.headers)
        return key | expanded

    @property
    def sampling(self) -> dict[str, JsonValue]:
        """What is sent beside model and messages, less `options`; grades depend on it."""
        penalty = self.frequency_penalty
        if penalty is None:
            penalty = SHIPPED.get(self.prompt, ShippedPrompt()).frequency_penalty
        sent: dict[str, JsonValue] = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "frequency_penalty": penalty,
            "max_tokens": self.max_tokens,
        }
        if self.seed is not None:
            sent["seed"] = self.seed
        return sent


_FIXED = frozenset(
    {"model", "messages", "response_format", "top_logprobs", "stream", "n"}
    | {"temperature", "top_p", "frequency_penalty", "max_tokens", "seed", "logprobs"}
)


def _of_a_model(name: str) -> str:
    try:
        return proper_name(name, "model")
    except UsageError as error:
        raise ValueError(str(error)) from error


class JudgesFile(Strict):
    """The whole file."""

    judges: dict[Annotated[Name, AfterValidator(_of_a_model)], JudgeSettings] = Field(min_length=1)

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        if len({name.casefold() for name in self.judges}) < len(self.judges):
            raise ValueError("has names that differ in case alone; rename one of the judges")
        return self


_WORDS = Words(
    example='[judges.NAME] url = "…" model = "…"',
    topic="asking-models",
    tables="judges",
    models=(JudgeSettings, JudgesFile),
)


@dataclass(frozen=True)
class Judges:
    """The judges of a file by name, in its order, and the line of each."""

    path: str
    judges: Mapping[str, JudgeSettings]
    lines: Mapping[str, int | None]

    @property
    def folder(self) -> Path:
        """Where the paths in the file begin."""
        return Path(self.path).resolve().parent


def read_judges(
    path: str | os.PathLike[str],
    *,
    only: str | None = None,
    secrets: Secrets | None = None,
) -> Judges:
    """Read and check a judges file. `only`: the one name that is wanted; secrets of the others need
    not be there. `secrets`: by default those of the environment.

    Raises `InputError` with the line of each fault, the others in its `also`; `UsageError` for a
    name that the file does not have.
    """
    file = read_toml(path, _WORDS.example)
    table = dict(file.table)
    tables = table.get("judges")
    if only is not None and isinstance(tables, dict) and tables:
        if only not in tables:
            refusal = unknown("judge", only, tables)
            raise UsageError(f"{refusal.what} in {path}", refusal.mend)
        table["judges"] = {only: tables[only]}
    secrets = secrets or Secrets(os.environ)
    valid = validated(file, table, JudgesFile, secrets, _WORDS)
    file.raise_refusals()
    assert valid is not None  # noqa: S101 - else something was refused
    lines = {name: file.line(("judges", name)) for name in valid.judges}
    return Judges(os.fspath(path), valid.judges, lines)
