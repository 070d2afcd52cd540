import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.scoring import DEFAULT_MEASURES, MEASURES, parse_measure, parse_measures


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nDCG@10", "nDCG@10"),
        (" nDCG ( dcg = 'exp-log2' ) @ 10 ", "nDCG(dcg='exp-log2')@10"),
        ('nDCG(dcg="exp-log2")@10', "nDCG(dcg='exp-log2')@10"),
        ("nDCG(dcg=exp-log2)", "nDCG(dcg='exp-log2')"),
        ("nDCG(dcg='log2')@10", "nDCG@10"),
        ("NDCG@3", "nDCG@3"),
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("AP()", "AP"),
        ("AP(rel=1)", "AP"),
        ("MAP", "AP"),
        ("MRR@10", "RR@10"),
        ("Hit@5", "Success@5"),
        ("Recall@5", "R@5"),
        ("Precision@5", "P@5"),
        ("P(cutoff=5)", "P@5"),
        ("P(cutoff=5, rel=2)", "P(rel=2)@5"),
        ("P@005", "P@5"),
    ],
)
def test_names_of_ir_measures_are_understood(text, name):
    assert str(parse_measure(text)) == name


def cutoffs(definition):
    some = st.integers(1, 10**9 - 1)
    return some if definition.cutoff == "required" else st.none() | some


@st.composite
def names(draw):
    definition = draw(st.sampled_from(list(MEASURES.values())))
    name = draw(st.sampled_from([definition.name, *definition.aliases]))
    given = []
    for parameter in definition.parameters:
        values = {"rel": st.integers(1, 9), "dcg": st.sampled_from(["'log2'", '"exp-log2"'])}
        if draw(st.booleans()):
            given.append(f"{parameter.name}={draw(values[parameter.name])}")
    cutoff = draw(cutoffs(definition))
    return name + (f"({','.join(given)})" if given else "") + (f"@{cutoff}" if cutoff else "")


@given(names())
def test_a_canonical_name_is_read_as_the_same_measure(text):
    measure = parse_measure(text)
    assert parse_measure(str(measure)) == measure


@pytest.mark.parametrize(
    ("text", "what", "mend"),
    [
        ("ndcg@10", "no measure 'ndcg'", "did you mean nDCG@10?"),
        ("Sucess@5", "no measure 'Sucess'", "did you mean Success@5?"),
        ("zzz", "no measure 'zzz'", "there are nDCG, RR, P, R, AP, Success, Judged"),
        ("P", "P needs a cutoff", "write P@10"),
        ("Judged", "Judged needs a cutoff", "write Judged@10"),
        ("P@0", "cutoff '0' of P is not a whole number from 1", "write P@10"),
        ("P@-5", "cutoff '-5' of P is not a whole number from 1", "write P@10"),
        ("P@five", "cutoff 'five' of P is not a whole number from 1", "write P@10"),
        ("P@", "cutoff '' of P is not a whole number from 1", "write P@10"),
        ("P@٣", "cutoff '٣' of P is not a whole number from 1", "write P@10"),
        (
            "P@99999999999999999999",
            "cutoff '99999999999999999999' of P is not a whole number from 1",
            "write P@10",
        ),
        ("RR(dcg='log2')", "RR takes no parameter 'dcg'", "it takes rel and cutoff"),
        ("Judged(rel=2)@5", "Judged takes no parameter 'rel'", "it takes cutoff"),
        ("AP(rel=0)", "rel of AP is not '0'", "write a whole number from 1"),
        ("AP(rel=two)", "rel of AP is not 'two'", "write a whole number from 1"),
        ("nDCG(dcg='ln')", "dcg of nDCG is not 'ln'", "write 'log2' or 'exp-log2'"),
        (
            "AP(rel=2,rel=3)",
            "parameter 'rel' of AP is to be given once, with its value",
            "write AP(rel=...)",
        ),
        ("P(cutoff=5)@5", "'P(cutoff=5)@5' has two cutoffs", "write P@5"),
        ("", "'' is not the name of a measure", "write it as nDCG@10"),
        ("nDCG@10 RR", "'nDCG@10 RR' is not the name of a measure", "write it as nDCG@10"),
    ],
)
def test_what_is_no_measure_is_refused_with_a_way_out(text, what, mend):
    with pytest.raises(UsageError) as error:
        parse_measure(text)
    assert (error.value.what, error.value.mend) == (what, mend)


def test_a_measure_named_twice_is_one():
    assert [str(m) for m in parse_measures(["MRR", "RR", "P@5"])] == ["RR", "P@5"]
    assert [str(m) for m in parse_measures("RR@10")] == ["RR@10"]


def test_the_defaults_are_measures():
    assert tuple(map(str, parse_measures(DEFAULT_MEASURES))) == DEFAULT_MEASURES
