"""decision.md: which system to take, what it takes in time and money, and what is not known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.collect.asking import systems_file
from tests.collect.server import Server, serving
from tests.evaluating import FAILS, evaluate, results, right_answers, systems

QUERIES = [f"word{number}" for number in range(40)]
RIGHT = {query: [f"{query}.md"] for query in QUERIES}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def at(rank: int, queries: list[str] = QUERIES) -> dict[str, Any]:
    """What is right stands at that rank, behind as many that are wrong."""
    return {query: [*(f"wrong{n}.md" for n in range(rank - 1)), f"{query}.md"] for query in queries}


def decision(
    folder: Path, server: Server, lists: Any, *options: str, queries: Any = QUERIES, **more: Any
) -> str:
    asked = systems(folder, server, lists, queries, **more)
    answers = right_answers(folder, {query: RIGHT[query] for query in queries})
    evaluate(asked, "--answers", answers, "-o", folder / "out", *options)
    return (folder / "out" / "decision.md").read_text()


def told(text: str) -> str:
    """The answer."""
    return text.partition("## The answer\n\n")[2].partition("\n")[0].strip("*")


def unknown(text: str) -> str:
    return text.partition("## What remains unknown\n")[2]


def test_the_better_system_is_named_first(tmp_path, server):
    text = decision(tmp_path, server, {"old": at(2), "new": at(1)}, "-m", "RR@10")
    assert text.startswith("# Decision between old and new\n")
    assert told(text) == "Take new: by RR@10 it is better than old by +0.5000 (no interval)."
    assert "ahead on 40 of 40 queries" in text
    assert "Good results that the answers do not name" in unknown(text)
    assert "What old and new would cost: no price is set" in unknown(text)


def test_that_two_are_better_does_not_say_which_of_them_is(tmp_path, server):
    lists = {"old": at(3), "new": at(1), "other": at(2)}
    assert told(decision(tmp_path, server, lists)).endswith(
        "Whether it is better than other was not tested: --baseline new does."
    )


def test_where_all_others_are_worse_the_baseline_stays(tmp_path, server):
    lists = {"old": at(1), "new": at(3), "other": at(2)}
    assert told(decision(tmp_path, server, lists)) == (
        "Stay with old: by nDCG@10 it is better than new and other."
    )


def test_nothing_shown_is_not_equal(tmp_path, server):
    lists = {"old": at(1), "new": {**at(1), QUERIES[0]: [], QUERIES[1]: FAILS}, "bad": at(9)}
    text = decision(tmp_path, server, lists)
    assert told(text) == (
        "new failed at 1 of 40 queries, which counts as nothing found. No system is shown to be"
        " better than old by nDCG@10, and bad is shown to be worse. That does not show that they"
        " are equal."
    )
    assert "Whether new and old differ by nDCG@10: 95 % interval -" in unknown(text)
    # The differences are twice -1 and 38 times 0: mean -0.05, sd sqrt(40/39 * 0.0475) = 0.2207.
    found = results(tmp_path / "out")["comparisons"]
    (effect,) = (one["detectable_effect"] for one in found if one["tag"] == "new")
    assert f"a test of 40 queries finds a difference of {0.220721 * effect:.4f} four times" in text
    assert "new: 1 of 40 queries failed" in unknown(text)


def test_an_outage_is_no_finding_about_quality(tmp_path, server):
    """Five of forty is more than a tenth."""
    lists = {"old": at(2), "new": at(1) | dict.fromkeys(QUERIES[-5:], FAILS), "other": at(1)}
    text = decision(tmp_path, server, lists, "-m", "RR@10")
    assert told(text) == (
        "new failed at 5 of 40 queries, which count as nothing found: this is no finding about how"
        " it ranks. No decision: too little is known of what new would find; --again-failed asks"
        " once more."
    )
    assert "- With the failures of new, by RR@10, beside old: new is better." in text
    assert "- By RR@10, beside old: other is better." in text
    assert " s a query (median of the 35 of 40 queries that were answered)" in text
    assert "- old: " in text.partition("What else weighs")[2]


def test_a_tenth_of_the_queries_may_fail(tmp_path, server):
    lists = {"old": at(2), "new": at(1) | dict.fromkeys(QUERIES[-4:], FAILS)}
    text = decision(tmp_path, server, lists, "-m", "RR@10")
    assert told(text).startswith(
        "new failed at 4 of 40 queries, which count as nothing found. Take new: by RR@10 it is"
    )


def test_one_system_alone_that_was_down_has_no_number(tmp_path, server):
    text = decision(tmp_path, server, {"old": at(2) | dict.fromkeys(QUERIES[-30:], FAILS)})
    assert told(text).endswith("ranks. old was asked alone, so that there is nothing to choose.")


def test_systems_with_the_same_numbers_are_taken_together(tmp_path, server):
    names = {"old": at(3), "dear": at(1), "cheap": at(1), "other": at(2)}
    prices = {name: {"price": 0.002 if name == "dear" else 0} for name in names}
    asked = _priced(tmp_path, server, names, QUERIES, **prices)
    answers = right_answers(tmp_path, RIGHT)
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out", "-m", "RR@10")
    text = told((tmp_path / "out" / "decision.md").read_text())
    # 1 less 1/3.
    assert text.startswith(
        "Take dear or cheap: by RR@10 they are better than old by +0.6667, with the same mean. What"
        " tells them apart: dear 2.00 (no currency configured) for 1,000 queries,"
        " cheap 0.00 (no currency configured) for 1,000 queries; dear 0."
    )
    assert "; dear 0." in text
    assert text.endswith(
        " Whether they are better than other was not tested: --baseline dear does."
    )


def test_what_costs_less_is_said_where_no_system_is_better(tmp_path, server):
    lists = {"old": at(2), "new": at(2), "bad": at(9)}
    prices = {"old": {"price": 0.002}, "new": {"price": 0.001}, "bad": {"price": 0}}
    asked = _priced(tmp_path, server, lists, QUERIES, **prices)
    evaluate(asked, "--answers", right_answers(tmp_path, RIGHT), "-o", tmp_path / "out")
    assert told((tmp_path / "out" / "decision.md").read_text()).endswith(
        "That does not show that they are equal. They cost: old 2.00 (no currency"
        " configured) for 1,000 queries, new 1.00 (no currency configured) for 1,000 queries."
    )


def test_what_was_required_says_why_it_is_not_met(tmp_path, server):
    asked = systems(tmp_path, server, {"old": at(2), "new": at(2)}, QUERIES)
    options = ("--require", "new:RR@10>=0.75", "--require", "RR@10>=0.5")
    answers = right_answers(tmp_path, RIGHT)
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out", *options, code=1)
    lines = (tmp_path / "out" / "decision.md").read_text().splitlines()
    required = lines[lines.index("What was required:") + 2 :][:2]
    assert required == ["- new:RR@10\\>=0.75: not met; new has 0.5000.", "- RR@10\\>=0.5: held."]
    assert required[0].removesuffix(".") in (tmp_path / "out" / "audit.md").read_text()


def test_means_are_over_the_queries_that_have_right_answers(tmp_path, server):
    """Twelve demand an order of the results, and nothing is right for them."""
    asked = systems(tmp_path, server, {"old": at(2), "new": at(1)}, QUERIES)
    entries: list[dict[str, Any]] = [
        {"query": query, "expected": f"{query}.md"} for query in QUERIES[:28]
    ]
    entries += [
        {"query": query, "prefer": {"better": f"{query}.md", "worse": "wrong0.md"}}
        for query in QUERIES[28:]
    ]
    (tmp_path / "answers.json").write_text(json.dumps(entries))
    options = ("--answers", tmp_path / "answers.json", "-m", "P@5", "-o", tmp_path / "out")
    evaluate(asked, *options)
    text = (tmp_path / "out" / "decision.md").read_text()
    count = "28 of 40 queries, those of which right answers are known"
    assert f"Means over {count}; one at which" in text
    assert f"Means over {count}; one at which" in (tmp_path / "out" / "audit.md").read_text()
    assert "28 queries (of 40) of which right answers are known are fewer than 30" in text
    assert "| queries | failed | nothing found | scored |" in text
    assert {(one["queries"], one["scored"]) for one in results(tmp_path / "out")["systems"]} == {
        (40, 28)
    }


def test_systems_that_do_alike(tmp_path, server):
    text = decision(tmp_path, server, {"old": at(2), "new": at(2)})
    assert "old and new have the same mean nDCG@10: it does not tell them apart." in unknown(text)
    assert "## Disagreement" not in text
    # All queries are as good as each other: none of them is the best.
    (row,) = {line for line in text.splitlines() if line.startswith("| old | 0.6309 | 0.0000")}
    assert "word" not in row


def test_too_few_queries_decide_nothing(tmp_path, server):
    few = QUERIES[:4]
    lists = {"old": at(2, few), "new": at(1, few)}
    text = decision(tmp_path, server, lists, queries=few)
    assert told(text) == "No decision: 4 queries are too few to tell any system from old."
    assert "4 queries are fewer than 30" in unknown(text)


def test_one_system_alone(tmp_path, server):
    text = decision(tmp_path, server, {"old": at(2)}, "-m", "RR@10")
    assert text.startswith("# Decision on old\n")
    assert told(text).startswith("old was asked alone, so that there is nothing to choose: RR@10")


def test_other_measures_that_say_otherwise_are_told(tmp_path, server):
    """new finds half of it at once, old all of it later."""
    both = {query: [f"{query}.md", f"{query}.txt"] for query in QUERIES}
    lists = {
        "old": {q: ["wrong.md", f"{q}.md", f"{q}.txt"] for q in QUERIES},
        "new": {q: [f"{q}.md"] for q in QUERIES},
    }
    asked = systems(tmp_path, server, lists, QUERIES)
    answers = right_answers(tmp_path, both)
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out", "-m", "RR@10", "-m", "R@10")
    text = (tmp_path / "out" / "decision.md").read_text()
    assert told(text).startswith("Take new: by RR@10")
    assert "By R@10, new is worse than old: -0.5000" in text


def test_what_nobody_graded_is_told_by_its_share(tmp_path, server):
    asked = systems(tmp_path, server, {"old": at(2), "new": at(1)}, QUERIES)
    (tmp_path / "q.tsv").write_text("".join(f"{query}\t{query}\n" for query in QUERIES))
    grades = [f"{query} 0 {query}.md 1\n" for query in QUERIES]
    grades += [f"{query} 0 wrong0.md 0\n" for query in QUERIES[4:]]
    (tmp_path / "g.qrels").write_text("".join(grades))
    options = ("--queries", tmp_path / "q.tsv", "--qrels", tmp_path / "g.qrels")
    evaluate(asked, *options, "-o", tmp_path / "out")
    text = unknown((tmp_path / "out" / "decision.md").read_text())
    # Of 80 results of old, wrong0.md of four queries.
    assert "Of the first 10 results of all queries they are: old 5 %." in text


CLASSES = {"lookup": QUERIES[:12], "fragment": QUERIES[12:24], "attribute": QUERIES[24:]}


def of_classes(folder: Path, server: Server, lists: Any, *, classes: Any = CLASSES) -> str:
    """Standard classes, each of which has measures of its own."""
    asked = systems(folder, server, lists, QUERIES)
    entries = [
        {"query": query, "expected": f"{query}.md", "class": name}
        for name, queries in classes.items()
        for query in queries
    ]
    (folder / "answers.json").write_text(json.dumps(entries))
    evaluate(asked, "--answers", folder / "answers.json", "-o", folder / "out")
    return (folder / "out" / "decision.md").read_text()


def test_no_one_system_is_taken_over_classes_that_are_measured_by_unlike_things(tmp_path, server):
    lookup, fragment, attribute = CLASSES.values()
    new = {**at(1, lookup), **at(9, fragment), **at(2, attribute)}
    text = of_classes(tmp_path, server, {"old": at(2), "new": new})
    assert told(text) == (
        "Class by class, each on its own terms, new is better for lookup and worse for fragment."
    )
    assert "- lookup: by RR, beside old: new is better." in text
    assert "- fragment: by P@5, beside old: new is worse." in text
    assert "Whether new and old differ for" in unknown(text)
    assert "attribute by P@5" in unknown(text)
    found = results(tmp_path / "out")
    assert [(one["class"], one["measure"], one["tag"]) for one in found["consistency"]] == [
        (name, measure, tag)
        for name, measure in (("attribute", "P@5"), ("fragment", "P@5"), ("lookup", "RR"))
        for tag in ("old", "new")
    ]
    assert {one["class"] for one in found["disagreement"]} == {"lookup", "fragment"}
    # 12 times 1/5, and never among the first five.
    assert "| fragment | P@5 | old | 0.2000 | 0.0000 |" in text
    assert "| fragment | P@5 | new | 0.0000 | 0.0000 |" in text


def test_what_rests_on_failures_says_so_class_by_class(tmp_path, server):
    new = {**at(2), **dict.fromkeys(CLASSES["lookup"], FAILS), CLASSES["lookup"][0]: []}
    text = of_classes(tmp_path, server, {"old": at(2), "new": new})
    assert "No decision: too little is known of what new would find" in told(text)
    assert "- lookup: with the failures of new, by RR, beside old: new is worse." in text


@pytest.mark.parametrize(
    ("ranks", "what"),
    [
        ((1, 2, 2), "new is better for lookup and worse for none."),
        ((9, 2, 2), "no system is shown to be better, and new is worse for lookup."),
        ((2, 2, 2), "no difference is shown. That does not show that they are equal."),
    ],
)
def test_what_classes_say_together(ranks, what, tmp_path, server):
    new = {
        k: v
        for rank, its in zip(ranks, CLASSES.values(), strict=True)
        for k, v in at(rank, its).items()
    }
    text = of_classes(tmp_path, server, {"old": at(2), "new": new})
    assert told(text) == f"Class by class, each on its own terms, {what}"


def test_classes_of_few_queries_decide_nothing(tmp_path, server):
    few = {name: its[:5] for name, its in CLASSES.items()}
    asked = [query for its in few.values() for query in its]
    text = of_classes(tmp_path, server, {"old": at(2, asked), "new": at(1, asked)}, classes=few)
    assert told(text) == "No decision: no class has enough queries to tell the systems apart."
    assert "- fragment: by P@5 and P@10, beside old: new: too few queries to tell." in text


def test_a_class_of_few_queries_is_named_where_nothing_is_shown(tmp_path, server):
    few = {**CLASSES, "fragment": QUERIES[12:15]}
    text = of_classes(tmp_path, server, {"old": at(2), "new": at(2)}, classes=few)
    assert told(text).endswith(
        "no difference is shown. That does not show that they are equal. fragment has too few"
        " queries to tell."
    )
    assert "- lookup: by RR and P@1, beside old: new: no difference is shown." in text


def test_an_order_of_results_in_which_no_query_differs_has_no_p(tmp_path, server):
    entries = [
        {
            "query": query,
            "class": "modern before legacy",
            "prefer": {"better": f"{query}.md", "worse": "wrong0.md"},
        }
        for query in QUERIES
    ]
    asked = systems(tmp_path, server, {"old": at(1), "new": at(1)}, QUERIES)
    (tmp_path / "answers.json").write_text(json.dumps(entries))
    evaluate(asked, "--answers", tmp_path / "answers.json", "-o", tmp_path / "out")
    for name in ("decision.md", "audit.md"):
        text = (tmp_path / "out" / name).read_text()
        assert "By prefer: the share of queries in which the better kind comes before the" in text
    shown = "- modern: by prefer, beside old: new: no difference is shown. 1.0000 against 1.0000, a"
    assert shown in text  # of audit.md
    assert "(no interval; no p: no query differs); ahead on 0 of 40 queries" in text
    told_open = unknown((tmp_path / "out" / "decision.md").read_text())
    assert "Whether new and old differ for modern by prefer" in told_open


def test_no_advice_rests_on_a_system_that_found_nothing(tmp_path, server):
    text = told(decision(tmp_path, server, {"old": {}, "new": at(1)}))
    assert "old found nothing for any query and looks wrongly set up" in text
    assert text.endswith("No decision: no advice rests on a comparison with old.")
    other = tmp_path / "other"
    other.mkdir()
    text = told(decision(other, server, {"old": at(2), "new": at(1), "bad": {}}))
    assert "bad found nothing for any query" in text
    assert "Take new: by nDCG@10 it is better than old" in text


def test_no_advice_rests_on_a_system_that_found_nothing_for_over_half(tmp_path, server):
    """As one does that answers with an error and an empty list."""
    new = {**at(1, QUERIES[:2]), QUERIES[2]: FAILS}
    text = told(decision(tmp_path, server, {"old": at(2), "new": new}))
    assert text == (
        "new failed at 1 of 40 queries, which counts as nothing found. new found nothing for 38 of"
        " 40 queries, 1 of them failed: look at its set-up first. No decision: no advice rests on a"
        " comparison with new."
    )
    told_too = "new: found nothing for 38 of 40 queries, 1 of them failed: look at its set-up first"
    assert told_too in results(tmp_path / "out")["warnings"]
    half = tmp_path / "half"
    half.mkdir()
    text = told(decision(half, server, {"old": at(2), "new": at(1, QUERIES[:20])}))
    assert "set-up" not in text


def test_where_nothing_is_found_for_any_class_by_two_there_is_no_decision(tmp_path, server):
    classes = {"lookup": QUERIES[:20], "synonym": QUERIES[20:]}
    entries = [
        {"query": query, "class": name, "expected": f"{query}.md"}
        for name, queries in classes.items()
        for query in queries
    ]
    (tmp_path / "answers.json").write_text(json.dumps(entries))
    lists = {"old": at(1, classes["lookup"]), "new": at(1, classes["synonym"])}
    asked = systems(tmp_path, server, lists, QUERIES)
    evaluate(asked, "--answers", tmp_path / "answers.json", "-o", tmp_path / "out")
    assert told((tmp_path / "out" / "decision.md").read_text()) == (
        "old found nothing for any query of class 'synonym': look at its set-up first. No advice"
        " rests on that. new found nothing for any query of class 'lookup': look at its set-up"
        " first. No advice rests on that. No decision: for no class did two systems find enough to"
        " be compared."
    )


def test_what_is_demanded_is_told_as_measures_are_and_of_no_system_that_found_nothing(
    tmp_path, server
):
    entries: list[dict[str, Any]] = [
        {"query": query, "class": "lookup", "expected": f"{query}.md"} for query in QUERIES[:20]
    ]
    entries += [
        {"query": query, "class": "cross-source", "authority": ["^word", "^wrong"]}
        for query in QUERIES[20:]
    ]
    (tmp_path / "answers.json").write_text(json.dumps(entries))
    lists = {"old": at(2), "new": {**at(2), **at(1, QUERIES[20:])}, "bad": {}, "down": {}}
    asked = systems(tmp_path, server, lists, QUERIES)
    evaluate(asked, "--answers", tmp_path / "answers.json", "-o", tmp_path / "out")
    text = (tmp_path / "out" / "decision.md").read_text()
    assert told(text) == (
        "bad and down found nothing for any query and look wrongly set up: look at where they are"
        " asked and where their results are sought in the systems file. Class by class, each on its"
        " own terms, new is better for cross-source and worse for none."
    )
    bullets = text.partition("## The answer")[2].partition("What else weighs")[0]
    (authority,) = [line for line in bullets.splitlines() if "authority, beside" in line]
    assert authority.startswith(
        "- cross-source: by authority, beside old: new is better. 1.0000 against 0.0000, a"
        " difference of +1.0000 (no interval; p "
    )
    assert authority.endswith("; ahead on 20 of 20 queries, behind on 0, level on 0.")
    assert "By authority: the share of queries in which result 1 is from the highest" in bullets
    assert not [line for line in bullets.splitlines() if line.startswith("- ") and "bad" in line]
    assert "Whether new and old differ for lookup by RR and lookup by P@1" in unknown(text)
    assert "Whether bad" not in text


def test_what_was_not_tested_is_no_system_that_found_nothing(tmp_path, server):
    text = decision(tmp_path, server, {"old": at(2), "new": at(1), "bad": {}}, "-m", "RR@10")
    assert "was not tested" not in told(text)
    assert "beside old: bad" not in text
    other = tmp_path / "other"
    other.mkdir()
    text = decision(other, server, {"bad": {}, "old": at(2), "new": at(1)}, "-m", "RR@10")
    assert told(text).endswith("with bad; --baseline old compares the others.")
    assert "beside bad: " not in text


def test_systems_that_never_differ_have_no_least_difference_that_is_found(tmp_path, server):
    text = unknown(decision(tmp_path, server, {"old": at(2), "new": at(2)}))
    assert "no interval; the two are level on every query." in text
    audit = (tmp_path / "out" / "audit.md").read_text()
    assert "No interval, since the difference is the same for all 40 queries, and so in" in audit


# Time and money


def rewritten(journal: Path, seconds: list[float], tries: list[int]) -> None:
    """The same answers as if they had taken so long, and so many tries."""
    head, *lines, written = journal.read_text().splitlines()
    answers = [json.loads(line) for line in lines]
    for answer, its_seconds, its_tries in zip(answers, seconds, tries, strict=True):
        answer.update(seconds=its_seconds, tries=its_tries)
    journal.write_text("\n".join([head, *map(json.dumps, answers), written]) + "\n")


def test_latency_and_cost_are_those_of_the_answers(tmp_path, server):
    few = QUERIES[:8]
    lists = {"old": at(2, few), "new": at(1, few)}
    more = {"price": 0.0025, "currency": "USD"}
    systems_text = _priced(tmp_path, server, lists, few, new=more, old={"price": 0})
    answers = right_answers(tmp_path, {query: RIGHT[query] for query in few})
    evaluate(systems_text, "--answers", answers, "-o", tmp_path / "out")
    rewritten(
        tmp_path / "out" / "new.answers.jsonl",
        [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 4.0],
        [1, 1, 1, 1, 1, 1, 1, 3],
    )
    evaluate(systems_text, "--answers", answers, "-o", tmp_path / "out")
    text = (tmp_path / "out" / "decision.md").read_text()
    # Ten calls: 0.025 in all; 1.25 calls a query, 3.125 for a thousand queries.
    assert "| new | 0.450 | 4.000 | 8 | 8 | 10 |" in text
    assert "| new | 0.0025 USD | 10 | 0.025 USD | 3.12 USD |" in text
    no = "(no currency configured)"
    assert f"| old | 0 {no} | 8 | 0.00 {no} | 0.00 {no} |" in text
    assert "- new: 0.450 s a query (median), 3.12 USD for 1,000 queries." in text
    assert "no price is set" not in text
    evaluate(systems_text, "--answers", answers, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "decision.md").read_text() == text


def _priced(folder: Path, server: Server, lists: Any, queries: Any, **prices: Any) -> str:
    systems(folder, server, lists, queries)
    tables = {
        name: {
            "kind": "http",
            "url": f"{server.url}/{name}/{{query}}?n={{k}}",
            "results": "hits[*]",
            "id": "id",
            **prices[name],
        }
        for name in lists
    }
    return str(systems_file(folder, tables))


def test_a_usual_price_and_another_price_change_no_answer(tmp_path, server):
    few = QUERIES[:2]
    lists = {"old": at(1, few), "new": at(1, few)}
    answers = right_answers(tmp_path, {query: RIGHT[query] for query in few})
    path = Path(_priced(tmp_path, server, lists, few, old={}, new={"price": 0.5}))
    evaluate(path, "--answers", answers, "-o", tmp_path / "out")
    before = len(server.asked)
    path.write_text('[defaults]\nprice = 0.00001\ncurrency = "EUR"\n' + path.read_text())
    evaluate(path, "--answers", answers, "-o", tmp_path / "out")
    assert len(server.asked) == before
    text = (tmp_path / "out" / "decision.md").read_text()
    assert "| old | 0.00001 EUR | 2 | 0.000020 EUR | 0.010 EUR |" in text
    assert "| new | 0.5 EUR | 2 | 1.00 EUR | 500.00 EUR |" in text
    path.write_text(path.read_text().replace("price = 0.5\n", "price = 0.75\n"))
    evaluate(path, "--answers", answers, "-o", tmp_path / "out")
    assert len(server.asked) == before
    text = (tmp_path / "out" / "decision.md").read_text()
    assert "| new | 0.75 EUR | 2 | 1.50 EUR | 750.00 EUR |" in text


def test_a_usual_currency_waits_for_a_price(tmp_path, server):
    few = QUERIES[:2]
    lists = {"old": at(1, few), "new": at(1, few)}
    answers = right_answers(tmp_path, {query: RIGHT[query] for query in few})
    path = Path(_priced(tmp_path, server, lists, few, old={}, new={"price": 2}))
    path.write_text('[defaults]\ncurrency = "EUR"\n' + path.read_text())
    evaluate(path, "--answers", answers, "-o", tmp_path / "out")
    text = (tmp_path / "out" / "decision.md").read_text()
    assert "| new | 2 EUR | 2 | 4.00 EUR | 2,000.00 EUR |" in text
    assert "What old would cost: no price is set" in unknown(text)


@pytest.mark.parametrize(
    ("setting", "what"),
    [
        ({"price": -1}, "price is -1; write a number from 0"),
        ({"price": "2 USD"}, "price is not a number"),
        ({"currency": "USD"}, "there is a currency and no price"),
        ({"price": 1, "currency": "a\x1bb"}, "currency is no short word"),
        ({"price": -1, "currency": "USD"}, "price is -1; write a number from 0"),
    ],
)
def test_prices_that_are_none(setting, what, tmp_path, server):
    answers = right_answers(tmp_path, {"word0": "a.md"})
    path = _priced(tmp_path, server, {"old": at(1)}, QUERIES[:1], old=setting)
    result = evaluate(path, "--answers", answers, "-o", tmp_path / "out", code=2)
    assert what in result.stderr
    assert result.stderr.count("no price") == (what == "there is a currency and no price")


def test_foreign_text_cannot_make_markup_of_it(tmp_path, server):
    query, doc_id = "<b>|*", "<i>"
    asked = systems(tmp_path, server, {"old": {query: [doc_id]}, "new": {}}, [query])
    answers = right_answers(tmp_path, {query: doc_id})
    evaluate(asked, "--answers", answers, "-o", tmp_path / "out")
    text = (tmp_path / "out" / "decision.md").read_text()
    assert "<" not in text.replace("&lt;", "").replace("\\<", "")
    assert r"\|\*" in text
