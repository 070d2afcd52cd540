"""Standard classes: by which names they go, what each is measured by, and what is refused."""

from __future__ import annotations

import pytest

from judge_tui.errors import UsageError
from judge_tui.scoring import parse_measures
from judge_tui.scoring.class_terms import (
    TERMS,
    class_called,
    refuse_for_class,
    taken_together,
    terms_of,
    unlike,
)


@pytest.mark.parametrize(
    ("written", "measures"),
    [
        ("lookup", ("RR", "P@1")),
        ("Canonical Lookup", ("RR", "P@1")),
        ("canonical-lookup", ("RR", "P@1")),
        ("framework_root", ("RR", "P@1")),
        ("root", ("RR", "P@1")),
        (" synonym ", ("RR",)),
        ("FRAGMENT", ("P@5", "P@10")),
        ("conceptual", ("Rprec", "nDCG@10")),
        ("attribute", ("P@5", "P@10")),
        ("modern before legacy", ()),
        ("Cross Source", ()),
        ("crosssource", ()),
    ],
)
def test_a_class_is_known_however_it_is_written(written, measures):
    terms = terms_of(written)
    assert terms is not None
    assert terms.measures == measures


@pytest.mark.parametrize("written", ["", "how-to", "look", "attributed", "lookups of roots"])
def test_other_classes_have_no_terms(written):
    assert terms_of(written) is None


def test_every_line_of_the_registry_can_be_measured_and_no_name_means_two():
    names = [name for terms in TERMS for name in terms.names]
    assert len({terms_of(name) for name in names}) == len(TERMS)
    for terms in TERMS:
        assert tuple(map(str, parse_measures(terms.measures))) == terms.measures
        assert bool(terms.measures) != bool(terms.demand)
        refuse_for_class(terms.names[0], parse_measures(terms.measures))


@pytest.mark.parametrize("measure", ["RR", "RR@10", "nDCG@10", "AP", "R@5", "Success@5", "Rprec"])
def test_what_says_nothing_of_attributes_is_refused_with_the_reason(measure):
    with pytest.raises(UsageError) as raised:
        refuse_for_class("Attribute", parse_measures(["P@3", measure]))
    assert str(raised.value) == (
        f"{measure} says nothing of queries of class 'Attribute': what has an attribute is a set in"
        " which no document is the one to come first; measure that class by P@k alone, as P@5"
    )


def test_counts_and_shares_judged_are_never_refused():
    refuse_for_class("attribute", parse_measures(["P@7", "P(rel=2)@5", "Judged@10", "NumRet"]))
    refuse_for_class("synonym", parse_measures(["nDCG@10"]))


def test_every_spelling_of_a_standard_class_has_one_name():
    for written in ("lookup", "LOOKUP", "look-up", "Canonical Lookups", "canonical_lookup"):
        assert class_called(written) == "lookup"
    assert class_called("framework-root") == "root"
    assert class_called("Synonyms") == "synonym"
    assert class_called("Cross source") == "cross-source"
    assert [class_called(name) for name in ("How-To", "bus", "")] == ["How-To", "bus", ""]


def test_unlike_are_classes_of_other_measures():
    assert not unlike(["lookup", "root"])
    assert unlike(["lookup", "synonym"])
    assert unlike(["attribute", "modern"])
    assert unlike(["modern", "authority"])


def test_classes_of_ones_own_and_queries_without_one_are_measured_as_usual():
    assert not unlike(["how-to", "bus", ""])
    assert unlike(["lookup", "how-to"])
    assert unlike(["lookup", ""])
    # So is what is held to a demand, as far as grades tell of it.
    assert not unlike(["modern", "how-to", ""])


@pytest.mark.parametrize(
    "names",
    [(), ("", "of our own"), ("lookup",), ("lookup", "Canonical look-ups", "root"), ("modern", "")],
)
def test_nothing_is_said_of_classes_that_ask_for_one_thing(names):
    assert taken_together(names) == ()


@pytest.mark.parametrize("names", [("Synonyms", "lookup", ""), ("synonym", "root", "look-up")])
def test_unlike_classes_are_named_once_each(names):
    (said,) = taken_together([*names, *names])
    assert said.count("synonym") == said.count("lookup") == 1
    assert said.endswith("--by class shows each")


def test_of_many_classes_of_ones_own_the_first_are_named_behind_the_standard_ones():
    (said,) = taken_together(["how-to", "", "lookup"])
    assert "unlike things (lookup, how-to, queries without a class) are taken together" in said
    (said,) = taken_together(["root", *(f"c{n}" for n in range(9))])
    assert "(root, c0, c1, c2, c3, c4, 4 more)" in said
