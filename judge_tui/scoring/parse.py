"""Names of measures, as ir_measures writes them, read with some tolerance."""

from __future__ import annotations

import re
from collections.abc import Iterable

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import Definition, Measure, Value
from judge_tui.scoring.measures import MEASURES

__all__ = ["parse_measure", "parse_measures"]

_FORM = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S*))?\s*", re.ASCII)


def parse_measure(text: str) -> Measure:
    """Read a name such as `nDCG@10`, `AP(rel=2)@100` or `nDCG(dcg='exp-log2')@10`.

    Spaces and the kind of quotes do not matter, `cutoff=10` may stand among the parameters, and
    aliases (`MRR`, `Hit`) are understood. For every measure m, `parse_measure(str(m)) == m`.
    Raises `UsageError` for an unknown name, a parameter or a cutoff that the measure does not take.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not the name of a measure", "write it as nDCG@10")
    name, inside, cutoff = match.groups()
    definition = _definition(name, cutoff)
    given = _parameters(definition, inside or "")
    if "cutoff" in given:
        if cutoff is not None:
            raise UsageError(f"{text!r} has two cutoffs", f"write {name}@{cutoff}")
        cutoff = given.pop("cutoff")
    return Measure(definition, _chosen(definition, given), _cutoff(definition, cutoff))


def parse_measures(measures: Iterable[str | Measure] | str | Measure) -> tuple[Measure, ...]:
    """Read one or several, each once, in the order given."""
    if isinstance(measures, str | Measure):
        measures = (measures,)
    return tuple(dict.fromkeys(m if isinstance(m, Measure) else parse_measure(m) for m in measures))


def _definition(name: str, cutoff: str | None) -> Definition:
    names = {alias: d for d in MEASURES.values() for alias in (d.name, *d.aliases)}
    if name in names:
        return names[name]

    import difflib  # noqa: PLC0415 - only a mistake needs it, and it costs start-up

    lower: dict[str, str] = {}
    for alias in names:
        lower.setdefault(alias.lower(), alias)
    near = difflib.get_close_matches(name.lower(), lower, 1, 0.5)
    at = f"@{cutoff}" if cutoff else ""
    raise UsageError(
        f"no measure {name!r}",
        f"did you mean {lower[near[0]]}{at}?" if near else f"there are {', '.join(MEASURES)}",
    )


def _parameters(definition: Definition, inside: str) -> dict[str, str]:
    taken = [*(parameter.name for parameter in definition.parameters), "cutoff"]
    given: dict[str, str] = {}
    for part in inside.split(",") if inside.strip() else ():
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if name not in taken:
            raise UsageError(
                f"{definition.name} takes no parameter {name!r}", f"it takes {' and '.join(taken)}"
            )
        if not sign or name in given:
            raise UsageError(
                f"parameter {name!r} of {definition.name} is to be given once, with its value",
                f"write {definition.name}({name}=...)",
            )
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        given[name] = value[1:-1] if quoted else value
    return given


def _chosen(definition: Definition, given: dict[str, str]) -> tuple[tuple[str, Value], ...]:
    chosen = []
    for parameter in definition.parameters:
        if parameter.name not in given:
            continue
        try:
            value = parameter.read(given[parameter.name])
        except ValueError:
            raise UsageError(
                f"{parameter.name} of {definition.name} is not {given[parameter.name]!r}",
                f"write {parameter.allowed}",
            ) from None
        if value != parameter.default:
            chosen.append((parameter.name, value))
    return tuple(chosen)


def _cutoff(definition: Definition, text: str | None) -> int | None:
    if text is None:
        if definition.cutoff == "required":
            raise UsageError(f"{definition.name} needs a cutoff", f"write {definition.name}@10")
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise UsageError(
            f"cutoff {text!r} of {definition.name} is not a whole number from 1",
            f"write {definition.name}@10",
        )
    return int(text)
