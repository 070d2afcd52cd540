"""Names of measures: what they are read as, and what is refused with a way out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.scoring import DEFAULT_MEASURES, MEASURES, parse_measure, parse_measures
from judge_tui.scoring.names import parameters_of

RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)  # the usual cutoffs of trec_eval 9.0.8

READ = [
    # As ir_measures writes them, and as people do.
    ("nDCG@10", ["nDCG@10"]),
    (" nDCG ( dcg = 'exp-log2' ) @ 10 ", ["nDCG(dcg='exp-log2')@10"]),
    ('nDCG(dcg="exp-log2")@10', ["nDCG(dcg='exp-log2')@10"]),
    ("nDCG(dcg=exp-log2)", ["nDCG(dcg='exp-log2')"]),
    ("nDCG(dcg='log2')@10", ["nDCG@10"]),
    ("NDCG@3", ["nDCG@3"]),
    ("AP(rel=2)@100", ["AP(rel=2)@100"]),
    ("AP()", ["AP"]),
    ("AP(rel=1)", ["AP"]),
    ("MAP", ["AP"]),
    ("MRR@10", ["RR@10"]),
    ("Hit@5", ["Success@5"]),
    ("Recall@5", ["R@5"]),
    ("Precision@5", ["P@5"]),
    ("P@005", ["P@5"]),
    ("NumRet(rel=2)", ["NumRelRet(rel=2)"]),
    ("SetP(relative=True)", ["SetRelP"]),
    ("SetP(rel=2, relative=True)", ["SetRelP(rel=2)"]),
    ("SetP(relative=False)", ["SetP"]),
    ("IPrec(rel=2)@.5", ["IPrec(rel=2)@0.5"]),
    ("RBP(p=0.8)", ["RBP"]),
    ("RBP(p=.5, rel=2)@10", ["RBP(p=0.5,rel=2)@10"]),
    ("SetF(beta=2)", ["SetF(beta=2.0)"]),
    ("nDCG(gains={0:0, 1:3.5, 2:9})@10", ["nDCG(gains={1:3.5,2:9})@10"]),
    ("nDCG(gains={1:3.5,2:9}, dcg=exp-log2)", ["nDCG(dcg='exp-log2',gains={1:3.5,2:9})"]),
    ("ERR(max_rel=3)@20", ["ERR(max_rel=3)@20"]),
    ("ndcg@10", ["nDCG@10"]),
    ("map@10", ["AP@10"]),
    ("RPREC", ["Rprec"]),
    ("P(judged_only=True)@4", ["P(judged_only=True)@4"]),
    ("P(rel=2, judged_only=True)@4", ["P(rel=2,judged_only=True)@4"]),
    ("P(judged_only=False)@4", ["P@4"]),
    ("IPrec(judged_only=True)@0.1", ["IPrec(judged_only=True)@0.1"]),
    ("Judged", ["Judged"]),
    ("SetP(rel=2)@5", ["SetP(rel=2)@5"]),
    ("NumRelRet(rel=2)", ["NumRelRet(rel=2)"]),
    # As trec_eval writes them.
    ("map", ["AP"]),
    ("ndcg_cut_10", ["nDCG@10"]),
    ("ndcg_cut.10,5", ["nDCG@10", "nDCG@5"]),
    ("recip_rank", ["RR"]),
    ("P_5", ["P@5"]),
    ("recall_100", ["R@100"]),
    ("success", ["Success@1", "Success@5", "Success@10"]),
    ("map_cut_5", ["AP@5"]),
    ("bpref", ["Bpref"]),
    ("set_F.0.5", ["SetF(beta=0.5)"]),
    ("set_F", ["SetF"]),
    ("gm_map", ["GMAP"]),
    ("iprec_at_recall_0.10", ["IPrec@0.1"]),
    ("iprec_at_recall..10,.2", ["IPrec@0.1", "IPrec@0.2"]),
    ("num_rel_ret", ["NumRelRet"]),
    ("unj_10", ["Unjudged@10"]),
    ("unj", ["Unjudged@5", "Unjudged@10", "Unjudged@20"]),
    ("rbp", ["RBP(p=0.9)"]),
    ("rbp.p=0.5", ["RBP(p=0.5)"]),
    ("rbp_resid", ["RBPResidual(p=0.9)"]),
    ("utility", ["Utility"]),
    ("Rprec_mult.0.2,2", ["RprecMult@0.2", "RprecMult@2.0"]),
    ("ndcg.1=3.5,2=9", ["nDCG(gains={1:3.5,2:9})"]),
    ("relative_P.5", ["RelP@5"]),
    ("P", [f"P@{rank}" for rank in RANKS]),
    ("recall", [f"R@{rank}" for rank in RANKS]),
    ("ndcg_cut", [f"nDCG@{rank}" for rank in RANKS]),
    ("map_cut", [f"AP@{rank}" for rank in RANKS]),
    ("iprec_at_recall", [f"IPrec@{n / 10}" for n in range(11)]),
]

REFUSED = [
    ("Sucess@5", "no measure 'Sucess'", "did you mean Success@5?"),
    ("zzz", "no measure 'zzz'", f"there are {', '.join(MEASURES)}"),
    ("mapp", "no measure 'mapp'", "did you mean MAP?"),
    ("ndcg_cutt", "no measure 'ndcg_cutt'", "did you mean ndcg_cut?"),
    ("mapp@10", "no measure 'mapp'", "did you mean MAP@10?"),
    ("all_prefs", "no measure 'all_prefs'", "did you mean all_trec?"),
    ("P_", "no measure 'P_'", "did you mean P?"),
    ("IPrec", "IPrec needs its recall", "write IPrec@0.1"),
    ("IPrec@2", "recall of IPrec is not '2'", "write a number from 0 to 1"),
    ("Rprec@5", "Rprec takes no cutoff", "write Rprec"),
    ("NumQ(rel=1)", "NumQ takes no parameter 'rel'", "it takes none"),
    ("RBP(p=1)", "p of RBP is not '1'", "write a number between 0 and 1"),
    ("SetF(beta=nan)", "beta of SetF is not 'nan'", "write a number from 0"),
    ("SetF(beta=-1)", "beta of SetF is not '-1'", "write a number from 0"),
    ("ERR(max_rel=0)", "max_rel of ERR is not '0'", "write a whole number from 1 to 1000"),
    ("RprecMult@1e9", "multiple of RprecMult is not '1e9'", "write a number from 0 to 1000"),
    (
        "nDCG(gains={1:2,1:3})",
        "gains of nDCG is not '{1:2,1:3}'",
        "write grade:gain pairs, such as {1:3.5,2:9}",
    ),
    ("P(judged_only=1)@5", "judged_only of P is not '1'", "write True or False"),
    ("Judged(judged_only=True)", "Judged takes no parameter 'judged_only'", "it takes none"),
    ("P(cutoff=5)", "P takes no parameter 'cutoff'", "it takes rel and judged_only"),
    ("utility.1,-1,0,0", "'1,-1,0,0' does not fit utility,", "write utility"),
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
    ("RR(dcg='log2')", "RR takes no parameter 'dcg'", "it takes rel and judged_only"),
    ("AP(rel=0)", "rel of AP is not '0'", "write a whole number from 1"),
    ("AP(rel=two)", "rel of AP is not 'two'", "write a whole number from 1"),
    ("nDCG(dcg='ln')", "dcg of nDCG is not 'ln'", "write 'log2' or 'exp-log2'"),
    ("AP(rel=2,rel=3)", "AP has 'rel' twice, or without a value", "write AP(rel=...)"),
    ("", "'' is not the name of a measure", "write it as nDCG@10"),
    ("nDCG@10 RR", "'nDCG@10 RR' is not the name of a measure", "write it as nDCG@10"),
    # Of trec_eval's names.
    ("ndcg_10", "'10' does not fit ndcg,", "for a cutoff, write ndcg_cut.10"),
    ("map.10", "'10' does not fit map,", "for a cutoff, write map_cut.10"),
    ("bpref.10", "'10' does not fit bpref,", "write bpref"),
    ("rbp.0.5", "'0.5' does not fit rbp,", "write rbp.p=0.9"),
    ("P.0", "cutoff '0' of P is not a whole number from 1", "write P@10"),
    ("P.a", "cutoff 'a' of P is not a whole number from 1", "write P@10"),
    ("P.", "'P.' is not the name of a measure", "write it as nDCG@10"),
    ("runid", "runid is not a number", "leave it out, or print with -f trec"),
    ("relstring.10", "'relstring.10' is not the name of a measure", "write it as nDCG@10"),
    ("Rndcg", "no measure 'Rndcg'", "did you mean nDCG?"),
]


@pytest.mark.parametrize(("text", "names"), READ)
def test_a_name_is_read(text, names):
    assert [str(measure) for measure in parse_measures(text)] == names


@pytest.mark.parametrize(("text", "what", "mend"), REFUSED)
def test_what_is_no_measure_is_refused_with_a_way_out(text, what, mend):
    with pytest.raises(UsageError) as error:
        parse_measures(text)
    assert error.value.what.startswith(what)
    assert error.value.mend == mend


def cutoffs(definition):
    some = st.integers(1, 10**9 - 1)
    return {"required": some, "optional": st.none() | some, "none": st.none()}[definition.cutoff]


shares = st.floats(0.001, 0.999)
VALUES = {
    "rel": st.integers(1, 9),
    "dcg": st.sampled_from(["'log2'", '"exp-log2"']),
    "gains": st.dictionaries(st.integers(0, 9), st.floats(-9, 9)).map(
        lambda gains: "{" + ",".join(f"{grade}: {gain!r}" for grade, gain in gains.items()) + "}"
    ),
    "p": shares,
    "max_rel": st.integers(1, 1000),
    "beta": st.floats(0, 1e300),
    "recall": shares,
    "multiple": st.floats(0, 1000),
    "judged_only": st.booleans(),
    "rounding": st.sampled_from(["'up'", "nearest"]),
}


@st.composite
def names(draw):
    definition = draw(st.sampled_from(list(MEASURES.values())))
    name = draw(st.sampled_from([definition.name, *definition.aliases]))
    given = [
        f"{parameter.name}={draw(VALUES[parameter.name])}"
        for parameter in parameters_of(definition)
        if draw(st.booleans())
    ]
    after = draw(VALUES[definition.at.name] if definition.at else cutoffs(definition))
    return name + (f"({','.join(given)})" if given else "") + ("" if after is None else f"@{after}")


@given(names())
def test_a_canonical_name_is_read_as_the_same_measure(text):
    measure = parse_measure(text)
    assert parse_measure(str(measure)) == measure


def test_groups_of_trec_eval_hold_what_is_a_number():
    official, every, sets = (
        [str(one) for one in parse_measures(name)] for name in ("official", "all_trec", "set")
    )
    assert official[:9] == "NumQ NumRet NumRel NumRelRet AP GMAP Rprec Bpref RR".split()  # noqa: SIM905
    assert len(official) == 9 + 11 + 9
    assert set(official) | set(sets) < set(every)
    assert sets[4:] == ["Utility", "SetP", "SetRelP", "SetR", "SetAP", "SetF"]


def test_where_one_measure_is_wanted_a_name_of_several_is_refused():
    assert str(parse_measure("ndcg_cut_10")) == "nDCG@10"
    with pytest.raises(UsageError, match="P needs a cutoff; write P@10"):
        parse_measure("P")
    with pytest.raises(UsageError, match=r"'P.5,10' is not one measure; .*such as P@5, P@10"):
        parse_measure("P.5,10")
    with pytest.raises(UsageError, match="'set' is not one measure"):
        parse_measure("set")


def test_a_level_holds_for_measures_that_have_one_and_were_not_given_theirs():
    names = ["map", "P_5", "AP(rel=3)", "nDCG@10", "ndcg", "ERR@20", "ERR(max_rel=5)"]
    assert [str(m) for m in parse_measures(names, rel=2, max_rel=3)] == [
        "AP(rel=2)",
        "P(rel=2)@5",
        "AP(rel=3)",
        "nDCG@10",
        "nDCG",
        "ERR(max_rel=3)@20",
        "ERR(max_rel=5)",
    ]
    assert str(parse_measure("AP", rel=1)) == "AP"
    with pytest.raises(UsageError, match="rel of AP is not '0'"):
        parse_measure("AP", rel=0)


def test_a_measure_named_twice_is_one():
    assert [str(m) for m in parse_measures(["MRR", "RR", "P@5"])] == ["RR", "P@5"]
    assert [str(m) for m in parse_measures("RR@10")] == ["RR@10"]


def test_the_defaults_are_measures():
    assert tuple(map(str, parse_measures(DEFAULT_MEASURES))) == DEFAULT_MEASURES
