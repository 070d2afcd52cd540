"""A TOML file against the models of its settings: whatever they refuse is refused with its line."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from judge_tui.collect.secrets import Secrets
from judge_tui.formats.toml_file import TomlFile

Model = TypeVar("Model", bound=BaseModel)


class Words(NamedTuple):
    """What refusals name: how such a file is written, the page of the manual about it, the table
    whose tables have names, the models, whose settings an unknown one may be a slip of, and the
    kinds that a table can be of, if there are any."""

    example: str
    topic: str
    tables: str
    models: Sequence[type[BaseModel]]
    kinds: Collection[str] = ()

    @property
    def settings(self) -> list[str]:
        """The names of all settings."""
        return sorted({name for one in self.models for name in one.model_fields})


def validated(
    file: TomlFile,
    table: Mapping[str, Any],
    model: type[Model],
    secrets: Secrets,
    words: Words,
) -> Model | None:
    """The table of a file as the model has it; None where `file.raise_refusals()` raises."""
    try:
        return model.model_validate(table, context=secrets)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            loc = tuple(map(str, fault["loc"]))
            _refuse(file, fault["type"], fault["msg"], loc, words)
        return None


def _refuse(file: TomlFile, kind: str, message: str, loc: tuple[str, ...], words: Words) -> None:
    """Refuse what pydantic has found at a place, in the words of this program."""
    is_named = loc[:1] == (words.tables,)
    is_name = loc[-1:] == ("[key]",)
    has_kind = words.kinds and is_named and not is_name
    place = loc[:-1] if is_name else loc[:2] + loc[3:] if has_kind else loc
    depth = 2 if len(place) > 1 and is_named else len(place) - 1
    where = f"[{'.'.join(place[:depth])}]" if depth > 0 else "the file"
    setting = ".".join(place[depth:])
    subject = setting or where
    match kind:
        case "value_error":
            reason, _, mend = message.removeprefix("Value error, ").partition("; ")
            what = reason if is_name else f"{subject} {reason}"
        case _ if is_name:
            what = f"{loc[-2]!r:.120} cannot be a name"
            mend = "use letters, digits, . _ + -"
        case "missing":
            what = f"{where} has no {setting}"
            mend = f"add {setting} = …" if depth > 0 else f"write {words.example}"
        case "extra_forbidden":
            near = difflib.get_close_matches(place[-1], words.settings, 1)
            what = f"{where} can have no setting {setting}"
            listed = f"judge-tui help {words.topic} lists them"
            mend = f"did you mean {near[0]}?" if near else listed
        case "union_tag_invalid" | "union_tag_not_found":
            place, what = (*place, "kind"), f"{where} has no known kind"
            mend = f"write kind = one of {', '.join(map(repr, words.kinds))}"
        case _:
            rule = message.partition(" ")[2].partition(" or object")[0]
            what, mend = f"{subject} cannot be used", f"it {rule.replace('dictionary', 'table')}"
    file.refuse(place, what, mend)
