"""What people bring along when they come: six evaluations that were done with other tools before,
each against real servers and programs, every number worked out by hand beside it."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.as_typed import judge_tui
from tests.collect.fixtures import server
from tests.collect.server import Server, serving
from tests.evaluating import FAILS, systems

__all__ = ["server"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_json(name: str, value: Any) -> str:
    Path(name).write_text(json.dumps(value), encoding="utf-8")
    return name


def read_json(*words: str, code: int = 0) -> dict[str, Any]:
    """What a command prints with -f json."""
    printed: dict[str, Any] = json.loads(judge_tui(*words, "-f", "json", code=code).stdout)
    return printed


def results(out: str = "out") -> dict[str, Any]:
    """What `evaluate` wrote for programs."""
    written: dict[str, Any] = json.loads(Path(out, "results.json").read_bytes())
    return written


def answer_of() -> str:
    """The answer that the page for people begins with."""
    title, answer, _ = Path("out/report.md").read_text(encoding="utf-8").split("\n## ", 2)
    assert title.startswith("# ")
    return answer


# Pairs of a query and what is expected, against a search API


def test_pairs_against_a_search_api(server: Server) -> None:
    queries = [f"word {n}" for n in range(1, 9)]
    pairs = [{"query": query, "expected": f"docs/{query[-1]}.md"} for query in queries]
    write_json("pairs.json", pairs)

    def found(ranks: Mapping[int, int | None]) -> dict[str, list[str] | str]:
        """query -> a list with the right one at its rank, nowhere in it, or (None) failing."""
        lists = {n: [f"other/{rank}.md" for rank in range(1, 11)] for n in ranks}
        for n, rank in ranks.items():
            if rank:
                lists[n][rank - 1] = f"docs/{n}.md"
        return {f"word {n}": FAILS if ranks[n] is None else lists[n] for n in ranks}

    lists = {
        "old": found({**dict.fromkeys(range(1, 7), 2), 7: 0, 8: None}),
        "new": found({**dict.fromkeys(range(1, 8), 1), 8: 3}),
        "even": found({**dict.fromkeys(range(1, 7), 2), 1: 1, 2: 4, 7: 0, 8: 0}),
        "poor": found(dict.fromkeys(range(1, 9), 8)),
    }
    asked = systems(Path(), server, lists, queries)
    judge_tui("evaluate", asked, "--answers", "pairs.json", "-m", "MRR@10", "-o", "out")
    written = results()

    # Means of 1/rank over 8 queries, and their bands: strong from .4 on, usable from .2 on.
    by_hand = {
        "old": (6 / 2 / 8, "usable"),  # .375
        "new": ((7 + 1 / 3) / 8, "strong"),  # .917
        "even": ((1 + 1 / 4 + 4 / 2) / 8, "strong"),  # .406
        "poor": (1 / 8, "poor"),
    }
    for system in written["systems"]:
        mean, band = by_hand[system["tag"]]
        assert system["mean"]["RR@10"] == pytest.approx(mean)
        assert system["band"] == band
    old, new, *_ = written["systems"]
    assert (old["failed"], new["failed"]) == (1, 0)
    assert {rank: n for rank, n in old["histogram"].items() if n} == {"2": 6, "not found": 2}
    assert {rank: n for rank, n in new["histogram"].items() if n} == {"1": 7, "3": 1}

    # Hit and rank of each query; what came in the place of what was expected.
    ranks = [one["systems"]["old"]["first_rank"] for one in written["queries"]]
    assert ranks == [2, 2, 2, 2, 2, 2, None, None]
    assert [one["query_id"] for one in written["queries"]] == [f"q00{n}" for n in range(1, 9)]
    missed, failed = written["queries"][6:]
    assert [one["what"] for one in missed["expected"]] == ["docs/7.md"]
    top = [one["doc_id"] for one in missed["systems"]["old"]["top"][:3]]
    assert top == ["other/1.md", "other/2.md", "other/3.md"]
    assert "500" in failed["systems"]["old"]["failed"]

    # `new` is better than `old` for each of 8 queries: Wilcoxon's p is 2 / 2^8, in a family of 3.
    # `poor` is worse for 6 by .375, and better for 2 by .125: these have ranks 1.5, so that W+ is
    # 3, which {}, {1.5}, {1.5'} and both do not exceed: p = 2 * 4 / 2^8, times 2 by Holm, is no
    # difference shown, though its mean is a third. `even` differs for 2 queries: no p.
    compared = {one["tag"]: one for one in written["comparisons"]}
    tests = {tag: one["tests"]["wilcoxon"] for tag, one in compared.items()}
    assert (tests["new"]["p"], tests["new"]["p_adjusted"]) == (2 / 256, pytest.approx(6 / 256))
    assert (tests["poor"]["p"], tests["poor"]["p_adjusted"]) == (8 / 256, pytest.approx(16 / 256))
    assert tests["even"]["p"] is None
    assert {tag: one["verdict"] for tag, one in compared.items()} == {
        "new": "better",
        "even": "no difference shown",
        "poor": "no difference shown",
    }
    assert "No decision: old failed" in answer_of()  # at 1 of 8 queries

    # What was kept of `old` is what the next one is held to.
    score = ("score", "--answers", "pairs.json", "-m", "RR@10", "--complete")
    judge_tui(*score, "it=out/old.run", "--save", "kept.json")
    against = read_json(*score, "it=out/new.run", "--against", "kept.json")["against"]
    (change,) = against["comparisons"]
    assert change["delta"] == pytest.approx((7 + 1 / 3) / 8 - 3 / 8)
    assert (change["tests"]["wilcoxon"]["p"], change["verdict"]) == (2 / 256, "better")


# A graded benchmark, embedding models over each query's own candidates


def test_a_graded_benchmark_of_embedding_models(server: Server) -> None:
    def document(doc_id: str, score: int, kind: str, length: int) -> dict[str, Any]:
        return {"id": doc_id, "text": doc_id.ljust(length, "."), "score": score, "kind": kind}

    benchmark = [
        {
            "query": f"find {name}",
            "documents": [
                document(f"{name}-best", 3, "guide", 1000),
                document(f"{name}-fair", 1, "api", 20),
                document(f"{name}-none", 0, "api", 20),
            ],
        }
        for name in ("a", "b")
    ]
    write_json("benchmark.json", benchmark)
    # Cosines: (1, 0) with (4, 3) is .8, with (3, 4) is .6, with (0, 1) is 0.
    first, second, last, query = (4, 3), (3, 4), (0, 1), (1, 0)
    texts = [[one["text"] for one in entry["documents"]] for entry in benchmark]
    asked = {entry["query"]: query for entry in benchmark}
    with serving() as other:
        server.vectors = asked | {
            t: v for its in texts for t, v in zip(its, (first, second, last), strict=True)
        }
        # The best one second for a, last for b.
        other.vectors = (
            asked
            | dict(zip(texts[0], (second, first, last), strict=True))
            | dict(zip(texts[1], (last, first, second), strict=True))
        )
        Path("systems.toml").write_text(
            "\n".join(
                f'[systems.{model}]\nkind = "embedding"\nurl = "{one.url}/embeddings"\n'
                f'model = "{model}"\ncandidates = true\n'
                for model, one in (("good", server), ("plain", other))
            )
        )
        words = ("evaluate", "systems.toml", "--qrels", "benchmark.json", "-o", "out")
        judge_tui(*words, "-m", "nDCG(dcg='exp-log2')@10", "--depth", "3")
    exponential = "nDCG(dcg='exp-log2')@10"
    written = results()

    # Gains 2^3 - 1 = 7 and 2^1 - 1 = 1; the best order has 7 + 1/log2(3).
    ideal = 7 + 1 / math.log2(3)
    plain = {"q001": (1 + 7 / math.log2(3)) / ideal, "q002": (1 + 7 / 2) / ideal}
    for one in written["queries"]:
        its = one["systems"]
        assert [hit["doc_id"][2:] for hit in its["good"]["top"]] == ["best", "fair", "none"]
        assert its["good"]["values"][exponential] == pytest.approx(1)
        assert its["plain"]["values"][exponential] == pytest.approx(plain[one["query_id"]])
    means = {one["tag"]: one["mean"][exponential] for one in written["systems"]}
    assert means == pytest.approx({"good": 1, "plain": (plain["q001"] + plain["q002"]) / 2})

    # The query at which they differ most, and how evenly each does: the standard deviation of two
    # values (of these, not of more that they would be drawn from) is half their difference.
    assert [one["query_id"] for one in written["disagreement"]] == ["q002", "q001"]
    spread = {one["tag"]: one["sd"] for one in written["consistency"]}
    assert spread == pytest.approx({"good": 0, "plain": (plain["q001"] - plain["q002"]) / 2})

    # Of three candidates the first 1 are looked at: the share of relevant ones of each kind there.
    kinds = {one["slice"]: one for one in written["document_slices"] if "kind" in one["by"]}
    assert {one["k"] for one in kinds.values()} == {1}
    assert kinds["guide"]["share"] == {"good": 1, "plain": 0}
    assert kinds["api"]["share"] == {"good": 0, "plain": 1}
    lengths = [one for one in written["document_slices"] if "length" in one["by"]]
    assert [one["relevant"] for one in lengths] == [2, 2]
    assert answer_of()


# Results of two systems as CSV, a column says which are relevant


def test_results_as_csv_over_100_000_rows() -> None:
    """The relevant one of 1,050 queries stands at rank 1 or 2 of 50. 400 queries differ, all by
    .5: `b` is better for 225 and worse for 175. All ranks are tied, so that the tie-corrected
    normal approximation is that of the sign test: z = (225 - 200) / (sqrt(400) / 2) = 2.5."""
    at_first = {"a": range(175), "b": range(175, 400)}
    for tag, its in at_first.items():
        with Path(f"{tag}.csv").open("w", encoding="utf-8") as file:
            file.write("query_id,doc_id,rank,relevant\n")
            for n in range(1050):
                best = 1 if n in its or n >= 400 else 2
                for rank in range(1, 51):
                    relevant = int(rank == best)
                    file.write(f"q{n},{'right' if relevant else rank},{rank},{relevant}\n")
    files = ("a.csv", "b.csv")
    assert sum(Path(one).read_text().count("\n") - 1 for one in files) == 105_000
    (one,) = read_json("compare", *files, "-m", "RR@10")["comparisons"]
    assert one["queries"] == 1050
    # 650 queries at rank 1 in both; 175 or 225 more at rank 1, the others of 400 at rank 2.
    assert one["baseline_mean"] == pytest.approx((650 + 175 + 225 / 2) / 1050)
    assert one["mean"] == pytest.approx((650 + 225 + 175 / 2) / 1050)
    assert (one["wins"], one["ties"], one["losses"]) == (225, 650, 175)
    assert one["tests"]["wilcoxon"]["p"] == pytest.approx(math.erfc(2.5 / math.sqrt(2)))
    assert one["verdict"] == "better"


# Truths as CSV: files and lines with grades


PROGRAM = """\
import json, sys
for found in json.load(open(sys.argv[1]))[sys.argv[2]].get(sys.argv[3], []):
    print("found", found)
"""


def programs(found: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    """A systems file of programs, which print what they find amid words; name -> query -> ids."""
    Path("tool.py").write_text(PROGRAM)
    write_json("found.json", found)
    folder = Path.cwd()
    argv = [sys.executable, "-S", str(folder / "tool.py"), str(folder / "found.json")]
    Path("systems.toml").write_text(
        "\n".join(
            f'[systems.{name}]\nkind = "command"\n'
            f"argv = {json.dumps([*argv, name, '{query}'])}\npattern = 'found (\\S+)'\n"
            for name in found
        )
    )
    return "systems.toml"


def test_a_csv_of_truths_with_lines_and_grades() -> None:
    Path("truths.csv").write_text(
        "query,result1,result2\n"
        "read,src/a.py:10-40:2,docs/a.md\n"
        "sort,src/b.py:1-9,\n"
        "copy,src/c.py:5:3,\n"
        "move,src/d.py,src/e.py\n"
    )
    subsets = {"read": "standard", "sort": "hard", "copy": "standard", "move": "hard"}
    lines = [
        json.dumps({"query_id": f"q00{n}", "text": text, "subset": subset})
        for n, (text, subset) in enumerate(subsets.items(), 1)
    ]
    Path("queries.jsonl").write_text("\n".join(lines))
    others = [f"src/x{n}.py" for n in range(4)]
    tool = {
        "read": ["src/x.py:1-5", "src/a.py:35-60", "docs/a.md"],
        "sort": ["src/b.py:10-20", *others, "src/b.py:9-12"],  # of 1-9 it has line 9
        "copy": ["src/c.py:1-100"],
        "move": ["src/x.py", "src/y.py", "src/d.py:7-9"],
    }
    measures = [
        part for name in ("Hit@5", "Hit@10", "MRR", "nDCG@10", "R@10") for part in ("-m", name)
    ]
    words = ("evaluate", programs({"tool": tool}), "--answers", "truths.csv", *measures)
    # Three of four have something right among the first 5.
    judge_tui(*words, "--require", "Hit@5>=0.75", "-o", "out")
    judge_tui(*words, "--require", "Hit@5>=0.76", "-o", "out", code=1)
    (system,) = results()["systems"]
    # nDCG@10: read (2/log2(3) + 1/2) / (2 + 1/log2(3)); sort 1/log2(7); copy 1; move (1/2) of the
    # two right ones / (1 + 1/log2(3)).
    log3 = math.log2(3)
    ndcg = {
        "q001": (2 / log3 + 1 / 2) / (2 + 1 / log3),
        "q002": 1 / math.log2(7),
        "q003": 1.0,
        "q004": (1 / 2) / (1 + 1 / log3),
    }
    by_hand = {
        "Success@5": 3 / 4,
        "Success@10": 1,
        "RR": (1 / 2 + 1 / 6 + 1 + 1 / 3) / 4,
        "nDCG@10": sum(ndcg.values()) / 4,
        "R@10": (1 + 1 + 1 + 1 / 2) / 4,
    }
    assert {name: system["mean"][name] for name in by_hand} == pytest.approx(by_hand)

    score = ("score", "--answers", "truths.csv", "out/tool.run", "--queries", "queries.jsonl")
    (run,) = read_json(*score, "--by", "subset", *measures)["runs"]
    standard, hard = (run["slices"][name] for name in ("standard", "hard"))
    assert (standard["queries"], hard["queries"]) == (2, 2)
    assert standard["mean"]["Success@5"] == 1
    assert hard["mean"]["Success@5"] == 1 / 2
    assert standard["mean"]["nDCG@10"] == pytest.approx((ndcg["q001"] + 1) / 2)
    assert hard["mean"]["nDCG@10"] == pytest.approx((ndcg["q002"] + ndcg["q004"]) / 2)
    judge_tui(*score, "--require", "Hit@5>=0.75")
    judge_tui(*score, "--require", "Hit@5>=0.76", code=1)


# Two versions of a program, truth by regular expressions, classes with measures of their own


DECLARED = {
    "lookup": ["RR", "P@1"],
    "root": ["RR", "P@1"],
    "synonym": ["RR"],
    "fragment": ["P@5", "P@10"],
    "conceptual": ["Rprec", "nDCG@10"],
    "attribute": ["P@5"],
    "modern": ["Prefer"],
    "cross-source": ["Authority"],
}

ANSWERS = r"""
[[answers]]
query_id = "lookup"
pattern = '/pathlib\.html$'
[[answers]]
query_id = "root"
pattern = '/index\.html$'
[[answers]]
query_id = "synonym"
patterns = ['/pathlib\.html$', '/os\.path\.html$']
[[answers]]
query_id = "fragment"
pattern = '#example-'
[[answers]]
query_id = "conceptual"
patterns = ['/asyncio\.html$', '/trio\.html$']
[[answers]]
query_id = "attribute"
pattern = '\.html$'
[[answers]]
query_id = "modern"
prefer = { better = 'f-strings', worse = 'percent' }
[[answers]]
query_id = "cross-source"
authority = ['^docs/', '^wiki/']
"""

VERSIONS = {
    "v1": {
        "lookup": ["docs/os.html", "docs/pathlib.html"],  # RR 1/2, P@1 0
        "root": ["docs/index.html"],  # 1, 1
        "synonym": ["docs/os.html", "x", "docs/os.path.html"],  # RR 1/3
        "fragment": ["a#example-1", "x", "a#example-2"],  # P@5 2/5, P@10 2/10
        "conceptual": ["docs/asyncio.html", "x", "docs/trio.html"],  # Rprec 1/2
        "attribute": ["a.html", "b.txt", "c.html"],  # P@5 2/5
        "modern": ["docs/percent", "docs/f-strings"],  # legacy first
        "cross-source": ["wiki/a", "docs/a"],  # wiki before docs
    },
    "v2": {
        "lookup": ["docs/pathlib.html"],  # 1, 1
        "root": ["x", "docs/index.html"],  # 1/2, 0
        "synonym": ["x", "docs/os.path.html", "docs/pathlib.html"],  # RR 1/2
        "fragment": ["a#example-1"],  # P@5 1/5, P@10 1/10
        "conceptual": ["docs/asyncio.html", "docs/trio.html"],  # Rprec 1
        "attribute": [],  # 0
        "modern": ["x", "docs/f-strings"],
        "cross-source": ["wiki/a"],  # nothing from docs, so that wiki is the highest there is
    },
}


def test_two_versions_of_a_program_and_classes_with_measures_of_their_own() -> None:
    Path("answers.toml").write_text(ANSWERS)
    Path("queries.jsonl").write_text(
        "".join(
            json.dumps({"query_id": name, "text": name, "class": name, "measures": measures}) + "\n"
            for name, measures in DECLARED.items()
        )
    )
    asked = ("evaluate", programs(VERSIONS), "--queries", "queries.jsonl")
    judge_tui(*asked, "--answers", "answers.toml", "-o", "out")
    written = results()
    log3 = math.log2(3)
    by_hand: dict[str, dict[str, tuple[float, float]]] = {
        "lookup": {"RR": (1 / 2, 1), "P@1": (0, 1)},
        "root": {"RR": (1, 1 / 2), "P@1": (1, 0)},
        "synonym": {"RR": (1 / 3, 1 / 2)},
        "fragment": {"P@5": (2 / 5, 1 / 5), "P@10": (2 / 10, 1 / 10)},
        "conceptual": {"Rprec": (1 / 2, 1), "nDCG@10": ((1 + 1 / 2) / (1 + 1 / log3), 1)},
        "attribute": {"P@5": (2 / 5, 0)},
        "modern": {"Prefer": (0, 1)},
        "cross-source": {"Authority": (0, 1)},
    }
    for name, measures in by_hand.items():
        for measure, (v1, v2) in measures.items():
            found = mean_of_class(written, name, measure)
            assert found == pytest.approx({"v1": v1, "v2": v2}), (name, measure)

    # The queries that changed, of those that have right answers: among the first five, and at the
    # first place.
    Path("plain.tsv").write_text("".join(f"{name}\t{name}\n" for name in DECLARED))
    plain = (*asked[:2], "--queries", "plain.tsv")
    judge_tui(*plain, "--answers", "answers.toml", "-m", "P@5", "-m", "P@1", "-o", "changed")
    at_5, at_1 = (one["changed"] for one in results("changed")["comparisons"])
    assert at_5 == {
        "added": [],
        "removed": ["attribute"],
        "improved": ["synonym"],
        "degraded": ["fragment"],
        "unchanged": ["conceptual", "lookup", "root"],
    }
    assert (at_1["added"], at_1["removed"]) == (["lookup"], ["attribute", "root"])

    # Asked once more into another folder: the same bytes, but for the times.
    judge_tui(*asked, "--answers", "answers.toml", "-o", "again")
    for name in ("results.json", "v1.run", "v2.run", "documents.jsonl"):
        assert Path("out", name).read_bytes() == Path("again", name).read_bytes()

    # A gate of a class.
    gate = ("--require", "v2:lookup/RR>=1")
    judge_tui(*asked, "--answers", "answers.toml", "-o", "out", *gate)
    judge_tui(*asked, "--answers", "answers.toml", "-o", "out", "--require", "lookup/RR>=1", code=1)

    # Qrels in the place of the expressions.
    Path("grades.qrels").write_text("lookup 0 docs/pathlib.html 1\nroot 0 docs/index.html 1\n")
    judge_tui(*plain, "--qrels", "grades.qrels", "-m", "RR@10", "-o", "graded")
    means = {one["tag"]: one["mean"]["RR@10"] for one in results("graded")["systems"]}
    assert means == {"v1": (1 / 2 + 1) / 2, "v2": (1 + 1 / 2) / 2}


def mean_of_class(written: dict[str, Any], name: str, measure: str) -> dict[str, float]:
    """system -> mean of a class."""
    return {one["tag"]: one["slices"][name]["mean"][measure] for one in written["systems"]}


# Tasks with retrieved context and without


def test_tasks_with_and_without_context(server: Server) -> None:
    """The search finds a hint for all tasks but the first; who has it writes what is right. Without
    it the first two compile, and none has the symbol."""
    tasks = [f"task {n}" for n in range(1, 9)]
    Path("tasks.tsv").write_text("".join(f"t{task[-1]}\t{task}\n" for task in tasks))
    lists = {"docs": {task: ["hint"] for task in tasks[1:]}}

    def says(prompt: str) -> str:
        plain = "x = 1" if prompt.endswith(("task 1", "task 2")) else "x = ("
        return f"```python\n{'x = reader' if 'hint' in prompt else plain}\n```\n"

    server.says = says
    systems(Path(), server, lists, tasks, text="title")
    with Path("systems.toml").open("a") as file:
        file.write(
            f"""
[systems.coder]
kind = "task"
url = "{server.url}/chat"
model = "some-model"
prompt = "{{context}}\\n\\n{{query}}"
[systems.coder.arms.plain]
[systems.coder.arms.docs]
context = "docs"
k = 2
[systems.coder.checks]
compiles = [{json.dumps(sys.executable)}, "-m", "py_compile", "{{file}}"]
symbol = ["grep", "-q", "reader", "{{file}}"]
"""
        )
    judge_tui("collect", "systems.toml", "--queries", "tasks.tsv", "-o", "out")
    rows = list(csv.DictReader(io.StringIO(Path("out/coder.outcomes.csv").read_text())))
    assert len(rows) == 16
    passed = {
        (arm, check): sum(row[check] == "1" for row in rows if row["arm"] == arm)
        for arm in ("plain", "docs")
        for check in ("compiles", "symbol")
    }
    assert passed == {
        ("plain", "compiles"): 2,
        ("plain", "symbol"): 0,
        ("docs", "compiles"): 8,
        ("docs", "symbol"): 7,
    }
    document = read_json("outcomes", "out/coder.outcomes.csv")
    compared = document["comparisons"]
    compiles, symbol = compared
    assert (compiles["check"], symbol["check"]) == ("compiles", "symbol")
    # McNemar, exact: 6 and 7 tasks that `docs` alone passes; Holm over both.
    assert [one["p"] for one in compared] == [2 / 2**6, 2 / 2**7]
    assert [one["p_adjusted"] for one in compared] == [2 / 2**6, 2 * 2 / 2**7]
    assert [one["verdict"] for one in compared] == ["better", "better"]
    told = {(one["check"], one["task"], one["passed_by"]) for one in document["discordant"]}
    assert told == {
        *(("compiles", f"t{n}", "docs") for n in range(3, 9)),
        *(("symbol", f"t{n}", "docs") for n in range(2, 9)),
    }
