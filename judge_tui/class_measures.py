"""Slices of the queries, and measures of their own for some: a look-up has one right answer, where
only its rank matters, and a survey many. Declared with the queries, or in a small TOML file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from judge_tui.errors import InputError, UsageError, unknown
from judge_tui.formats.ids import as_field
from judge_tui.model import Query
from judge_tui.scoring import Measure, shown_slice
from judge_tui.scoring.class_terms import class_called, refuse_for_class, terms_of, why_refused
from judge_tui.scoring.demands import Demands
from judge_tui.sources import QueriesSource, queries_from, slices_from

__all__ = [
    "CLASS",
    "ClassMeasures",
    "Slicing",
    "graded_classes",
    "measures_of_queries",
    "read_class_measures",
    "refuse_over",
    "slicing_by",
    "standard_measures",
]

CLASS = "class"
"""The field by which classes of queries have standard terms."""

ClassMeasures: TypeAlias = dict[str, tuple[Measure, ...]]
"""Name of a slice -> what its queries are scored by; slices that are not named have no own ones."""

Parse: TypeAlias = Callable[[Iterable[str]], tuple[Measure, ...]]

_WANTED = 'write "measures": ["RR", "P@1"]'


class Slicing(NamedTuple):
    """`of_query`: query_id -> slice by `by`, "" without one; `measures`: slice -> its own ones.
    `standard`: the slices whose own ones are those of a standard class, declared by nobody."""

    by: str
    of_query: Mapping[str, str]
    measures: ClassMeasures
    standard: frozenset[str] = frozenset()


def slicing_by(
    field: str,
    queries: QueriesSource,
    parse: Parse,
    class_measures: str | os.PathLike[str] | None = None,
    *,
    demands: Demands | None = None,
    named: Iterable[Measure] = (),
) -> Slicing:
    """The slices of the queries by one of their fields.

    Measures declared in the file `class_measures` go before those that the queries declare, and
    these before the standard ones of a class, which play a part where `demands`, what queries
    demand, are given, be they empty. `named`: what somebody asked for, by which classes are
    measured that declare nothing else. Errors are those of `queries_from`, `slices_from` and of
    the other functions here; `UsageError` for measures that say nothing of a standard class.
    """
    its_queries = queries_from(queries)
    of_query = slices_from(its_queries, field)
    names = dict.fromkeys(of_query.values())
    if class_measures is None:
        own = measures_of_queries(its_queries, of_query, parse)
    else:
        own = read_class_measures(class_measures, names, parse)
    if field != CLASS:
        return Slicing(field, of_query, own)
    for name, measures in own.items():
        refuse_for_class(name, measures)
    usual = {} if demands is None else standard_measures(names, parse, demands)
    asked = tuple(named)
    for name in names:
        if name not in usual | own:
            refuse_for_class(name, asked)
    return Slicing(field, of_query, usual | own, frozenset(usual.keys() - own.keys()))


def graded_classes(queries: Iterable[Query], graded: Container[str]) -> list[str]:
    """The classes of those queries that are `graded`, of which anything right is known, in byte
    order; "" is that of queries without one."""
    names = {
        class_called(query.query_class)
        for query in queries
        if query.query_id in graded or as_field(query.query_id) in graded
    }
    return sorted(names)


def refuse_over(names: Iterable[str], measures: Iterable[Measure]) -> None:
    """Raise `UsageError` for a measure over all queries that says nothing of those of a class."""
    every = tuple(names)
    for measure in measures:
        for name in every:
            if why := why_refused(name, measure):
                raise UsageError(
                    f"{measure} says nothing of queries of class {name!r}: {why}",
                    "add --by class, and name no measures: each class then has its own",
                )


def standard_measures(names: Iterable[str], parse: Parse, demands: Demands) -> ClassMeasures:
    """Those of the standard classes among `names`; none, as an empty tuple, where the queries of a
    class are held to a demand instead."""
    own: ClassMeasures = {}
    for name in names:
        terms = terms_of(name)
        if terms is None or (terms.demand and name not in demands.classes(terms.demand)):
            continue
        own[name] = parse(terms.measures)
    return own


def measures_of_queries(
    queries: Iterable[Query], slices: Mapping[str, str], parse: Parse
) -> ClassMeasures:
    """What the queries themselves declare, as `"measures": ["RR", "P@1"]` in a JSONL file.

    `slices`: query_id -> name of its slice. All queries of a slice must declare the same, or none
    of them anything: raises `UsageError` with two that differ, and for what is no list of names.
    """
    declared: ClassMeasures = {}
    first: dict[str, tuple[Query, tuple[Measure, ...]]] = {}
    for query in queries:
        measures = _declared(query, parse)
        name = slices[query.query_id]
        before, known = first.setdefault(name, (query, measures))
        if set(known) != set(measures):
            raise UsageError(
                f"queries {before.query_id!r} and {query.query_id!r} are both of "
                f"{shown_slice(name)} and are to be measured differently: {_told(known)}, and "
                f"{_told(measures)}",
                "declare the same measures for all queries of a class, or give --class-measures",
            )
        if measures:
            declared[name] = known
    return declared


def read_class_measures(
    path: str | os.PathLike[str], names: Iterable[str], parse: Parse
) -> ClassMeasures:
    """Read a TOML file with `[classes.lookup]` and in it `measures = ["RR", "P@1"]`.

    `names`: the slices that there are. Raises `InputError` for a file that cannot be read, is no
    such TOML, or names a class that is not there.
    """
    import tomllib  # noqa: PLC0415 - few ask for it, and start-up is counted

    from judge_tui.formats import read_text  # noqa: PLC0415 - as above

    try:
        document = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, None, f"not valid TOML: {error}", "mend that place") from error
    classes = document.pop("classes", None)
    if document or not isinstance(classes, dict) or not classes:
        what = f"{next(iter(document))!r} is not known" if document else "there are no classes"
        raise InputError(path, None, what, 'write [classes.lookup] and measures = ["RR", "P@1"]')
    known = list(names)
    measures: ClassMeasures = {}
    for written, entry in classes.items():
        # A standard class in any spelling.
        name = written if written in known else class_called(written)
        if name not in known:
            refusal = unknown("class of the queries", written, sorted(filter(None, known)))
            raise InputError(path, None, refusal.what, refusal.mend)
        if name in measures:
            raise InputError(path, None, f"class {name!r} is there twice", "put them together")
        if not isinstance(entry, dict) or list(entry) != ["measures"]:
            raise InputError(path, None, f"class {name!r} holds more or less than measures", _TOML)
        try:
            measures[name] = parse(_names(entry["measures"], f"class {name!r}", _TOML))
        except UsageError as error:
            raise InputError(path, None, error.what, error.mend) from error
    return measures


_TOML = 'write measures = ["RR", "P@1"]'


def _declared(query: Query, parse: Parse) -> tuple[Measure, ...]:
    given = query.meta.get("measures")
    if given is None:
        return ()
    return parse(_names(given, f"query {query.query_id!r}", _WANTED))


def _names(given: Any, whose: str, mend: str) -> list[str]:
    if not isinstance(given, list) or not given or not all(isinstance(name, str) for name in given):
        raise UsageError(f"the measures of {whose} are no list of names", mend)
    return given


def _told(measures: Iterable[Measure]) -> str:
    return " ".join(map(str, measures)) or "none of their own"
