"""Names of measures, as ir_measures and trec_eval write them, and the measures that they mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.scoring import ranked_measures, set_measures  # noqa: F401 - to enter the measures
from judge_tui.scoring.measure import (
    JUDGED_ONLY,
    Definition,
    Measure,
    Parameter,
    Setting,
    whole_number,
)
from judge_tui.scoring.measures import MEASURES


class Foreign(Protocol):
    """A measure of ir_measures: its `str()` is its full name."""

    @property
    def NAME(self) -> Any: ...  # noqa: N802 - what ir_measures calls it


MeasureLike: TypeAlias = Measure | str | Foreign
"""A measure, or what names one."""

ParameterTexts: TypeAlias = Mapping[str, str]
"""Parameters of a measure as text; `cutoff` is one of them."""

# The names of trec_eval.


class TrecName(NamedTuple):
    """One name of trec_eval, and what it means here.

    `name` as in `trec_eval -m`; `measure` is a name of `MEASURES`, empty for `runid`. `lists` is
    the parameter that a list after the name sets (`P.5,10`), empty where none may follow; `usual`
    the list that stands for none. Of `cutoff`, `recall` and `multiple` each part of the list is a
    measure of its own. `single` is False where there is no line for each query; `groups` are the
    nicknames that it belongs to, `since` which version of trec_eval.
    """

    name: str
    measure: str
    lists: str = ""
    usual: str = ""
    single: bool = True
    groups: str = "all_trec"
    since: Literal[9, 10] = 9

    @property
    def several(self) -> bool:
        """Whether each part of a list is a measure of its own."""
        return self.lists in ("cutoff", "recall", "multiple")

    def settings(self, parameters: str) -> list[dict[str, str]]:
        """Return the parameters, as text, of each measure that a list of parameters means, the
        usual one if empty. Raises `UsageError` where the list does not fit."""
        parameters = parameters or self.usual
        if not parameters:
            return [{}]
        if self.lists == "cutoff":
            # trec_eval reads whole numbers up to the first sign that is not a digit: 23.4 is 23.
            return [{"cutoff": part.partition(".")[0]} for part in parameters.split(",")]
        if self.several:
            return [{self.lists: part} for part in parameters.split(",")]
        if self.lists == "beta":
            return [{"beta": parameters}]
        if self.lists == "gains" and "=" in parameters:
            return [{"gains": parameters}]
        if self.lists == "p" and parameters.startswith("p="):
            return [{"p": parameters[2:], "rel": "1"}]  # it heeds no -l
        cut = f"{self.name}_cut"
        shown = f"{self.name}.{self.usual or '1=3.5,2=9'}" if self.lists else self.name
        raise UsageError(
            f"{parameters!r} does not fit {self.name}, trec_eval's name of a measure",
            f"for a cutoff, write {cut}.10" if cut in TREC_NAMES else f"write {shown}",
        )


_RANKS = "5,10,15,20,30,100,200,500,1000"
_LEVELS = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1"
_MULTIPLES = "0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"
_EVERY, _OFFICIAL, _SET = "official set all_trec", "official all_trec", "set all_trec"

TREC_NAMES: dict[str, TrecName] = {
    each.name: each
    for each in (
        TrecName("runid", "", single=False, groups=_EVERY),
        TrecName("num_q", "NumQ", single=False, groups=_EVERY),
        TrecName("num_ret", "NumRet", groups=_EVERY),
        TrecName("num_rel", "NumRel", groups=_EVERY),
        TrecName("num_rel_ret", "NumRelRet", groups=_EVERY),
        TrecName("map", "AP", groups=_OFFICIAL),
        TrecName("gm_map", "GMAP", single=False, groups=_OFFICIAL),
        TrecName("Rprec", "Rprec", groups=_OFFICIAL),
        TrecName("bpref", "Bpref", groups=_OFFICIAL),
        TrecName("recip_rank", "RR", groups=_OFFICIAL),
        TrecName("iprec_at_recall", "IPrec", "recall", _LEVELS, groups=_OFFICIAL),
        TrecName("P", "P", "cutoff", _RANKS, groups=_OFFICIAL),
        TrecName("recall", "R", "cutoff", _RANKS),
        TrecName("infAP", "infAP"),
        TrecName("gm_bpref", "GMBpref", single=False),
        TrecName("Rprec_mult", "RprecMult", "multiple", _MULTIPLES),
        TrecName("utility", "Utility", groups=_SET),
        TrecName("11pt_avg", "IPrecAvg"),
        TrecName("ndcg", "nDCG", "gains"),
        TrecName("ndcg_cut", "nDCG", "cutoff", _RANKS),
        TrecName("map_cut", "AP", "cutoff", _RANKS),
        TrecName("relative_P", "RelP", "cutoff", _RANKS),
        TrecName("success", "Success", "cutoff", "1,5,10"),
        TrecName("set_P", "SetP", groups=_SET),
        TrecName("set_relative_P", "SetRelP", groups=_SET),
        TrecName("set_recall", "SetR", groups=_SET),
        TrecName("set_map", "SetAP", groups=_SET),
        TrecName("set_F", "SetF", "beta", "1", groups=_SET),
        TrecName("num_nonrel_judged_ret", "NumNonrelRet"),
        TrecName("rbp", "RBP", "p", "p=0.9", since=10),
        TrecName("rbp_resid", "RBPResidual", "p", "p=0.9", since=10),
        TrecName("unj", "Unjudged", "cutoff", "5,10,20", since=10),
    )
}
"""By name, in trec_eval's order (`measures.c`). Not offered: `relstring`, its experimental measures
(`G`, `binG`, `ndcg_rel`, `Rndcg`, `yaap`), those of preferences and of several judges, dcg alone
and z-scores."""

GROUPS: dict[str, tuple[TrecName, ...]] = {
    group: tuple(each for each in TREC_NAMES.values() if group in each.groups.split())
    for group in ("official", "set", "all_trec")
}
"""trec_eval's names of groups: what it prints without -m, sets, and everything."""


def read_trec_name(text: str) -> tuple[TrecName, str, str] | None:
    """Read `P`, `P.5,10` or `P_5`: the name, its list of parameters, and the sign before the list.

    List and sign are empty where the name stands alone. None where it is not a name of trec_eval's.
    """
    name, dot, parameters = text.partition(".")
    if name in TREC_NAMES and bool(dot) == bool(parameters):
        return TREC_NAMES[name], parameters, dot
    starts = [name for name in TREC_NAMES if text.startswith(f"{name}_")]
    name = max(starts, key=len, default="")
    parameters = text[len(name) + 1 :]
    return (
        (TREC_NAMES[name], parameters, "_") if name and re.match(r"[-.0-9]", parameters) else None
    )


def measures_of_trec(trec: TrecName, parameters: str, defaults: ParameterTexts) -> list[Measure]:
    """Return the measures that trec_eval's name means with a list of parameters, the usual list if
    empty; none for `runid`. Raises `UsageError` where the list does not fit."""
    if not trec.measure:
        return []
    return [_made(MEASURES[trec.measure], its, defaults) for its in trec.settings(parameters)]


# The names of ir_measures.

_BY_NAME = {name: one for one in MEASURES.values() for name in (one.name, *one.aliases)}
_BY_LOWER = {name.lower(): one for name, one in _BY_NAME.items()}

_FORM = re.compile(r"(\w+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S*))?", re.ASCII)


def parse_measure(
    measure: MeasureLike, *, rel: int | None = None, max_rel: int | None = None
) -> Measure:
    """Read a name such as `nDCG@10`, `AP(rel=2)@100`, `nDCG(dcg='exp-log2')@10` or `ndcg_cut_10`.

    Spaces, case and the kind of quotes do not matter, and aliases (`MRR`, `Hit`) are understood.
    For every measure m, `parse_measure(str(m)) == m`. `rel` (trec_eval -l) and `max_rel` (the
    greatest grade of the scale, for ERR) hold for measures that take them and are not given their
    own. A measure of ir_measures is read by its name, one of ours stays as it is. Raises
    `UsageError` for an unknown name, a parameter or a cutoff that the measure does not take, a name
    that means several measures, and what is not a name.
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
    `all_trec` and `set` a group, of which `runid`, no number, is left out. `rel` and `max_rel` are
    those of `parse_measure`.
    """
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        measures = (measures,)
    defaults = _defaults(rel, max_rel)
    read = [one for each in measures for one in _read(each, defaults, ours_first=False)]
    return tuple(dict.fromkeys(read))


def _defaults(rel: int | None, max_rel: int | None) -> dict[str, str]:
    named = {"rel": rel, "max_rel": max_rel}
    return {name: str(value) for name, value in named.items() if value is not None}


def _read(measure: MeasureLike, defaults: ParameterTexts, *, ours_first: bool) -> list[Measure]:
    """Return the measures that are meant. `ours_first`: a name of both kinds that lacks its cutoff
    here (`P`) is ours, not a list."""
    if isinstance(measure, Measure):
        return [measure]
    if not isinstance(measure, str) and not isinstance(getattr(measure, "NAME", None), str):
        shown = " ".join(repr(measure).split())[:70]
        raise UsageError(f"{shown} is not a measure", "write its name, such as 'nDCG@10'")
    text = str(measure).strip()
    ours = _BY_NAME.get(text)
    is_ours = ours is not None and (ours_first or ours.cutoff != "required")
    if not any(sign in text for sign in "@(") and not is_ours:
        if (group := GROUPS.get(text)) is not None:
            return [one for name in group for one in measures_of_trec(name, "", defaults)]
        if (found := read_trec_name(text)) is not None:
            if not found[0].measure:
                raise UsageError(f"{text} is not a number", "leave it out, or print with -f trec")
            return measures_of_trec(found[0], found[1], defaults)
    match = _FORM.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not the name of a measure", "write it as nDCG@10")
    name, inside, after = match.groups()
    definition = _BY_LOWER.get(name.lower())
    if definition is None:
        raise _unknown(name, after)
    definition, settings = _settings(definition, inside or "")
    if after is not None:
        settings[definition.after] = after
    return [_made(definition, settings, defaults)]


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


def parameters_of(definition: Definition) -> tuple[Parameter, ...]:
    """Return all that may stand in parentheses."""
    condenses = definition.condenses and definition.looks_at_results and not definition.of_order
    return (*definition.parameters, *([JUDGED_ONLY] if condenses else ()))


def _settings(definition: Definition, inside: str) -> tuple[Definition, dict[str, str]]:
    """Return the measure that is meant, and the parameters in parentheses, as text."""
    settings: dict[str, str] = {}
    # Commas separate, but for those in braces.
    for part in re.findall(r"(?:\{[^}]*\}|[^,{])+", inside):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or name in settings:
            raise UsageError(
                f"{definition.name} has {name!r} twice, or without a value",
                f"write {definition.name}({name}=...)",
            )
        settings[name] = value.strip("'\"")
    # ir_measures has one name for two measures here.
    if definition.name == "NumRet" and "rel" in settings:
        definition = MEASURES["NumRelRet"]
    if definition.name in ("SetP", "SetRelP") and settings.get("relative") in ("True", "False"):
        definition = MEASURES["SetRelP" if settings.pop("relative") == "True" else "SetP"]
    known = [parameter.name for parameter in parameters_of(definition)]
    for name in settings:
        if name not in known:
            raise UsageError(
                f"{definition.name} takes no parameter {name!r}",
                f"it takes {' and '.join(known) or 'none'}",
            )
    return definition, settings


def _made(definition: Definition, settings: ParameterTexts, defaults: ParameterTexts) -> Measure:
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


# Measures of a list of them.


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
    cutoffs = sorted({one.cutoff for one in measures if one.cutoff is not None})
    return tuple(parse_measure(f"Judged@{cutoff}") for cutoff in cutoffs or (10,))
