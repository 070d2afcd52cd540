"""What a model is worth as a judge, as a report: beside people, beside what people agree among
themselves, part by part, and what it does to the order of the systems."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.analysis.model_judge import FINAL, GradeComparison, ModelStudy
from judge_tui.analysis.model_probes import PLANTED
from judge_tui.analysis.warnings import warn_of_model
from judge_tui.report.agreement import NAMES, alpha_number
from judge_tui.report.layout import (
    Cell,
    Column,
    Decimals,
    Get,
    Report,
    Table,
    counts,
    difference,
    interval,
    number,
    percentage,
    probability,
    short_difference,
    short_number,
    undefined_table,
    word,
    words,
)
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.model_order import ModelOrder
    from judge_tui.model import Scale

_MOST = 20
_FEW_MATRICES = 3
_ESTIMATES = ("agreement", "kappa", "kappa_quadratic", "alpha", "bias")
_place = Decimals(1, lambda value, places: f"{value:.{places}f}".removesuffix(".0"))
_gain = Decimals(1, lambda value, places: f"{value:+.{places}f}" if value else "0")


def model_report(study: ModelStudy, scale: Scale) -> Report:
    """All of it; CSV is of the model beside people."""
    settings = {
        "judge": study.judge,
        "policy": study.policy,
        "measure": study.order.measure,
        "epsilon": study.alt_test.epsilon,
        "kin": [one.tag for one in study.order.places if one.kin],
    }
    tables = [*model_tables(study, scale)]
    undefined = Table(
        "", [word("what"), word("why")], [*undefined_of(study)], "undefined", about="reasons"
    )
    return Report([*tables, undefined], settings, warn_of_model(study), csv=tables[0])


def models_table(studies: Sequence[ModelStudy]) -> Table:
    """A row for each model beside `FINAL`, what it does to the order of the systems, and the share
    of probes that fooled it."""
    of_final = "beside_final"
    columns = [
        word("judge", "model"),
        Column("pairs", "pairs", get=attrgetter(f"{of_final}.pairs")),
        _estimate("kappa_quadratic", of_final),
        interval("kappa_quadratic", get=attrgetter(f"{of_final}.kappa_quadratic.ci95")),
        _estimate("bias", of_final),
        *(
            Column(key, title, number, get=attrgetter(f"order.{key}"))
            for key, title in (("tau", "tau"), ("tau_top", "tau of top ten"))
        ),
        *(Column(key, key, get=attrgetter(f"order.{key}")) for key in ("lost", "new", "flipped")),
        *(
            Column(f"fooled_{probe}", f"fooled by {probe}", percentage(), get=_share_fooled(probe))
            for probe in PLANTED
        ),
        word("stands_in", "may stand in", lambda one: _STANDS_IN[one.alt_test.passes]),
    ]
    policies = dict.fromkeys(f" by {study.policy}" for study in studies)
    return Table.of(f"Models beside {FINAL}{''.join(policies)}", columns, studies, "models")


def _share_fooled(probe: str) -> Get:
    def share(study: ModelStudy) -> float | None:
        shares = {its.probe: its.share.value for its in study.probes}
        return shares.get(probe)

    return share


_STANDS_IN = {True: "yes", False: "no", None: "cannot be told"}


def model_tables(study: ModelStudy, scale: Scale) -> Iterator[Table]:
    """For readers and programs alike."""
    yield Table.of(
        f"{study.judge} beside people, on the pairs that both graded; final grades by"
        f" {study.policy}",
        [
            word("other", "beside", lambda one: one.other),
            *_columns(),
            *_ends("kappa", "alpha"),
        ],
        study.beside,
        "beside",
    )
    yield _beside_two(study)
    yield _confusion(study, scale)
    yield Table.of(
        f"{study.judge} beside {FINAL}, part by part; bias above 0 is lenient",
        [
            word("by", "by"),
            word("slice", "part", lambda one: shown_slice(one.name)),
            Column("pairs", "pairs", get=attrgetter("comparison.pairs")),
            _estimate("kappa_quadratic"),
            *_means(),
            _estimate("bias"),
            interval("bias", "95 % interval", short_difference, attrgetter("comparison.bias.ci95")),
            *(_estimate(key)._replace(title=None) for key in ("kappa", "alpha")),
            *_ends("kappa", "kappa_quadratic", "alpha"),
        ],
        study.slices,
        "slices",
        key_columns=2,
    )
    yield from _order(study.order, study.judge)
    yield from _alt_test(study)
    yield Table.of(
        f"Probes: {study.judge} on documents that people found irrelevant, with something planted",
        [
            *words("probe"),
            *counts("asked", "graded", "fooled"),
            Column("share", "share fooled", percentage(), get=attrgetter("share.value")),
            interval("share", "95 % interval", percentage(), attrgetter("share.ci95")),
            Column("mean_without", "mean grade without", short_number),
            Column("mean_with", "with", short_number),
        ],
        study.probes,
        "probes",
    )
    model = shlex.quote(study.judge)
    yield Table.of(
        f"People should judge next: so many pairs of each grade of {study.judge}, as"
        f" assign --by-model {model} deals them; until their queries are judged whole, read results"
        f" with --unjudged {model}",
        [Column("grade", "grade"), *counts("judged", "open", "next")],
        study.next if any(one.next for one in study.next) else (),
        "next",
    )
    yield undefined_table(undefined_of(study))


def _estimate(key: str, of: str = "comparison") -> Column:
    show = {"alpha": alpha_number, "bias": difference}.get(key, number)
    return Column(key, NAMES[key], show, get=attrgetter(f"{of}.{key}.value"))


def _means(other: str = "people's") -> Iterator[Column]:
    yield Column("mean", "mean grade", short_number, get=attrgetter("comparison.mean"))
    yield Column("other_mean", other, short_number, get=attrgetter("comparison.other_mean"))


def _ends(*keys: str) -> Iterator[Column]:
    """Their intervals, for programs."""
    for key in keys:
        yield interval(key, None, get=attrgetter(f"comparison.{key}.ci95"))


def _columns(other: str = "people's") -> Iterator[Column]:
    yield Column("pairs", "pairs", get=attrgetter("comparison.pairs"))
    yield from map(_estimate, ("kappa", "kappa_quadratic"))
    yield interval("kappa_quadratic", get=attrgetter("comparison.kappa_quadratic.ci95"))
    yield _estimate("alpha")
    yield from _means(other)


class _Line(NamedTuple):
    people: str
    who: str
    comparison: GradeComparison


def _beside_two(study: ModelStudy) -> Table:
    """Three lines for every two people: the two, and the model with each, on the same pairs."""
    lines = []
    for two in study.two_people:
        both = " and ".join(two.people)
        lines.append(_Line(both, both, two.comparison))
        for name, comparison in zip(two.people, two.model, strict=True):
            lines.append(_Line(both, f"{study.judge} and {name}", comparison))
    title = f"Two people, and {study.judge} beside each of them, on the same pairs"
    columns = [word("people"), word("who", "who"), *_columns(other="the other's")]
    return Table.of(title, columns, lines, "two_people", most=3 * _MOST)


def _confusion(study: ModelStudy, scale: Scale) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (one.other, f"{grade} {label}".strip(), *row)
        for one in study.beside
        for (grade, label), row in zip(scale.labels.items(), one.comparison.confusion, strict=True)
    ]
    columns = [
        word("other", "beside"),
        word("grade", study.judge),
        *(Column(f"grade_{grade}", str(grade)) for grade in scale.grades),
    ]
    title = f"Confusion: rows {study.judge}, columns people"
    most = _FEW_MATRICES * len(scale.grades)
    return Table(title, columns, rows, "confusion", key_columns=2, most=most)


def _order(order: ModelOrder, judge: str) -> Iterator[Table]:
    title = f"Order of the systems by {order.measure}, under the grades of {judge} and of people"
    columns = [
        *counts("pairs", "queries", "systems"),
        Column("tau", "tau", number),
        Column("tau_ap", "tau AP", number),
        Column("tau_top", "tau of top ten", number),
        Column("compared"),
        *counts("verdicts", "lost", "new", "flipped"),
        Column("kin_gain", "places gained: kin", _gain),
        Column("other_gain", "others", _gain),
    ]
    table = Table.of(title, columns, [order] if order.pairs else [], "order")
    kin = any(one.kin for one in order.places)
    yield table if kin else table.hide("kin_gain", "other_gain")
    columns = [
        word("tag", "system"),
        Column("people", "by people", number),
        Column("model", "by model", number),
        Column("people_place", "place", _place),
        Column("model_place", "place by model", _place),
        Column("gained", "gained", _gain),
        word("kin", "kin", show=lambda cell: "kin" if cell else ""),
    ]
    yield Table.of(
        f"Places gained by each system under the grades of {judge}",
        columns,
        order.places,
        "places",
    ).if_any("kin")


def _alt_test(study: ModelStudy) -> Iterator[Table]:
    test = study.alt_test
    may = "may" if test.passes else "may not"
    title = f"Alt-Test with epsilon {test.epsilon:g}: {study.judge} {may} stand in for a person"
    yield Table.of(
        title,
        [
            Column("winning_rate", "winning rate", percentage()),
            Column("advantage", "as good as a person, on average", percentage()),
            Column("people", "people", get=lambda one: len(one.against)),
            Column("epsilon"),
            Column("passes"),
        ],
        [test] if test.passes is not None else [],
        "alt_test",
    )
    yield Table.of(
        f"Alt-Test: {study.judge} in the place of each person",
        [
            *words("person"),
            *counts("pairs"),
            Column("model_as_good", "model as good", percentage()),
            Column("person_as_good", "person as good", percentage()),
            Column("p", "p", probability),
            Column("p_adjusted", "p adjusted", probability),
            word("wins", "the model wins", show=lambda cell: "yes" if cell else "no"),
        ],
        test.against,
        "alt_test_people",
    )


def undefined_of(study: ModelStudy) -> Iterator[tuple[str, str]]:
    """What has no value, and why."""
    for one in study.beside:
        yield from _reasons(one.comparison, one.other)
    for two in study.two_people:
        both = " and ".join(two.people)
        yield from _reasons(two.comparison, both)
        for name, comparison in zip(two.people, two.model, strict=True):
            yield from _reasons(comparison, f"{study.judge} and {name}, on the pairs of {both}")
    for part in study.slices:
        yield from _reasons(part.comparison, f"{part.by} {shown_slice(part.name)}")
    if not study.two_people:
        yield "agreement of two people", "no pair that the model graded has grades of two people"
    if study.alt_test.why is not None:
        yield "Alt-Test", study.alt_test.why
    if study.why_unprobed:
        yield "probes", study.why_unprobed
    for probe in study.probes:
        if probe.share.why is not None:
            yield f"share fooled by {probe.probe}", probe.share.why
    names = {
        "tau_ap": "tau AP",
        "tau_top": "tau of the top ten",
        "order": "order of systems",
        "kin_gain": "places gained by kin",
        "other_gain": "places gained by others",
    }
    for name, why in study.order.why.items():
        yield names.get(name, name), why


def _reasons(comparison: GradeComparison, what: str) -> Iterator[tuple[str, str]]:
    for key in _ESTIMATES:
        estimate = getattr(comparison, key)
        if estimate.value is None:
            yield f"{NAMES[key]} of {what}", estimate.why
