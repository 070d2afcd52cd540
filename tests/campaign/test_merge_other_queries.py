"""Copies of a campaign that each got another new query, by the same id."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.bundle import export_bundle
from judge_tui.campaign.grades import load_qrels
from judge_tui.campaign.merge import Merged, merge
from judge_tui.campaign.queries import all_queries, load_queries
from judge_tui.campaign.runs import kept_rankings
from judge_tui.cli import cli
from judge_tui.errors import CampaignError
from judge_tui.formats.mended_texts import may_be_mended
from tests.campaign.copies import copied, events_of, graded_in, whole
from tests.loading_runs import load_run


def got(path: Path, text: str, judge: str, query_id: str = "q3") -> None:
    """The copy gets a query, a run that found something for it, and a grade of each."""
    folder = path.parent
    (folder / "q.tsv").write_text(f"{query_id}\t{text}\n")
    (folder / "r.run").write_text(
        f"{query_id} Q0 {judge}.py 1 2 r-{judge}\nq1 Q0 {judge}.py 1 2 r-{judge}\n"
    )
    (folder / "g.qrels").write_text(f"{query_id} 0 {judge}.py 3\nq1 0 {judge}.py 1\n")
    with open_campaign(path) as away:
        load_queries(away, folder / "q.tsv")
        load_run(away, folder / "r.run")
        load_qrels(away, folder / "g.qrels", judge=judge)


def texts(campaign: Campaign) -> dict[str, str]:
    return {query.query_id: query.text for query in all_queries(campaign)}


@pytest.fixture
def two(campaign: Campaign) -> tuple[Path, Path]:
    """Two copies: q3 is another query in each."""
    ann, bob = copied(campaign, "ann.db"), copied(campaign, "bob.db")
    got(ann, "hash a file", "ann")
    got(bob, "export to Quepid", "bob")
    return ann, bob


def refused(path: Path, others: list[Path]) -> CampaignError:
    before = whole(path)
    with open_campaign(path) as home:
        with pytest.raises(CampaignError) as caught:
            merge(home, others)
        assert home.rows("SELECT name FROM temp.sqlite_schema") == []
    assert whole(path) == before
    return caught.value


def test_nothing_is_merged_in_any_order(campaign: Campaign, two: tuple[Path, Path]) -> None:
    ann, bob = two
    error = refused(ann, [bob])
    assert str(error) == (
        f"{bob}: other queries have the same ids there as here: 1 (q3: 'hash a file' here, 'export"
        " to Quepid' there); if they are one query, give it one text in both files first (load"
        " queries FILE --replace, with its id); else leave out what that file has of them"
        " (--skip-other-queries)"
    )
    refused(bob, [ann])
    for order in itertools.permutations(two):  # the campaign at home has no q3
        home = copied(campaign, "home.db")
        assert refused(home, [*order]).path == str(order[1])
        home.unlink()


def test_queries_that_exchanged_ids_are_taken_by_their_texts(
    campaign: Campaign, two: tuple[Path, Path]
) -> None:
    ann, bob = two
    for path, query in ((ann, "q4\texport to Quepid"), (bob, "q5\twalk a tree")):
        (path.parent / "more.tsv").write_text(f"{query}\n")
        with open_campaign(path) as away:
            load_queries(away, path.parent / "more.tsv")
    for here, there in ((ann, bob), (bob, ann)):
        error = refused(here, [there])
        assert str(error) == (
            f"{there}: other queries have the same ids there as here: 1 (q3:"
            f" {'hash a file' if here == ann else 'export to Quepid'!r} here,"
            f" {'hash a file' if here == bob else 'export to Quepid'!r} there); as some are on the"
            " other side by another id, take what was judged there by the texts of queries:"
            f" judge-tui export judgments --db {there} -f quepid-book-json -o FILE, and here load"
            " queries FILE, then load qrels FILE (times, flags and what a lead settled do not"
            " come); or leave out what that file has of them (--skip-other-queries)"
        )
    book = str(bob.parent / "book.json")
    for words in (
        ("export", "judgments", "--db", str(bob), "-f", "quepid-book-json", "-o", book),
        ("load", "queries", "--db", str(ann), book),
        ("load", "qrels", "--db", str(ann), book),
    ):
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
    with open_campaign(ann) as home:
        of = texts(home)
        judged = {(judge, of[query], doc) for _, judge, query, doc, *_ in events_of(home)}
    assert judged == {
        *(("ann", text, "ann.py") for text in ("hash a file", of["q1"])),
        *(("bob", text, "bob.py") for text in ("export to Quepid", of["q1"])),
    }


def left_out(path: Path, others: list[Path]) -> Merged:
    with open_campaign(path) as home:
        return merge(home, others, skip_other_queries=True)


def test_all_of_such_queries_is_left_out_on_request(two: tuple[Path, Path]) -> None:
    ann, bob = two
    came = left_out(ann, [bob]).files[0]
    assert (came.other_queries, came.pairs_left_out, came.events_left_out) == (("q3",), 1, 1)
    assert (came.queries, came.pairs, came.runs, came.events) == (0, 1, 1, {"bob": 1})
    with open_campaign(ann) as home:
        assert texts(home)["q3"] == "hash a file"
        of_q3 = [
            (judge, doc_id) for _, judge, query, doc_id, *_ in events_of(home) if query == "q3"
        ]
        assert of_q3 == [("ann", "ann.py")]
        assert {*kept_rankings(home)["r-bob"]} == {"q1"}
        assert home.rows("PRAGMA foreign_key_check") == []
        again = merge(home, [bob], skip_other_queries=True)
        assert (again.files[0].events, again.files[0].pairs) == ({}, 0)
        assert (again.files[0].events_left_out, again.files[0].events_there) == (1, 2)


def test_pairs_that_both_have_are_left_out_as_well(two: tuple[Path, Path]) -> None:
    """Both copies found one document, for q3 of theirs; bob judged it, and took a grade back."""
    ann, bob = two
    (ann.parent / "g.qrels").write_text("q3 0 bob.py 1\n")
    with open_campaign(ann) as home:
        load_qrels(home, ann.parent / "g.qrels", judge="ann")
        before = {one for one in events_of(home) if one[2] == "q3"}
    came = left_out(ann, [bob]).files[0]
    assert (came.pairs_left_out, came.events_left_out, came.pairs_only_here) == (0, 1, 3)
    with open_campaign(ann) as home:
        assert {one for one in events_of(home) if one[2] == "q3"} == before


def test_one_query_that_has_one_text_in_both_again_is_merged(two: tuple[Path, Path]) -> None:
    ann, bob = two
    (ann.parent / "q.tsv").write_text("q3\thash a file\n")
    with open_campaign(bob) as away:
        load_queries(away, ann.parent / "q.tsv", replace=True)
    with open_campaign(ann) as home:
        assert merge(home, [bob]).files[0].events == {"bob": 2}


@pytest.mark.parametrize(
    "text", ["hash  a file", "Hash a file?", "hsah a file", "hash a file fast", "hash%20a file"]
)
def test_a_text_that_was_mended_is_the_same_query(campaign: Campaign, text: str) -> None:
    ann, bob = copied(campaign, "ann.db"), copied(campaign, "bob.db")
    got(ann, "hash a file", "ann")
    got(bob, text, "bob")
    for here, there in ((ann, bob), (bob, ann)):
        with open_campaign(here) as home:
            merged = merge(home, [there])
        assert [(one.name, one.field) for one in merged.conflicts] == [("q3", "text")]
    with open_campaign(ann) as one, open_campaign(bob) as other:
        assert events_of(one) == events_of(other)


def test_a_bundle_of_another_query_is_refused_at_home(campaign: Campaign, files: Path) -> None:
    bundle = files / "bundle.db"
    export_bundle(campaign, bundle, judge="bob")
    graded_in(bundle, "bob", {"csv.reader": 2})
    (files / "q.tsv").write_text("q1\texport to Quepid\n")
    load_queries(campaign, files / "q.tsv", replace=True)
    with pytest.raises(CampaignError, match="'export to Quepid' here, 'read a CSV file' there"):
        merge(campaign, [bundle])


TEXTS = ("hash a file", "hsah a file", "hash a file now", "export to Quepid", "walk a tree")


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.sampled_from(("q3", "q4")), st.sampled_from(TEXTS)), min_size=2, max_size=3
    )
)
def test_whatever_queries_copies_got_each_judgment_is_of_its_text_in_any_order(
    campaign: Campaign, came: list[tuple[str, str]]
) -> None:
    with tempfile.TemporaryDirectory(dir=campaign.path.parent) as folder:
        copies = []
        judged_as = {}
        for place, (query_id, text) in enumerate(came):
            copies.append(copied(campaign, f"{Path(folder).name}/{place}.db"))
            got(copies[-1], text, f"judge{place}", query_id)
            judged_as[f"judge{place}"] = text
        # Each two of one id are alike: then any order gives the same, else none gives anything.
        may = all(
            may_be_mended(text, other)
            for query_id, text in came
            for other_id, other in came
            if query_id == other_id
        )
        outcomes = []
        for number, order in enumerate(itertools.permutations(copies)):
            with open_campaign(copied(campaign, f"{Path(folder).name}/home{number}.db")) as home:
                try:
                    merge(home, order)
                except CampaignError:
                    assert not may
                    continue
                for _, judge, query_id, *_ in events_of(home):
                    if query_id != "q1":
                        assert may_be_mended(texts(home)[query_id], judged_as[judge])
                outcomes.append(events_of(home))
        if may:
            assert len(outcomes) == number + 1
            assert all(one == outcomes[0] for one in outcomes)
