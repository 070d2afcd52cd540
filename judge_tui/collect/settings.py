"""What a systems file may say: one model a kind of system (pydantic)."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from judge_tui.collect.extract import compile_path, compile_pattern
from judge_tui.collect.template import asks_query

__all__ = [
    "KINDS",
    "Arm",
    "ChatTaskSystem",
    "CommandSystem",
    "EmbeddingSystem",
    "HttpSystem",
    "Identify",
    "Limits",
    "Results",
    "SystemSettings",
    "SystemsFile",
]

_GROUP_OF_WORDS = r"(?<!\\)\((?:[\w-]+\|)*[\w-]+\)"


def _is_path(text: str) -> str:
    compile_path(text)
    return text


def _is_pattern(text: str) -> str:
    compile_pattern(text)
    return text


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _is_json(value: Any) -> Any:
    try:
        if isinstance(value, str):
            return json.loads(value)
        json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        raise ValueError('is no JSON; write a table or JSON, and "{k}" in quotes') from None
    return value


Path_ = Annotated[str, Field(min_length=1), AfterValidator(_is_path)]
Pattern = Annotated[str, Field(min_length=1), AfterValidator(_is_pattern)]
Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
Texts = dict[str, Annotated[str, BeforeValidator(_as_text)]]
Argv = Annotated[list[str], Field(min_length=1)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}$")]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Limits(Strict):
    """How patiently a system is asked."""

    timeout: float = Field(default=30.0, ge=0.001, le=86_400)
    retries: int = Field(default=2, ge=0, le=100)
    rate: float | None = Field(default=None, ge=1e-4, le=1e6)
    max_wait: float = Field(default=120.0, ge=0, le=86_400)


class Identify(Strict):
    """A program or a URL (GET) that says which system it is; `expect` must be in it."""

    argv: Argv | None = None
    cwd: str | None = None
    url: str | None = None
    headers: Texts = {}
    expect: Pattern

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.argv is None) == (self.url is None):
            raise ValueError('needs argv or url, one of them; argv = ["tool", "--version"]')
        return self


class System(Limits):
    """What every kind has."""

    identify: Identify | None = None


class Results(Strict):
    """Where the results stand in a reply."""

    results: Path_ | None = None
    id: Path_ | None = None
    score: Path_ | None = None
    title: Path_ | None = None
    text: Path_ | None = None
    doc_url: Path_ | None = None
    missing_is_empty: bool = False
    lines: bool = False
    pattern: Pattern | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.pattern is None and not (self.results and self.id):
            raise ValueError('needs results and id, or pattern; results = "results[*]" id = "path"')
        others = [name for name in Results.model_fields if name in self.model_fields_set]
        if self.pattern is not None and len(others) > 1:
            others.remove("pattern")
            raise ValueError(f"has pattern and {', '.join(others)}; leave one of the two ways out")
        if self.pattern is not None:
            _refuse_group_of_words(self.pattern)
        return self


class HttpSystem(System, Results):
    """A search API."""

    kind: Literal["http"]
    url: Text
    method: Literal["GET", "POST", "QUERY"] | None = None
    headers: Texts = {}
    params: Texts = {}
    body: Annotated[Any, AfterValidator(_is_json)] = None

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if self.body is not None and self.method == "GET":
            raise ValueError('has a body and method GET; write method = "POST"')
        if not any(map(asks_query, (self.url, self.params, self.body))):
            raise ValueError("has the query in neither url, params nor body; write {query} there")
        return self


class CommandSystem(System, Results):
    """A program that prints its results."""

    kind: Literal["command"]
    argv: Argv
    cwd: str = "."
    env: Texts = {}
    ok_codes: Annotated[list[int], Field(min_length=1)] = [0]

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if not asks_query(self.argv):
            raise ValueError("has no {query} in argv; write it where the query stands")
        return self


class EmbeddingSystem(System):
    """An embedding endpoint, and the documents that are nearest by exact cosine."""

    kind: Literal["embedding"]
    url: Text
    model: Text
    headers: Texts = {}
    documents: Text | None = None
    candidates: bool = False
    dimensions: int | None = Field(default=None, ge=1, le=1_000_000)
    batch: int = Field(default=64, ge=1, le=10_000)
    query_prefix: str = ""
    document_prefix: str = ""
    cache: Text = ".judge_tui-vectors"

    @model_validator(mode="after")
    def _searches(self) -> Self:
        if (self.documents is None) != self.candidates:
            raise ValueError('needs documents = "FILE" or candidates = true, one of them')
        return self


class Arm(Strict):
    """One way to put the tasks: with the top `k` of a search system, or without context.
    `documents`: a file with the texts of what it finds."""

    context: Text | None = None
    k: int = Field(default=5, ge=1, le=10_000)
    documents: Text | None = None


class ChatTaskSystem(System):
    """A chat endpoint that is put tasks, whose answers are checked."""

    kind: Literal["task"]
    url: Text
    model: Text
    headers: Texts = {}
    system: str = ""
    prompt: str = "{context}\n\n{query}"
    temperature: float | None = Field(default=None, ge=0, le=100)
    max_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None
    options: dict[str, Any] = {}
    context_chars: int = Field(default=20_000, ge=1)
    arms: Annotated[dict[Name, Arm], Field(min_length=1)]
    checks: Annotated[dict[Name, Argv], Field(min_length=1)]
    check_timeout: float = Field(default=30.0, ge=0.01, le=86_400)
    check_env: Texts = {}
    extract: Literal["code", "all"] = "code"
    language: str = ""
    file: str = Field(default="answer.py", pattern=r"^[\w][\w.+-]{0,99}$")
    unanswered: Literal["fails", "left out"] = "fails"

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if "{query}" not in self.prompt:
            raise ValueError("has no {query} in prompt; write {query} there")
        if any(arm.context for arm in self.arms.values()) and "{context}" not in self.prompt:
            raise ValueError(
                "has no {context} in prompt, and an arm has one; write {context} there"
            )
        columns = {"task", "arm", "task_id", "query_id", "id", "system", "run", "tag", "variant"}
        if named := columns & {name.casefold() for name in self.checks}:
            raise ValueError(f"has a check called {min(named)!r}, as another column; rename it")
        return self


SystemSettings: TypeAlias = HttpSystem | CommandSystem | EmbeddingSystem | ChatTaskSystem

KINDS: dict[str, type[System]] = {
    "http": HttpSystem,
    "command": CommandSystem,
    "embedding": EmbeddingSystem,
    "task": ChatTaskSystem,
}


class SystemsFile(Strict):
    defaults: Limits = Limits()
    systems: Annotated[
        dict[Name, Annotated[SystemSettings, Field(discriminator="kind")]], Field(min_length=1)
    ]


def _refuse_group_of_words(pattern: str) -> None:
    """A group of fixed words, as `(docs|wiki)`, would be the id of every result."""
    words = re.search(_GROUP_OF_WORDS, pattern)
    if words is not None and "(?P<id>" not in pattern:
        raise ValueError(
            f"has a pattern whose group {words[0]} would be the id; write (?:…) for a group that is"
            " none, or (?P<id>…) around the id"
        )
