"""`judge-tui results`: every view, in every form, with the numbers of `score` and `compare`."""

import csv
import io
import json
import re
import unicodedata
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.report import FORMS

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\u200b&50%_|*\\<b>"
TAG = f"=tag{HOSTILE}"
DOC = f"=doc{HOSTILE}"
QUERY = f"=q {HOSTILE}"
PLAIN = [f"q{number}" for number in range(7)]
CLASSES = ("lookup", "survey")

LARGE = "with fewer than 30, only a large difference can be shown"
OTHER = "with fewer than 30, other queries may give another picture"


def invoke(*args):
    return CliRunner().invoke(cli, args)


def done(*args):
    result = invoke(*args)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eight queries, two runs and two judges; one id of each sort is hostile.

    The plain run has an unjudged document first, then "bad" and "good"; the hostile one has them
    the other way round, and nothing good for the hostile query. ann and bob differ once.
    """
    folder = tmp_path_factory.mktemp("results")
    db = ("--db", str(folder / "campaign.db"))
    ids = [*PLAIN, QUERY]
    queries = [
        {"query_id": one, "text": f"find {one}", "class": CLASSES[n % 2], "hops": n % 3}
        for n, one in enumerate(ids)
    ]
    (folder / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in queries))
    documents = [
        {"doc_id": "good", "text": "g" * 30, "kind": "method", "title": f"Good {HOSTILE}"},
        {"doc_id": "bad", "text": "b" * 20, "kind": "class"},
        {"doc_id": DOC, "text": "d" * 10, "kind": HOSTILE},
    ]
    (folder / "docs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    lists = {
        "plain": {one: ["new", "bad", "good"] for one in ids},
        TAG: {one: ["good", "bad"] for one in PLAIN} | {QUERY: ["bad", "new"]},
    }
    for name, run in zip(("plain.json", "hostile.json"), lists.values(), strict=True):
        scores = {
            query: {doc: float(9 - rank) for rank, doc in enumerate(docs)}
            for query, docs in run.items()
        }
        (folder / name).write_text(json.dumps(scores))
    done("init", *db, "--name", f"=name{HOSTILE}", "--seed", "4")
    done("load", "queries", str(folder / "queries.jsonl"), *db)
    for name, tag in (("plain.json", "plain"), ("hostile.json", TAG)):
        done("load", "run", str(folder / name), "--tag", tag, *db)
    done("load", "docs", str(folder / "docs.jsonl"), "--all", *db)
    done("pool", *db)
    ann = {one: {"good": 2, "bad": 0} for one in PLAIN} | {QUERY: {"good": 3, "bad": 0, DOC: 1}}
    bob = {PLAIN[0]: {"good": 1, "bad": 0}}
    for judge, grades in (("ann", ann), ("bob", bob)):
        (folder / f"{judge}.json").write_text(json.dumps(grades))
        done("load", "qrels", str(folder / f"{judge}.json"), "--judge", judge, *db)
    return folder


VIEWS = {
    "leaderboard": ("--leaderboard",),
    "delta": ("--delta", "plain", TAG),
    "rankings": ("--query", QUERY, "plain", TAG),
    "values": ("--delta", TAG),
    "ranking": ("--query", QUERY, TAG),
    "failures": ("--failures", TAG),
    "histogram": ("--histogram",),
    "slices": ("--by", "class"),
    "kinds": ("--by", "document.kind"),
    "lengths": ("--by", "length"),
    "disagreements": ("--disagreements",),
}


def results(folder, *args):
    return done("results", "--db", str(folder / "campaign.db"), *args)


def document(folder, *args):
    return json.loads(results(folder, *args, "-f", "json").stdout)


def refused(folder, *args):
    result = invoke("results", "--db", str(folder / "campaign.db"), *args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    return result.stderr.removeprefix("error: ")


def obeyed(text):
    unsafe = ("Cc", "Cf", "Cs", "Zl", "Zp")
    return {char for char in text if unicodedata.category(char) in unsafe and char != "\n"}


@pytest.mark.parametrize("form", [*FORMS, "svg"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_in_every_form_is_harmless_and_the_same_twice(folder, tmp_path, view, form):
    result = results(folder, *VIEWS[view], "-f", form)
    again = results(folder, *VIEWS[view], "-f", form, "-o", str(tmp_path / "out"))
    text = (tmp_path / "out").read_text(encoding="utf-8")
    assert (again.stdout, result.stdout) == ("", text)
    assert obeyed(result.stdout) == obeyed(result.stderr) == set()
    assert "float64" not in text
    if form == "svg":
        ElementTree.fromstring(text)  # noqa: S314 - our own
    if form == "csv":
        header, *rows = csv.reader(io.StringIO(text))
        assert rows
        for row in rows:
            assert len(row) == len(header)
            assert not any(re.match(r"[=@]|[+-](?![0-9.])", cell) for cell in row), row
    if form == "md":
        tables = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
        assert tables
        for table in tables:
            assert len({len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table}) == 1


@pytest.mark.parametrize("view", VIEWS)
def test_json_begins_and_ends_as_it_is_promised(folder, view):
    found = document(folder, *VIEWS[view])
    assert list(found)[:3] == ["schema_version", "settings", "view"]
    assert list(found)[-1] == "warnings"
    assert found["schema_version"] == 1
    assert found["settings"] == {
        "campaign": {
            "name": f"=name{HOSTILE}",
            "policy": "majority",
            "unresolved": "skip",
            "include_models": False,
            "only_models": False,
            # good of q0 is disputed; new was judged by nobody for any of the eight queries.
            "left_out": {"unresolved": 1, "not_judged": 8},
        },
        "pairs": 16,
        "grades": [0, 1, 2, 3],
        "baseline": "plain",
        "k": 10,
        "rel": 1,
        "seed": 4,
    }


FEW = {
    "leaderboard": f"runs are compared with 'plain' over 8 queries: {LARGE}",
    "delta": f"{TAG!r} is compared with 'plain' over 8 queries: {LARGE}",
    "rankings": None,
    "values": None,
    "ranking": None,
    "failures": f"failures are counted over 8 queries: {OTHER}",
    "histogram": f"ranks are counted over 8 queries: {OTHER}",
    "slices": f"the means of a slice are over 4 queries: {OTHER}",
    # good of q0 is disputed; the hostile document is relevant for its query alone.
    "kinds": f"the means of a slice are over 1 to 7 queries: {OTHER}",
    "lengths": f"the means of a slice are over 1 to 7 queries: {OTHER}",
    "disagreements": None,
}


def test_means_and_bounds_are_those_of_score(folder):
    db = str(folder / "campaign.db")
    score = json.loads(done("score", "--db", db, "--bounds", "-f", "json").stdout)
    found = document(folder, "--leaderboard")
    assert found["measures"] == score["measures"]
    runs = {run["tag"]: run for run in found["runs"]}
    for run in score["runs"]:
        mine = runs[run["tag"]]
        assert (mine["queries"], mine["missing"]) == (run["queries"], run["missing"])
        assert mine["mean"] == run["mean"]
        assert [one for one, between in run["bounds"].items() if not between] == ["Judged@10"]
        assert list(mine["bounds"]) == [one for one, between in run["bounds"].items() if between]
        for measure in mine["bounds"]:
            between = run["bounds"][measure]
            assert mine["bounds"][measure] == pytest.approx(between, abs=1e-12)
    assert found["settings"]["campaign"] == score["settings"]["campaign"]


def test_verdicts_and_deltas_are_those_of_compare(folder):
    db = str(folder / "campaign.db")
    compare = json.loads(done("compare", "--db", db, "-f", "json").stdout)
    runs = {run["tag"]: run for run in document(folder, "--leaderboard")["runs"]}
    assert runs["plain"]["why"]["verdicts"] == "it is the baseline"
    for one in compare["comparisons"]:
        mine = runs[TAG]["verdicts"][one["measure"]]
        for key in ("queries", "delta", "ci95", "wins", "ties", "losses", "verdict"):
            assert mine[key] == one[key]
        assert mine["p"] == one["tests"]["wilcoxon"]["p"]
        delta = document(folder, "--delta", "plain", TAG, "-m", one["measure"])
        assert (delta["delta"], delta["ci95"]) == (one["delta"], one["ci95"])
        reason = one.get("why", {}).get("ci95")
        assert delta.get("why", {}).get("ci95") == reason
        assert mine["ci95"] or reason in mine["why"]
        assert {
            bucket: sorted(
                row["query_id"].replace(" ", "%20")
                for row in delta["deltas"]
                if row["changed"] == bucket
            )
            for bucket in one["changed"]
        } == one["changed"]


def test_slices_are_those_of_score(folder):
    db = str(folder / "campaign.db")
    for field in ("class", "hops"):
        score = json.loads(
            done("score", "--db", db, "--by", field, "-m", "RR@10", "-f", "json").stdout
        )
        found = document(folder, "--by", field, "-m", "RR@10")
        mine = {(one["tag"], one["slice"]): one for one in found["slices"]}
        for run in score["runs"]:
            for name, one in run["slices"].items():
                own = mine[run["tag"], name]
                assert (own["queries"], own["mean"]) == (one["queries"], one["mean"]["RR@10"])


def test_failures_say_what_came_and_what_was_missed(folder):
    found = document(folder, "--failures", TAG)
    by_query = {row["query_id"]: row for row in found["failures"]}
    # The grade of good for q0 is not decided; for the hostile query it is not in the list.
    assert set(by_query) == {"q0", QUERY}
    row = by_query[QUERY]
    assert (row["proven"], row["unjudged"], row["first_relevant"]) == (False, 1, None)
    assert [(one["doc_id"], one["grade"]) for one in row["came"]] == [("bad", 0), ("new", None)]
    good, hostile = row["relevant"]
    assert (good["doc_id"], good["grade"], good["rank"]) == ("good", 3, None)
    assert good["found_by"] == [{"tag": "plain", "rank": 3}]
    assert (hostile["doc_id"], hostile["found_by"]) == (DOC, [])
    assert by_query["q0"]["relevant"] == []
    text = results(folder, "--failures", TAG).stdout
    assert "not proven: 2 of the 2" in text
    assert "no relevant document is known" in text
    assert "plain at 3" in text


def test_failures_look_at_the_top_alone(folder):
    assert len(document(folder, "--failures", "plain", "-k", "2")["failures"]) == 8
    assert len(document(folder, "--failures", "plain", "-k", "3")["failures"]) == 1
    assert len(document(folder, "--failures", "plain", "-k", "3", "--rel", "3")["failures"]) == 7


def test_two_rankings(folder):
    # As exported files have the id, too.
    encoded = QUERY.replace(" ", "%20")
    assert document(folder, "--query", encoded, "plain", TAG)["query_id"] == QUERY
    found = document(folder, *VIEWS["rankings"], "-m", "RR@10")
    assert found["rankings"]["plain"] == [
        {"rank": 1, "doc_id": "new", "title": "", "grade": None, "other_rank": 2},
        {"rank": 2, "doc_id": "bad", "title": "", "grade": 0, "other_rank": 1},
        {
            "rank": 3,
            "doc_id": "good",
            "title": f"Good {HOSTILE}",
            "grade": 3,
            "other_rank": None,
        },
    ]
    assert found["values"]["RR@10"] == {"plain": 1 / 3, TAG: 0.0}
    assert found["known"] == {"0": 1, "1": 1, "3": 1}
    lines = results(folder, *VIEWS["rankings"]).stdout.splitlines()
    (first,) = [line for line in lines if line.lstrip().startswith("1  new")]
    assert first.split() == ["1", "new", "·+", "2", "bad", "0", "↑1"]
    (third,) = [line for line in lines if line.lstrip().startswith("3  good")]
    assert third.split() == ["3", "good", "3", "gone"]


def test_the_values_of_one_run_are_those_of_score(folder):
    db = str(folder / "campaign.db")
    score = json.loads(done("score", "--db", db, "-q", "-m", "RR@10", "-f", "json").stdout)
    (of_run,) = (run for run in score["runs"] if run["tag"] == "plain")
    found = document(folder, "--delta", "plain", "-m", "RR@10")
    assert (found["view"], found["tag"], found["measure"]) == ("values", "plain", "RR@10")
    assert (found["queries"], found["mean"]) == (of_run["queries"], of_run["mean"]["RR@10"])
    # q0 alone is worth nothing: the grade of good for it is not decided.
    ids = [row["query_id"] for row in found["values"]]
    assert ids == ["q0", *sorted([*PLAIN[1:], QUERY])]
    lines = results(folder, "--delta", "plain", "-m", "RR@10").stdout.splitlines()
    assert lines[0] == "plain by RR@10: mean 0.2917 over 8 queries, 1 of them at 0"
    assert lines[2].split() == ["q0", "0.0000", "find", "q0"]


def test_the_ranking_of_one_run(folder):
    both = document(folder, "--query", QUERY, "plain", TAG)
    found = document(folder, "--query", QUERY, "plain")
    assert "baseline" not in found
    assert found["tag"] == "plain"
    for one in both["rankings"]["plain"]:
        del one["other_rank"]
    assert found["rankings"] == {"plain": both["rankings"]["plain"]}
    assert found["values"] == {
        name: {"plain": its["plain"]} for name, its in both["values"].items()
    }
    lines = results(folder, "--query", QUERY, "plain").stdout.splitlines()
    at = lines.index("Ranking")
    assert lines[at + 1].split() == ["rank", "plain", "grade"]
    assert lines[at + 4].split() == ["3", "good", "3"]
    assert not any("move" in line for line in lines)
    header, *rows = results(folder, "--query", QUERY, "plain", "-f", "csv").stdout.splitlines()
    assert header == "query_id,tag,rank,doc_id,title,grade"
    assert len(rows) == 3


@pytest.mark.parametrize(
    ("args", "view"),
    [
        (("--delta", "plain", "-fjson"), "values"),
        (("--delta", "plain", "--format=json"), "values"),
        (("--delta=plain", "-f", "json"), "values"),
        (("-f", "json", "--delta=plain", TAG), "delta"),
        (("-f", "json", "--delta", "plain"), "values"),
        (("-f", "json", "--delta", "plain", "--", TAG), "values"),
        (("-f", "json", "--", TAG, "plain"), "leaderboard"),
        (("--delta", "plain", TAG, "plain", "-f", "json"), "delta"),
        (("--query", "q1", "plain", "--measure", "P@5", "-f", "json"), "rankings"),
    ],
)
def test_the_values_of_an_option_end_where_the_next_one_begins(folder, args, view):
    assert json.loads(results(folder, *args).stdout)["view"] == view


def test_histogram(folder):
    plain, hostile = document(folder, "--histogram")["runs"]
    # q0 has nothing that is known to be relevant; of plain "new" stands before every first one.
    assert (plain["counts"], plain["none"], plain["open"]) == ([0, 0, 7], 1, 8)
    assert (hostile["counts"], hostile["none"], hostile["open"]) == ([6, 0, 0], 2, 2)
    assert (plain["median"], hostile["median"]) == (3.0, 1.0)


def test_document_kinds(folder):
    found = document(folder, "--by", "kind", "-k", "2")
    assert found["by"] == "document.kind"
    counts = {one["slice"]: one["relevant"] for one in found["documents"]}
    # good is relevant to seven queries, the hostile document to one; bad to none.
    assert counts == {"method": 7, HOSTILE: 1}
    means = {(one["slice"], one["tag"]): one["mean"] for one in found["slices"]}
    assert means["method", "plain"] == 0.0
    assert means["method", TAG] == 6 / 7


def test_without_a_view_a_form_or_a_file_means_the_leaderboard(folder, tmp_path):
    whole = results(folder, "--leaderboard", "-f", "csv").stdout
    assert results(folder, "-f", "csv").stdout == whole
    done("results", "--db", str(folder / "campaign.db"), "-o", str(tmp_path / "out"))
    assert (tmp_path / "out").read_text() == results(folder, "--leaderboard").stdout


def test_a_view_brings_the_runs_that_it_names(folder):
    assert document(folder, TAG, "--leaderboard")["runs"][0]["tag"] == TAG
    assert len(document(folder, TAG, "--leaderboard")["runs"]) == 1
    found = document(folder, TAG, "--delta", "plain", TAG)
    assert (found["baseline"], found["queries"]) == ("plain", 8)
    alone = results(folder, TAG, "--leaderboard").stdout
    assert "no verdicts: there is nothing to compare with" in alone


def test_shares_have_neither_bounds_nor_verdicts(folder):
    text = results(folder, "--leaderboard", "-m", "Judged@2").stdout
    assert "no bounds of Judged@2: it says how much is judged" in text
    assert "no verdicts: more of it does not make a run better" in text


def test_how_judgments_become_grades(folder):
    assert document(folder, "--leaderboard", "--policy", "max")["settings"]["pairs"] == 17
    by_bob = document(folder, "--leaderboard", "--policy", "judge:bob")
    assert by_bob["settings"]["pairs"] == 2
    assert refused(folder, "--histogram", "--unresolved", "refuse").startswith(
        "1 pair is unresolved"
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            (),
            "the app needs a terminal, and there is none; print a view: judge-tui results"
            " --leaderboard, --failures TAG, --histogram, --by FIELD, --delta A [B], --query QID A"
            " [B] or --disagreements",
        ),
        (("--histogram", "--disagreements"), "--histogram and --disagreements are two views"),
        (("--failures", "plane"), "no run 'plane'; did you mean 'plain'?"),
        (
            ("--delta", "plain", "plain"),
            "run 'plain' beside itself shows nothing; name two runs, or this one once",
        ),
        (("--delta",), "--delta is given as --delta A [B]"),
        (("--query", QUERY), "--query is given as --query QID A [B]"),
        (("--query", QUERY, "-f", "json"), "--query is given as --query QID A [B]"),
        (("--delta", "plane"), "no run 'plane'; did you mean 'plain'?"),
        (("--delta", "plain", "-m", "P@1", "-m", "P@2"), "--delta is by one measure"),
        (("--delta", "plain", TAG, "-m", "P@1", "-m", "P@2"), "--delta is by one measure"),
        (("--disagreements", "-m", "P@1", "-m", "P@2"), "--disagreements is by one measure"),
        (("--by", "clas"), "no field 'clas'; did you mean 'class'?"),
        (("--query", "qq", "plain", TAG), "no query 'qq'"),
        (("--query", QUERY, "plain", "plain"), "run 'plain' beside itself shows nothing"),
        (("--query", "zzz", "plain", TAG), "no query 'zzz'; there are 8: "),
        (("--leaderboard", "--baseline", "nope"), "no run 'nope'"),
        (("nope", "--leaderboard"), "no run 'nope'"),
        (("--histogram", "--rel", "4"), "no grade of the campaign is 4 or more"),
        (("--leaderboard", "-m", "Fancy"), "no measure 'Fancy'"),
        (("--leaderboard", "--policy", "most"), "no policy 'most'"),
        (("--delta", "plain", TAG, "-m", "Judged@2"), "more of Judged@2 does not make a run"),
    ],
)
def test_refusals(folder, args, message, monkeypatch):
    monkeypatch.setenv("JUDGE_TUI_DB", str(folder / "campaign.db"))
    assert refused(folder, *args).startswith(message)


def test_nothing_replaces_the_campaign(folder):
    db = str(folder / "campaign.db")
    before = (folder / "campaign.db").read_bytes()
    assert refused(folder, "--histogram", "-o", db).startswith(f"-o {db} is a file that is read")
    assert (folder / "campaign.db").read_bytes() == before
    assert not list(folder.glob("campaign.db-*"))


def test_a_slice_by_length_is_not_called_a_kind(folder):
    for field, word in (("document.kind", "kind"), ("document.length", "length")):
        said = done("results", "--db", str(folder / "campaign.db"), "--by", field).stdout
        assert f"of each query's relevant documents of one {word} the share" in said


def test_the_seed_of_the_campaign_is_promised_for_what_it_fixes(folder):
    db = ("--db", str(folder / "campaign.db"))
    promised = " ".join(done("init", "--help").stdout.split())
    assert "the intervals of agreement and of means" in promised
    assert "between runs have the seed of compare --seed, 0 elsewhere" in promised
    # The campaign's is 4.
    assert "bootstrap, seed 4" in done("results", *db, "--leaderboard").stdout
    assert "bootstrap, seed 0" in done("results", *db, "--delta", "plain", TAG).stdout
    assert "; seed 0" in done("compare", *db, "plain", TAG).stdout


def test_models_alone_count_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.tsv").write_text("q1\tone\n")
    (tmp_path / "a.run").write_text("q1 Q0 d 1 1.0 a\n")
    (tmp_path / "bot").write_text("q1 0 d 1\n")
    done("init", "--seed", "1")
    assert "no runs yet" in invoke("results", "--histogram").stderr
    done("load", "queries", "q.tsv")
    done("load", "run", "a.run")
    done("pool")
    assert "nobody has judged yet" in invoke("results", "--histogram").stderr
    done("load", "qrels", "bot", "--judge", "bot", "--kind", "model")
    assert "no person has graded yet" in invoke("results", "--histogram").stderr
    for flags in (["--include-models"],):
        said = done("results", "--histogram", *flags).stdout
        assert "grades of the campaign by policy majority (models only): 1 pair;" in said
        assert "warning: no person has graded: the grades are those of models" in said


def test_bounds_say_where_lists_were_cut(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.tsv").write_text("q1\tone\n")
    (tmp_path / "a.run").write_text("".join(f"q1 Q0 d{n} 1 {9 - n} a\n" for n in range(6)))
    (tmp_path / "ann").write_text("q1 0 d0 1\n")
    done("init", "--seed", "1")
    done("load", "queries", "q.tsv")
    done("load", "run", "a.run", "--depth", "4")
    done("pool", "--depth", "4")
    done("load", "qrels", "ann", "--judge", "ann")
    args = ("results", "--leaderboard", "-m", "nDCG@3", "-m", "P@3")
    found = json.loads(done(*args, "-f", "json").stdout)
    assert found["cut"] == {"a": 4}
    # What `score` says where it looks at as many results as are kept.
    score = done("score", "--db", "campaign.db", "-m", "nDCG@3", "-m", "P@3", "-M", "4",
                 "--bounds", "-f", "json")  # fmt: skip
    (expected,) = json.loads(score.stdout)["runs"]
    assert found["runs"][0]["bounds"] == {
        name: pytest.approx(ends) for name, ends in expected["bounds"].items()
    }
    assert "the bounds of nDCG@3 look at what is kept of the lists" in done(*args).stdout
    deep = invoke("results", "--failures", "a", "-k", "5", "-m", "P@3")
    assert "the top 5 is deeper than the 4 results a query" in deep.stderr


def test_where_no_query_has_a_class_it_is_told_how_to_give_one(campaign, files):
    (files / "ann.qrels").write_text("q1 0 csv.reader 3\nq2 0 sorted 1\n")
    done(*("load", "qrels", str(files / "ann.qrels")), "--judge", "ann", "--db", str(campaign.path))
    with_classes = invoke("results", "--db", str(campaign.path), "--by", "class")
    assert with_classes.exit_code == 0
    campaign.connection.execute("UPDATE queries SET class = ''")
    result = invoke("results", "--db", str(campaign.path), "--by", "class")
    assert (result.exit_code, result.stderr.partition(";")[0]) == (2, "error: no query has a class")
    assert '"class": "lookup"' in result.stderr
