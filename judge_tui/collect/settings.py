"""What a systems file may say: the settings of each kind of system (pydantic). The context of
validation is the `Secrets` of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, cast, get_args

import httpx
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationInfo,
    model_validator,
)

from judge_tui.collect.extract import compile_path, compile_pattern
from judge_tui.collect.secrets import Secrets, find_names

_GROUP_OF_WORDS = re.compile(r"(?<!\\)\((?:[\w-]+\|)*[\w-]+\)")


def _compiles_by(compile: Callable[[str], object]) -> AfterValidator:
    """What compiles; it stays a text."""
    return AfterValidator(lambda text: compile(text) and text)


def _read_json(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        raise ValueError('is not JSON; write a table or JSON, and "{k}" in quotes') from None


def _asks_query(value: Any) -> bool:
    text = json.dumps(value)
    return "{query}" in text or "{query_id}" in text


def _hide_secrets(value: Any, info: ValidationInfo) -> Any:
    secrets = cast("Secrets", info.context)
    for name in find_names(value):
        secrets.hide(name)
    return value


def _refuse_secrets(value: Any) -> Any:
    # Whoever is on this machine sees the arguments of a program.
    for name in find_names(value):
        by_env = f'pass it by env = {{ {name} = "${{{name}}}" }}'
        raise ValueError(f"cannot contain ${{{name}}}; {by_env}")
    return value


def _check_url(text: str, info: ValidationInfo) -> str:
    try:
        url = httpx.URL(cast("Secrets", info.context).expand_url(text))
    except (httpx.InvalidURL, ValueError):
        url = httpx.URL()
    if url.scheme in ("http", "https") and url.host and "{" not in url.host:
        return text
    raise ValueError('is not http://… or https://…; write url = "https://host/path"')


_Secret, _Plain = AfterValidator(_hide_secrets), AfterValidator(_refuse_secrets)
SecretText = Annotated[str, _Secret]
Options = Annotated[dict[str, JsonValue], _Secret]
JmesPath = Annotated[str, _compiles_by(compile_path)]
Pattern = Annotated[str, Field(min_length=1), _compiles_by(compile_pattern)]
Text = Annotated[str, Field(pattern=r"\S"), _Plain]
Url = Annotated[str, _Secret, AfterValidator(_check_url)]
Texts = Annotated[dict[str, str], _Secret]
Argv = Annotated[list[str], Field(min_length=1), _Plain]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}$")]


class Strict(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True
    )


class Limits(Strict):
    """How patiently a system is asked."""

    timeout: float = Field(default=30.0, ge=0.001, le=86_400)
    """Seconds to wait for one reply."""
    retries: int = Field(default=2, ge=0, le=100)
    """How often a query that failed is asked again."""
    rate: float | None = Field(default=None, ge=1e-4, le=1e6)
    """At most this many requests a second."""
    max_wait: float = Field(default=120.0, ge=0, le=86_400)
    """The longest wait in seconds that a server may ask for before the next try."""


class Identify(Strict):
    """A program or a URL (GET) that says which system it is; `expect` must be in it. It is asked
    with the folder, the environment and the headers of the system."""

    argv: Argv | None = None
    """A program that prints which system it is."""
    url: Url | None = None
    """An address (GET) that says which system it is."""
    expect: Pattern
    """A regular expression that must match what it says; else nothing is asked."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.argv is None) == (self.url is None):
            raise ValueError('needs argv or url, one of them; argv = ["tool", "--version"]')
        return self


class SystemSettings(Limits):
    """What every kind has. `changes_no_reply`: the settings that no reply depends on."""

    changes_no_reply: ClassVar[frozenset[str]] = frozenset({"identify", *Limits.model_fields})

    identify: Identify | None = None
    """How to make sure that the right version is asked."""
    kind: str


class RemoteSettings(SystemSettings):
    """What every kind has that is asked over HTTP."""

    url: Url
    """The address. Kind `http` fills in `{query}`, `{query_id}` and `{k}` (depth)."""
    headers: Texts = {}
    """Headers to send; `${NAME}` is read from the environment."""


class ResultSettings(Strict):
    """Where the results stand in a reply."""

    results: JmesPath | None = None
    """A JMESPath expression that finds the list of results."""
    id: JmesPath | None = None
    """A JMESPath expression that finds the id of a result."""
    score: JmesPath | None = None
    """One for its score; without it the order counts."""
    title: JmesPath | None = None
    """One for its title."""
    text: JmesPath | None = None
    """One for its text."""
    doc_url: JmesPath | None = None
    """One for its address."""
    lines: bool = False
    """Whether each line of the reply is JSON by itself."""
    pattern: Pattern | None = None
    """A regular expression instead: each match is a result, its group the id."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        fields = self.model_fields_set & ResultSettings.model_fields.keys()
        if fields != {"pattern"} and ("pattern" in fields or not fields >= {"results", "id"}):
            raise ValueError(
                'needs results and id, or pattern alone; results = "results[*]" id = "path"'
            )
        pattern = self.pattern or ""
        words = _GROUP_OF_WORDS.search(pattern)
        if words is not None and "(?P<id>" not in pattern:
            raise ValueError(
                f"has a pattern whose group {words[0]} would be the id; write (?:…) for a group"
                " that is none, or (?P<id>…) around the id"
            )
        return self


class HttpSettings(ResultSettings, RemoteSettings):
    """A search API."""

    kind: Literal["http"]
    method: Literal["GET", "POST"] | None = None
    """GET, or POST where there is a body, unless you say otherwise."""
    body: Annotated[JsonValue, AfterValidator(_read_json), _Secret] = None
    """The JSON to send, as a table or a text."""

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if self.body is not None and self.method == "GET":
            raise ValueError('has a body and method GET; write method = "POST"')
        if not (_asks_query(self.url) or _asks_query(self.body)):
            raise ValueError("has the query in neither url nor body; write {query} there")
        return self


class CommandSettings(ResultSettings, SystemSettings):
    """A program that prints its results."""

    kind: Literal["command"]
    argv: Argv
    """The program and its arguments, one of which has `{query}`."""
    cwd: Text = "."
    """The folder that it starts in, from the folder of the file."""
    env: Texts = {}
    """Variables of its environment; `${NAME}` is read from yours."""
    ok_codes: Annotated[list[int], Field(min_length=1)] = [0]
    """The exit codes that are no failure."""

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if not _asks_query(self.argv):
            raise ValueError("has no {query} in argv; write it where the query stands")
        return self


class EmbeddingSettings(RemoteSettings):
    """An embedding endpoint, and the documents that are nearest by exact cosine."""

    changes_no_reply = SystemSettings.changes_no_reply | {"batch"}

    kind: Literal["embedding"]
    model: Text
    """The model that the endpoint is asked for."""
    documents: Text | None = None
    """The file of documents to search."""
    candidates: bool = False
    """Whether to rank the documents that a benchmark has for each query instead."""
    dimensions: int | None = Field(default=None, ge=1, le=1_000_000)
    """The length of the vectors that the endpoint is asked for."""
    batch: int = Field(default=64, ge=1, le=10_000)
    """How many texts go into one request."""
    query_prefix: str = ""
    """What is put before each query."""
    document_prefix: str = ""
    """What is put before each document."""

    @model_validator(mode="after")
    def _searches(self) -> Self:
        if (self.documents is None) != self.candidates:
            raise ValueError('needs documents = "FILE" or candidates = true, one of them')
        return self


class Arm(Strict):
    """One way to put the tasks: with the top `k` of a search system, or without context."""

    context: Text | None = None
    """The search system whose results come with the task."""
    k: int = Field(default=5, ge=1, le=10_000)
    """How many results come with it."""


class TaskSettings(RemoteSettings):
    """A chat endpoint that is put tasks, whose answers are checked."""

    # What it is asked is kept with each answer.
    changes_no_reply = SystemSettings.changes_no_reply | {"prompt", "arms", "checks", "file"}

    kind: Literal["task"]
    model: Text
    """The model that the endpoint is asked for."""
    system: str = ""
    """The system prompt."""
    prompt: str = "{context}\n\n{query}"
    """The prompt, with `{query}` and, for arms that search, `{context}`."""
    temperature: float | None = Field(default=None, ge=0, le=100)
    """The temperature that is asked for."""
    options: Options = {}
    """What else is sent with each request, such as `max_tokens`."""
    arms: Annotated[dict[Name, Arm], Field(min_length=1)]
    """The ways to put each task, by name."""
    checks: Annotated[dict[Name, Argv], Field(min_length=1)]
    """Programs that pass an answer by exit code 0 within `timeout`, by name."""
    file: str = Field("answer.py", pattern=r"^[\w][\w.+-]{0,99}$")
    """The name of the file with the code of an answer, which checks see."""

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if "{query}" not in self.prompt:
            raise ValueError("has no {query} in prompt; write {query} there")
        if any(arm.context for arm in self.arms.values()) and "{context}" not in self.prompt:
            raise ValueError(
                "has no {context} in prompt, and an arm has one; write {context} there"
            )
        return self


AnySystem: TypeAlias = HttpSettings | CommandSettings | EmbeddingSettings | TaskSettings
"""A new kind of system joins here; `_open_system` in `collector` opens it."""

KINDS: dict[str, type[SystemSettings]] = {
    get_args(one.model_fields["kind"].annotation)[0]: one for one in get_args(AnySystem)
}
"""Each by its `kind`."""


class SystemsFile(Strict):
    """The whole file."""

    defaults: Limits = Limits()
    systems: dict[Name, Annotated[AnySystem, Field(discriminator="kind")]] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_a_file_for_each(self) -> Self:
        if len({name.casefold() for name in self.systems}) < len(self.systems):
            raise ValueError("has names that differ in case alone; rename one of the systems")
        return self
