"""Assigning again and again, while judges judge, come and go, and the pool grows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.pooling.assignment import Hand, Plan, QueryPairs, plan_assignments, shared_pairs
from judge_tui.pooling.standing import may_stay, shortfall, task_of

NAMES = ["ann", "bob", "cy", "dee", "eve"]
NOBODYS: frozenset[int] = frozenset()


def queries_of(sizes: list[int]) -> list[QueryPairs]:
    queries, key = [], 1
    for at, size in enumerate(sizes):
        queries.append(QueryPairs(f"q{at}", at, list(range(key, key + size))))
        key += size
    return queries


def hands_of(plan: Plan, hands: dict[str, Hand]) -> dict[str, Hand]:
    """The hands after the plan was written."""
    return {
        name: replace(hands.get(name, Hand()), given=plan.given[name], repeats=plan.repeats[name])
        for name in plan.given
    }


def judged(hand: Hand, share: float) -> Hand:
    """The hand after its first looks were graded in the order of the desk, up to that share."""
    done = frozenset(sorted(hand.given)[: round(share * len(hand.given))])
    return replace(hand, touched=done, decided=done)


@st.composite
def wishes(draw: st.DrawFn, *, new: bool = False) -> dict[str, object]:
    judges = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    as_now = [] if new else [None]
    return {
        "judges": judges,
        "overlap": draw(st.sampled_from([*as_now, 0.0, 0.3, 1.0])) if len(judges) > 1 else None,
        "repeat": draw(st.sampled_from([*as_now, 0.0, 0.1, 0.5])),
    }


class History:
    """A campaign as it comes to be."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        sizes = data.draw(st.lists(st.sampled_from([1, 2, 3, 5, 8, 20]), min_size=1, max_size=10))
        self.queries = queries_of(sizes)
        keys = st.integers(1, sum(sizes))
        self.gold = frozenset(data.draw(st.lists(keys, max_size=3)))
        self.hands: dict[str, Hand] = {}
        self._key = 1000

    def planned(self, wish: dict[str, object]) -> Plan:
        judges = wish["judges"]
        others = {name: value for name, value in wish.items() if name != "judges"}
        return plan_assignments(self.queries, judges, self.hands, gold=self.gold, seed=1, **others)

    def write(self, plan: Plan) -> None:
        self.hands = hands_of(plan, self.hands)

    def judge(self) -> None:
        """Everybody looks at some pairs: nearly all are decided, and some that come again."""
        for name, hand in self.hands.items():
            if not hand.given:
                continue
            first = sorted(hand.given)[: self.data.draw(st.integers(0, len(hand.given)))]
            stray = self.data.draw(st.lists(st.sampled_from(sorted(hand.given)), max_size=3))
            touched = hand.touched | {*first, *stray}
            again = frozenset(
                pair for pair in hand.repeats if pair in touched and self.data.draw(st.booleans())
            )
            undone = set(
                self.data.draw(st.lists(st.sampled_from([0, *sorted(touched)]), max_size=2))
            )
            self.hands[name] = replace(
                hand,
                touched=touched,
                touched_again=hand.touched_again | again,
                decided=(hand.decided | touched) - undone,
            )

    def grow(self) -> None:
        """Some queries get more pairs, and a new one comes."""
        more = self.data.draw(st.lists(st.integers(0, 6), max_size=len(self.queries) + 1))
        for at, count in enumerate(more):
            fresh = list(range(self._key, self._key + count))
            self._key += count
            if at < len(self.queries):
                old = self.queries[at]
                self.queries[at] = replace(old, pairs=[*old.pairs, *fresh])
            else:
                self.queries.append(QueryPairs(f"q{at}", at, fresh))


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_the_same_wish_twice_changes_nothing_whatever_happened_before(data):
    history = History(data)
    history.write(history.planned(data.draw(wishes(new=True))))
    for _ in range(data.draw(st.integers(1, 4))):
        history.judge()
        if data.draw(st.booleans()):
            history.grow()
        wish = data.draw(wishes())
        before = history.hands
        plan = history.planned(wish)
        for name, hand in before.items():
            assert hand.touched <= plan.given[name].keys()
            assert hand.touched_again <= plan.repeats[name].keys()
        history.write(plan)
        task = task_of(history.queries, wish["judges"], history.hands, history.gold)
        assert may_stay(task, history.hands)
        assert history.planned(wish) == plan


@settings(max_examples=120, deadline=None)
@given(st.data())
def test_a_plan_made_before_anybody_began_stays_whatever_is_judged(data):
    history = History(data)
    wish = data.draw(wishes(new=True))
    plan = history.planned(wish)
    history.write(plan)
    for _ in range(3):
        history.judge()
        assert history.planned(wish).given == plan.given


def shares(plan: Plan) -> dict[tuple[str, str], int]:
    return shared_pairs(plan.given, NOBODYS)


def test_who_comes_late_shares_with_everybody_even_where_all_is_begun():
    queries = queries_of([10] * 60)
    before = plan_assignments(queries, NAMES[:2], {}, overlap=0.3, seed=1)
    for share in (0, 0.3, 0.6, 0.9, 1):
        hands = {name: judged(hand, share) for name, hand in hands_of(before, {}).items()}
        for overlap in (0.3, None):
            after = plan_assignments(queries, NAMES[:3], hands, overlap=overlap, seed=1)
            late = shares(after)
            # A third of 180 pairs for every two, up to a query of ten.
            assert late["ann", "cy"] >= 50, (share, overlap)
            assert late["bob", "cy"] >= 50, (share, overlap)
            assert late["ann", "cy"] + late["bob", "cy"] <= 140
            # What ann and bob share for good stays, and counts for nobody else.
            kept = len(hands["ann"].touched & hands["bob"].touched)
            assert late["ann", "bob"] >= kept
            assert late["ann", "bob"] <= max(60, kept) + 10
            known = hands_of(after, hands)
            assert plan_assignments(queries, NAMES[:3], known, overlap=overlap, seed=1) == after


def test_parts_become_equal_where_a_judge_comes_late():
    queries = queries_of([10] * 60)
    before = plan_assignments(queries, NAMES[:2], {}, overlap=0.3, seed=1)
    hands = {name: judged(hand, 0.6) for name, hand in hands_of(before, {}).items()}
    after = plan_assignments(queries, NAMES[:3], hands, overlap=0.3, seed=1)
    sizes = [len(pairs) for pairs in after.given.values()]
    assert max(sizes) - min(sizes) <= 10


def test_who_comes_late_to_one_large_query_gets_a_part_and_shares_it():
    queries = queries_of([600])
    before = plan_assignments(queries, NAMES[:2], {}, overlap=0.3, seed=1)
    for share in (0, 0.5):
        hands = {name: judged(hand, share) for name, hand in hands_of(before, {}).items()}
        after = plan_assignments(queries, NAMES[:3], hands, overlap=0.3, seed=1)
        sizes = [len(pairs) for pairs in after.given.values()]
        assert max(sizes) - min(sizes) <= 25
        assert all(count >= 45 for count in shares(after).values())


def test_who_takes_the_place_of_another_shares_with_those_that_stay():
    queries = queries_of([10] * 60)
    before = plan_assignments(queries, NAMES[:2], {}, overlap=0.3, seed=1)
    hands = {name: judged(hand, 1) for name, hand in hands_of(before, {}).items()}
    after = plan_assignments(queries, ["bob", "cy"], hands, overlap=0.3, seed=1)
    assert shares(after)["bob", "ann"] == 180
    # One of three pairs of people: ann is one of them still, for what she judged is shared, too.
    assert 50 <= len(after.given["cy"]) <= 70
    known = hands_of(after, hands)
    assert plan_assignments(queries, ["bob", "cy"], known, overlap=0.3, seed=1) == after


def test_overlap_of_two_is_spread_over_three():
    queries = queries_of([4] * 36)
    before = plan_assignments(queries, NAMES[:2], {}, overlap=1, seed=1)
    assert shares(before) == {("ann", "bob"): 144}
    after = plan_assignments(queries, NAMES[:3], hands_of(before, {}), overlap=1, seed=1)
    assert set(shares(after).values()) == {48}
    assert [len(pairs) for pairs in after.given.values()] == [96, 96, 96]
    # What it is for whoever keeps it does not change.
    for name in NAMES[:2]:
        purposes = {pair: before.given[name][pair] for pair in after.given[name]}
        assert {pair for pair, what in purposes.items() if what == "normal"} <= {
            pair for pair, what in after.given[name].items() if what == "normal"
        }
    normal = Counter(what for pairs in after.given.values() for what in pairs.values())
    assert normal == {"normal": 144, "overlap": 144}


def test_what_two_have_begun_to_share_stays_shared_between_them():
    queries = queries_of([4] * 36)
    before = hands_of(plan_assignments(queries, NAMES[:2], {}, overlap=1, seed=1), {})
    # Both began the first twenty queries: one pair of each of them.
    begun = frozenset(query.pairs[0] for query in queries[:20])
    hands = {name: replace(hand, touched=begun, decided=begun) for name, hand in before.items()}
    after = plan_assignments(queries, NAMES[:3], hands, overlap=1, seed=1)
    for query in queries[:20]:
        assert set(query.pairs) <= after.given["ann"].keys() & after.given["bob"].keys()
        assert not set(query.pairs) & after.given["cy"].keys()
    assert shares(after)["ann", "bob"] == 80
    assert {shares(after)["ann", "cy"], shares(after)["bob", "cy"]} == {32}


def test_begun_queries_stay_whole_where_others_can_move():
    queries = queries_of([10] * 40)
    before = hands_of(plan_assignments(queries, NAMES[:2], {}, seed=1), {})
    begun = {
        name: frozenset(pair for pair in hand.given if pair % 10 == 1 and pair < 200)
        for name, hand in before.items()
    }
    hands = {name: replace(hand, touched=begun[name]) for name, hand in before.items()}
    after = plan_assignments(queries, NAMES[:4], hands, seed=1)
    assert [len(pairs) for pairs in after.given.values()] == [100] * 4
    for name, pairs in begun.items():
        for pair in pairs:
            assert set(range(pair, pair + 10)) <= after.given[name].keys()


def test_repeats_leave_the_parts_equal():
    """A part is what is judged in it: as many first looks, and as many more that come again."""
    queries = queries_of([5] * 60)
    hands = {"ann": Hand(touched=frozenset(range(1, 76)), decided=frozenset(range(1, 76)))}
    plan = plan_assignments(queries, NAMES[:3], hands, overlap=0.5, repeat=0.2, seed=1)
    sizes = [len(pairs) + len(plan.repeats[name]) for name, pairs in plan.given.items()]
    assert max(sizes) - min(sizes) <= 6
    assert [len(plan.repeats[name]) for name in plan.given] == [
        round(0.2 * len(pairs)) for pairs in plan.given.values()
    ]


def test_what_is_judged_twice_counts_as_overlap():
    queries = queries_of([10] * 10)
    both = frozenset(range(1, 31))
    hands = {name: Hand(touched=both, decided=both) for name in ("ann", "bob")}
    plan = plan_assignments(queries, NAMES[:2], hands, overlap=0.3, seed=1)
    assert shares(plan) == {("ann", "bob"): 30}
    assert [len(pairs) for pairs in plan.given.values()] in ([60, 70], [70, 60])
    # In the order of the judges: the one's normal work is the other's overlap.
    assert {plan.given["ann"][pair] for pair in both} == {"normal"}
    assert {plan.given["bob"][pair] for pair in both} == {"overlap"}


def test_gold_counts_for_everybody_alike():
    queries = queries_of([10] * 12)
    gold = frozenset(range(1, 21))
    done = frozenset(range(1, 16))
    hands = {"ann": Hand(touched=done, decided=done)}
    plan = plan_assignments(queries, NAMES[:2], hands, gold=gold, seed=1)
    # ann has judged fifteen gold pairs: that is no part of what is dealt.
    assert [len(pairs) for pairs in plan.given.values()] == [70, 70]


def test_who_had_it_as_normal_work_keeps_it_so():
    queries = queries_of([6] * 10)
    before = hands_of(plan_assignments(queries, NAMES[:2], {}, seed=1), {})
    after = plan_assignments(queries, NAMES[:2], before, overlap=1, seed=1)
    for name, hand in before.items():
        assert all(after.given[name][pair] == "normal" for pair in hand.given)
        others = after.given[name].keys() - hand.given.keys()
        assert {after.given[name][pair] for pair in others} == {"overlap"}


def test_of_a_query_that_was_divided_both_keep_their_normal_work():
    queries = queries_of([10])
    ann, bob = dict.fromkeys(range(1, 7), "normal"), dict.fromkeys(range(7, 11), "normal")
    hands = {"ann": Hand(ann), "bob": Hand(bob)}
    plan = plan_assignments(queries, NAMES[:2], hands, overlap=1, seed=1)
    assert plan.given["ann"] == ann | dict.fromkeys(bob, "overlap")
    assert plan.given["bob"] == bob | dict.fromkeys(ann, "overlap")
    # It is whole again where it is no larger than a fair part.
    hands = {"ann": Hand(dict.fromkeys(range(1, 7), "normal")), "bob": Hand(bob)}
    queries = [*queries, QueryPairs("other", 9, list(range(50, 60)))]
    plan = plan_assignments(queries, NAMES[:2], hands, overlap=1, seed=1)
    assert plan.given["ann"].keys() == plan.given["bob"].keys() == {*range(1, 11), *range(50, 60)}
    assert [plan.given["bob"][pair] for pair in bob] == ["normal"] * 4
    assert [plan.given["ann"][pair] for pair in ann] == ["normal"] * 6


def test_queries_with_gold_pairs_are_shared_first():
    queries = queries_of([10] * 20)
    gold = frozenset([5, 95, 155])
    plan = plan_assignments(queries, NAMES[:2], {}, overlap=0.15, gold=gold, seed=1)
    for name in NAMES[:2]:
        assert plan.given[name].keys() >= {*range(1, 11), *range(91, 101), *range(151, 161)}
    assert plan.warnings == ()


def test_gold_pairs_without_company_are_told():
    queries = queries_of([10] * 20)
    gold = frozenset([5, 6, 95, 155])
    plan = plan_assignments(queries, NAMES[:2], {}, gold=gold, seed=1)
    alone = {
        name: sum(
            len(pairs.keys() & set(range(10 * at + 1, 10 * at + 11)) - gold) == 0
            for at in (0, 0, 9, 15)
        )
        for name, pairs in plan.given.items()
    }
    assert sum(alone.values()) == 4
    told = ", ".join(f"{name} {count}" for name, count in alone.items() if count)
    assert plan.warnings == (
        f"gold pairs stand alone in their query, where a judge may guess what they are ({told}): a"
        " greater overlap gives them company",
    )
    many = plan_assignments(queries, [f"j{n}" for n in range(9)], {}, gold=gold, seed=1)
    assert "and 4 more judges)" in many.warnings[0] or "and 3 more judges)" in many.warnings[0]


def test_nothing_falls_short_where_everything_can_be_reached():
    queries = queries_of([10] * 60)
    plan = plan_assignments(queries, NAMES[:3], {}, overlap=0.3, seed=1)
    hands = hands_of(plan, {})
    task = task_of(queries, NAMES[:3], hands, NOBODYS)
    assert shortfall(task, hands, 180) == 0
    # As counted: 2 for each of 3 judges and each pair shared too many, beyond a query of ten.
    assert shortfall(task, hands, 150) == 2 * 3 * 20
    without = {**hands, "cy": Hand()}
    assert shortfall(task, without, 180) > 0
    assert not may_stay(task, without)


def test_what_is_given_out_may_stay_only_as_it_should_be():
    queries = queries_of([4, 4])
    ann = Hand({1: "normal", 2: "normal", 3: "normal", 4: "normal"})
    bob = Hand({5: "normal", 6: "normal", 7: "normal", 8: "normal"})

    def stays(ann: Hand, bob: Hand, others: dict[str, Hand] | None = None, **gold: int) -> bool:
        hands = {"ann": ann, "bob": bob, **(others or {})}
        golden = frozenset(gold.values())
        return may_stay(task_of(queries, ["ann", "bob"], hands, golden), hands)

    assert stays(ann, bob)
    assert stays(replace(ann, touched={1, 2}, decided={1}), bob)
    # Somebody judged what they were not given; a pair is nobody's; the query is torn.
    assert not stays(replace(ann, touched={5}), bob)
    assert not stays(Hand({1: "normal", 2: "normal", 3: "normal"}), bob)
    assert not stays(Hand({**ann.given, 5: "overlap"}), bob)
    both = dict.fromkeys(range(5, 9), "overlap")
    assert stays(Hand({**ann.given, **both}), bob)
    # Two have it as normal work and have not begun; nobody has.
    assert not stays(Hand({**ann.given, **dict.fromkeys(range(5, 9), "normal")}), bob)
    assert not stays(Hand(dict.fromkeys(range(1, 5), "overlap")), bob)
    # A gold pair is not everybody's, or is not known as one.
    assert not stays(ann, bob, pair=1)
    golden = Hand({**ann.given, 1: "gold"})
    assert not stays(golden, bob, pair=1)
    assert stays(golden, Hand({**bob.given, 1: "gold"}), pair=1)
    assert not stays(golden, bob)
    # Who left has more than they touched; a third one would judge what two have judged.
    cy = Hand({1: "overlap", 2: "overlap"}, touched={1}, decided={1})
    assert not stays(ann, bob, {"cy": cy})
    assert stays(ann, bob, {"cy": replace(cy, given={1: "overlap"})})
    dee = Hand({1: "overlap"}, touched={1}, decided={1})
    assert not stays(ann, bob, {"cy": replace(cy, given={1: "overlap"}), "dee": dee})
