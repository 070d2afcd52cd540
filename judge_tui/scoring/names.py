"""Names of measures, as ir_measures and trec_eval write them, and the measures that they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import (
    JUDGED_ONLY,
    Definition,
    Measure,
    Parameter,
    Setting,
    whole_number,
)
from judge_tui.scoring.measures import MEASURES
from judge_tui.scoring.trec_names import GROUPS, TREC_NAMES, TrecName, read_trec_name


class Foreign(Protocol):
    """A measure of ir_measures: its `str()` is its full name."""

    @property
    def NAME(self) -> Any: ...  # noqa: N802 - what ir_measures calls it


MeasureLike: TypeAlias = Measure | str | Foreign
"""A measure, or what names one."""

Settings: TypeAlias = Mapping[str, str]
"""Parameters of a measure as text; `cutoff` is one of them."""

_BY_NAME = {name: one for one in MEASURES.values() for name in (one.name, *one.aliases)}
_BY_LOWER = {name.lower(): one for name, one in _BY_NAME.items()}

_TELLS_APART = {"NumRet": "rel", "SetP": "relative", "SetRelP": "relative"}
"""The parameter that tells two measures apart to which ir_measures gives one name."""

_FORM = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S*))?\s*", re.ASCII)


def parse_measure(
    measure: MeasureLike, *, rel: int | None = None, max_rel: int | None = None
) -> Measure:
    """Read a name such as `nDCG@10`, `AP(rel=2)@100`, `nDCG(dcg='exp-log2')@10` or `ndcg_cut_10`.

    Spaces, case and the kind of quotes do not matter, `cutoff=10` may stand among the parameters,
    and aliases (`MRR`, `Hit`) are understood. For every measure m, `parse_measure(str(m)) == m`.
    `rel` (trec_eval -l) and `max_rel` (the greatest grade of the scale, for ERR) hold for measures
    that take them and are not given their own. A measure of ir_measures is read by its name, one of
    ours stays as it is. Raises `UsageError` for an unknown name, a parameter or a cutoff that the
    measure does not take, a name that means several measures, and what is no name.
    """
    several = _read(measure, _defaults(rel, max_rel), ours_first=True)
    if len(several) != 1:
        some = ", ".join(map(str, several[:3]))
        raise UsageError(
            f"{measure!r} is not one measure",
            f"name one, such as {some}" if some else "leave it out",
        )
    return several[0]


def parse_measures(
    measures: Iterable[MeasureLike] | MeasureLike,
    *,
    rel: int | None = None,
    max_rel: int | None = None,
) -> tuple[Measure, ...]:
    """Read one or several, each once, in the order given.

    trec_eval's names may mean several: `P` its usual cutoffs, `P.5,10` these, `official`,
    `all_trec` and `set` a group, of which what is no number (`runid`, `relstring`) is left out.
    `rel` and `max_rel` are those of `parse_measure`.
    """
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        measures = (measures,)
    defaults = _defaults(rel, max_rel)
    read = [one for asked in measures for one in _read(asked, defaults, ours_first=False)]
    return tuple(dict.fromkeys(read))


def _defaults(rel: int | None, max_rel: int | None) -> dict[str, str]:
    given = {"rel": rel, "max_rel": max_rel}
    return {name: str(value) for name, value in given.items() if value is not None}


def _read(asked: MeasureLike, defaults: Settings, *, ours_first: bool) -> list[Measure]:
    """Return the measures that are meant. `ours_first`: a name of both kinds that lacks its cutoff
    here (`P`) is ours, not a list."""
    if isinstance(asked, Measure):
        return [asked]
    if not isinstance(asked, str) and not isinstance(getattr(asked, "NAME", None), str):
        shown = " ".join(repr(asked).split())[:70]
        raise UsageError(f"{shown} is no measure", "name it, such as 'nDCG@10'")
    text = str(asked).strip()
    ours = _BY_NAME.get(text)
    is_ours = ours is not None and (ours_first or ours.cutoff != "required")
    if not any(sign in text for sign in "@(") and not is_ours:
        if (group := GROUPS.get(text)) is not None:
            return [one for name in group for one in measures_of_trec(name, "", defaults)]
        if (found := read_trec_name(text)) is not None:
            if not found[0].measure:
                raise UsageError(
                    f"{found[0].name} is no number", "it stands in trec_eval's own format alone"
                )
            return measures_of_trec(found[0], found[1], defaults)
    match = _FORM.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not the name of a measure", "write it as nDCG@10")
    return [_measure_named(text, match, defaults)]


def _measure_named(text: str, match: re.Match[str], defaults: Settings) -> Measure:
    name, inside, after = match.groups()
    definition = _BY_LOWER.get(name.lower())
    if definition is None:
        raise _unknown(name, after)
    settings = _settings(definition, inside or "")
    definition = _chosen_by_settings(definition, settings)
    if after is not None:
        if definition.after in settings:
            raise UsageError(f"{text!r} has two {definition.after}s", f"write {name}@{after}")
        settings[definition.after] = after
    return _made(definition, settings, defaults)


def _unknown(name: str, after: str | None) -> UsageError:
    known = [*_BY_NAME, *(() if after else (*TREC_NAMES, *GROUPS))]
    lower = {each.lower(): each for each in reversed(known)}  # of like names the first

    import difflib  # noqa: PLC0415 - only a mistake needs it, and it costs start-up

    near = difflib.get_close_matches(name.lower(), lower, 1, 0.5)
    at = f"@{after}" if after else ""
    return UsageError(
        f"no measure {name!r}",
        f"did you mean {lower[near[0]]}{at}?" if near else f"there are {', '.join(MEASURES)}",
    )


def _chosen_by_settings(definition: Definition, settings: dict[str, str]) -> Definition:
    """Return the measure that is meant where ir_measures has two under one name."""
    parameter = _TELLS_APART.get(definition.name)
    if parameter is None or parameter not in settings:
        return definition
    if parameter == "rel":
        return MEASURES["NumRelRet"]
    relative = settings.pop(parameter)
    if relative not in ("True", "False"):
        raise UsageError(f"relative of SetP is not {relative!r}", "write True or False")
    return MEASURES["SetRelP" if relative == "True" else "SetP"]


def parameters_of(definition: Definition) -> tuple[Parameter, ...]:
    """Return all that may stand in parentheses but for what may stand after the @."""
    condenses = definition.condenses and definition.looks_at_results and not definition.of_order
    return (*definition.parameters, *([JUDGED_ONLY] if condenses else ()))


def _settings(definition: Definition, inside: str) -> dict[str, str]:
    """Return the parameters in parentheses, as text without its quotes."""
    taken = [parameter.name for parameter in parameters_of(definition)]
    if definition.cutoff != "none" or definition.at is not None:
        taken.append(definition.after)
    settings: dict[str, str] = {}
    for part in _split(inside):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if name not in taken and name != _TELLS_APART.get(definition.name):
            raise UsageError(
                f"{definition.name} takes no parameter {name!r}",
                f"it takes {' and '.join(taken) or 'none'}",
            )
        if not sign or name in settings:
            raise UsageError(
                f"parameter {name!r} of {definition.name} is to be given once, with its value",
                f"write {definition.name}({name}=...)",
            )
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        settings[name] = value[1:-1] if quoted else value
    return settings


def _split(inside: str) -> list[str]:
    """Cut at commas, but for those in quotes and braces; the last comma may be one too many."""
    parts = re.findall(r"""((?:'[^']*'|"[^"]*"|\{[^}]*\}|[^,])*)(?:,|$)""", inside.strip())
    while parts and not parts[-1].strip():
        parts.pop()
    return parts


def _made(definition: Definition, settings: Settings, defaults: Settings) -> Measure:
    """Make a measure. Raises `UsageError` for a value that a parameter cannot have, and for a
    missing one."""
    chosen: list[tuple[str, Setting]] = []
    for parameter in parameters_of(definition):
        text = settings.get(parameter.name, defaults.get(parameter.name))
        if text is not None:
            value = _value(definition, parameter, text)
            if value != parameter.default:
                chosen.append((parameter.name, value))
    if (at := definition.at) is not None:
        if at.name not in settings:
            example = f"{definition.name}@{at.default}"
            raise UsageError(f"{definition.name} needs its {at.name}", f"write {example}")
        chosen.append((at.name, _value(definition, at, settings[at.name])))
    return Measure(definition, tuple(chosen), _cutoff(definition, settings.get("cutoff")))


def _value(definition: Definition, parameter: Parameter, text: str) -> Setting:
    try:
        return parameter.read(text)
    except ValueError:
        raise UsageError(
            f"{parameter.name} of {definition.name} is not {text!r}",
            f"write {parameter.allowed}",
        ) from None


def _cutoff(definition: Definition, text: str | None) -> int | None:
    name = definition.name
    if text is None:
        if definition.cutoff == "required":
            raise UsageError(f"{name} needs a cutoff", f"write {name}@10")
        return None
    if definition.cutoff == "none":
        raise UsageError(f"{name} takes no cutoff", f"write {name}")
    try:
        return whole_number(text)
    except ValueError:
        raise UsageError(
            f"cutoff {text!r} of {name} is not a whole number from 1", f"write {name}@10"
        ) from None


def measures_of_trec(trec: TrecName, listed: str, defaults: Settings) -> list[Measure]:
    """Return the measures that trec_eval's name means with a list of parameters, the usual list if
    empty; none for what is no number. Raises `UsageError` where the list does not fit.
    """
    if not trec.measure:
        return []
    definition = MEASURES[trec.measure]
    return [_made(definition, settings, defaults) for settings in trec.settings(listed)]


def judged_among(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the Judged@k that the measures hold themselves."""
    judged = MEASURES["Judged"]
    return tuple(measure for measure in measures if measure.definition is judged)


def by_grades(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return the measures that look at grades: all but those of order."""
    return tuple(measure for measure in measures if not measure.definition.of_order)


def judged_beside(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the Judged@k to print beside measures that have none: one for each cutoff in use.

    Measures of the whole list alone are given Judged@10.
    """
    if judged_among(measures):
        return ()
    return tuple(parse_measure(f"Judged@{cutoff}") for cutoff in _cutoffs(measures) or (10,))


def _cutoffs(measures: Sequence[Measure]) -> list[int]:
    return sorted({measure.cutoff for measure in measures if measure.cutoff is not None})
