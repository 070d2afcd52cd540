"""The kinds of live systems: the settings of each in a systems file, and what is searched by them.
A kind is added by a line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.collect.command_system import CommandSearch
from judge_tui.collect.embedding_system import EmbeddingSearch
from judge_tui.collect.http_system import HttpSearch
from judge_tui.collect.search_system import SearchSystem
from judge_tui.collect.settings import (
    CommandSettings,
    EmbeddingSettings,
    HttpSettings,
    SystemSettings,
    TaskSettings,
)

if TYPE_CHECKING:
    from judge_tui.collect.work import CollectRequest


class Kind(NamedTuple):
    """`search` is None of what is put tasks in place of queries."""

    settings: type[SystemSettings]
    search: Callable[[Any, CollectRequest], SearchSystem] | None


KINDS = {
    "http": Kind(HttpSettings, HttpSearch),
    "command": Kind(CommandSettings, CommandSearch),
    "embedding": Kind(EmbeddingSettings, EmbeddingSearch),
    "task": Kind(TaskSettings, None),
}
