"""Names of measures, as ir_measures and trec_eval write them, read with some tolerance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import Definition, Measure, Parameter, Value
from judge_tui.scoring.measures import MEASURES

if TYPE_CHECKING:
    from judge_tui.scoring.trec import Given, TrecMeasure

__all__ = ["Asked", "parse_measure", "parse_measures", "trec_measures"]


class Foreign(Protocol):
    """A measure of ir_measures: its `str()` is its full name."""

    @property
    def NAME(self) -> Any: ...  # noqa: N802 - what ir_measures calls it


Asked: TypeAlias = Measure | str | Foreign
"""A measure, or what names one."""

_FORM = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*(?:@\s*(\S*))?\s*", re.ASCII)

_RELATIVE = r"\brelative\s*=\s*(True|False)\s*(?=,|$)"


def parse_measure(measure: Asked, *, rel: int | None = None, max_rel: int | None = None) -> Measure:
    """Read a name such as `nDCG@10`, `AP(rel=2)@100`, `nDCG(dcg='exp-log2')@10` or `ndcg_cut_10`.

    Spaces and the kind of quotes do not matter, `cutoff=10` may stand among the parameters, and
    aliases (`MRR`, `Hit`) are understood. For every measure m, `parse_measure(str(m)) == m`.
    `rel` (trec_eval -l) and `max_rel` (the greatest grade of the scale, for ERR) hold for measures
    that take them and are not given their own. A measure of ir_measures is read by its name, one of
    ours stays as it is. Raises `UsageError` for an unknown name, a parameter or a cutoff that the
    measure does not take, a name that means several measures, and what is no name.
    """
    if isinstance(measure, Measure):
        return measure
    text = _name_of(measure)
    usual = _usual(rel, max_rel)
    if (match := _FORM.fullmatch(text)) and _named(match[1]):
        return _read(text, match, usual)
    several = _by_trec_name(text.strip(), usual)
    if several is None:
        if match is None:
            raise UsageError(f"{text!r} is not the name of a measure", "write it as nDCG@10")
        return _read(text, match, usual)
    if len(several) != 1:
        some = ", ".join(map(str, several[:3]))
        raise UsageError(
            f"{text!r} is not one measure", f"name one, such as {some}" if some else "leave it out"
        )
    return several[0]


def parse_measures(
    measures: Iterable[Asked] | Asked,
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
    read: list[Measure] = []
    for measure in measures:
        if isinstance(measure, Measure):
            read.append(measure)
        else:
            text = _name_of(measure)
            # Alone, `P` lacks its cutoff here, and means several to trec_eval.
            ours = any(sign in text for sign in "@(")
            several = None if ours else _by_trec_name(text.strip(), _usual(rel, max_rel))
            read += several or [parse_measure(text, rel=rel, max_rel=max_rel)]
    return tuple(dict.fromkeys(read))


def trec_measures(trec: TrecMeasure, listed: str, rel: int | None = None) -> list[Measure]:
    """The measures that trec_eval's name means with a list of parameters, the usual one if empty.

    None for what is no number. Raises `UsageError` where the list does not fit.
    """
    return _of_trec(trec, listed, _usual(rel, None))


def _name_of(measure: object) -> str:
    if isinstance(measure, str):
        return measure
    if isinstance(getattr(measure, "NAME", None), str):
        return str(measure)
    told = " ".join(repr(measure).split())[:70]
    raise UsageError(f"{told} is no measure", "name it, such as 'nDCG@10'")


def _usual(rel: int | None, max_rel: int | None) -> dict[str, str]:
    given = {"rel": rel, "max_rel": max_rel}
    return {name: str(value) for name, value in given.items() if value is not None}


def _by_trec_name(text: str, usual: Mapping[str, str]) -> list[Measure] | None:
    definition = _named(text)
    if definition is not None and definition.cutoff != "required":
        return None

    # Start-up counts, and most names are ours.
    from judge_tui.scoring.trec import NICKNAMES, read_trec_name  # noqa: PLC0415

    if text in NICKNAMES:
        return [measure for trec in NICKNAMES[text] for measure in _of_trec(trec, "", usual)]
    found = read_trec_name(text)
    if found is None:
        return None
    trec, listed, _ = found
    if not trec.measure:
        raise UsageError(f"{trec.name} is no number", "it stands in trec_eval's own format alone")
    return _of_trec(trec, listed, usual)


def _of_trec(trec: TrecMeasure, listed: str, usual: Mapping[str, str]) -> list[Measure]:
    if not trec.measure:
        return []
    definition = MEASURES[trec.measure]
    return [_make(definition, dict(given), usual) for given in trec.given(listed)]


def _read(text: str, match: re.Match[str], usual: Mapping[str, str]) -> Measure:
    name, inside, after = match.groups()
    definition, given = _spelled(name, inside or "", after)
    at = "cutoff" if definition.at is None else definition.at.name
    if after is not None:
        if at in given:
            raise UsageError(f"{text!r} has two {at}s", f"write {name}@{after}")
        given[at] = after
    return _make(definition, given, usual)


def _spelled(name: str, inside: str, after: str | None) -> tuple[Definition, Given]:
    """The definition and its parameters; two of ir_measures' spellings have a name here."""
    definition = _definition(name, after)
    if definition.name == "NumRet" and "rel" in inside:
        definition = MEASURES["NumRelRet"]
    if definition.name == "SetP" and (match := re.search(_RELATIVE, inside)):
        definition = MEASURES["SetRelP" if match[1] == "True" else "SetP"]
        inside = re.sub(_RELATIVE, "", inside).strip().strip(",")
    return definition, _parameters(definition, inside)


def _make(definition: Definition, given: Given, usual: Mapping[str, str]) -> Measure:
    cutoff = given.pop("cutoff", None)
    return Measure(definition, _chosen(definition, given, usual), _cutoff(definition, cutoff))


def _definition(name: str, after: str | None) -> Definition:
    definition = _named(name)
    if definition is not None:
        return definition

    import difflib  # noqa: PLC0415 - only a mistake needs it, and it costs start-up

    from judge_tui.scoring.trec import NICKNAMES, TREC_MEASURES  # noqa: PLC0415 - as above

    lower: dict[str, str] = {}
    for known in (*_every_name(), *(() if after else (*TREC_MEASURES, *NICKNAMES))):
        lower.setdefault(known.lower(), known)
    near = difflib.get_close_matches(name.lower(), lower, 1, 0.5)
    at = f"@{after}" if after else ""
    raise UsageError(
        f"no measure {name!r}",
        f"did you mean {lower[near[0]]}{at}?" if near else f"there are {', '.join(MEASURES)}",
    )


def _named(name: str) -> Definition | None:
    """The measure of that name, or of which it is another name."""
    return MEASURES[name] if name in MEASURES else _every_name().get(name)


@cache
def _every_name() -> dict[str, Definition]:
    return {name: d for d in MEASURES.values() for name in (d.name, *d.aliases)}


def _parameters(definition: Definition, inside: str) -> Given:
    at = "cutoff" if definition.at is None else definition.at.name
    taken = [parameter.name for parameter in definition.parameters]
    if definition.cutoff != "none" or definition.at is not None:
        taken.append(at)
    given: Given = {}
    for part in _split(inside) if inside.strip() else ():
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if name not in taken:
            raise UsageError(
                f"{definition.name} takes no parameter {name!r}",
                "condense the lists of all measures: --judged-only"
                if name == "judged_only"
                else f"it takes {' and '.join(taken) or 'none'}",
            )
        if not sign or name in given:
            raise UsageError(
                f"parameter {name!r} of {definition.name} is to be given once, with its value",
                f"write {definition.name}({name}=...)",
            )
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
        given[name] = value[1:-1] if quoted else value
    return given


def _split(inside: str) -> list[str]:
    """Cut at commas, but for those in quotes and braces."""
    parts, closing = [""], ""
    for sign in inside:
        if sign == "," and not closing:
            parts.append("")
            continue
        if closing:
            closing = "" if sign == closing else closing
        else:
            closing = {"'": "'", '"': '"', "{": "}"}.get(sign, "")
        parts[-1] += sign
    return parts


def _chosen(
    definition: Definition, given: Given, usual: Mapping[str, str]
) -> tuple[tuple[str, Value], ...]:
    chosen = []
    for parameter in definition.parameters:
        text = given.get(parameter.name, usual.get(parameter.name))
        if text is not None:
            value = _value(definition, parameter, text)
            if value != parameter.default:
                chosen.append((parameter.name, value))
    if (at := definition.at) is not None:
        if at.name not in given:
            example = f"{definition.name}@{at.default}"
            raise UsageError(f"{definition.name} needs its {at.name}", f"write {example}")
        chosen.append((at.name, _value(definition, at, given[at.name])))
    return tuple(chosen)


def _value(definition: Definition, parameter: Parameter, text: str) -> Value:
    try:
        return parameter.read(text)
    except ValueError:
        raise UsageError(
            f"{parameter.name} of {definition.name} is not {text!r}",
            f"write {parameter.allowed}",
        ) from None


def _cutoff(definition: Definition, text: str | None) -> int | None:
    if definition.cutoff == "none":
        if text is not None:
            raise UsageError(f"{definition.name} takes no cutoff", f"write {definition.name}")
        return None
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
