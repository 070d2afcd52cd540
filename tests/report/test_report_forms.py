"""One report in every form: what foreign text may not do, and what numbers look like."""

import json

import pytest

from judge_tui.report import FORMS, Report, render
from judge_tui.report.layout import (
    Column,
    Table,
    Toned,
    difference,
    interval,
    number,
    probability,
    short_difference,
    short_number,
    word,
)

HOSTILE = "=cmd|' /C calc'!A1\x1b]0;owned\x07\n\u202eevil\x9b31m"


def report(*rows):
    columns = [word("tag", "run"), Column("value", "nDCG@10", number), Column("verdict", "verdict")]
    return Report([Table("Means", columns, rows, "means")])


@pytest.mark.parametrize("form", FORMS)
def test_foreign_text_commands_no_terminal(form):
    shown = render(report((HOSTILE, 0.5, "better")), form)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)


def test_the_table_is_aligned_by_terminal_cells():
    shown = render(report(("日本", 0.5, "better"), ("bm25", 0.25, "worse")), "table")
    assert shown == (
        "Means\nrun   nDCG@10  verdict\n日本   0.5000   better\nbm25   0.2500    worse\n"
    )


def test_only_words_are_coloured_and_only_when_asked():
    toned = report(("bm25", 0.5, Toned("worse", "bad")))
    assert "\x1b" not in render(toned, "table")
    assert render(toned, "table", colour=True).count("\x1b[31mworse\x1b[0m") == 1
    for form in ("json", "csv", "md", "latex"):
        assert "\x1b" not in render(toned, form, colour=True)


def test_what_is_undefined_is_a_dash_and_an_empty_cell():
    undefined = report(("bm25", None, None))
    assert render(undefined, "table").splitlines()[-1].split() == ["bm25", "-", "-"]
    assert render(undefined, "csv") == "tag,value,verdict\nbm25,,\n"


def test_json_is_ascii_and_loses_nothing():
    document = render(report((HOSTILE, 0.5, Toned("é", "good"))), "json")
    assert document.isascii()
    assert json.loads(document) == {
        "schema_version": 1,
        "settings": {},
        "means": [{"tag": HOSTILE, "value": 0.5, "verdict": "é"}],
        "warnings": [],
    }


def test_json_never_holds_nan():
    with pytest.raises(ValueError, match="JSON compliant"):
        render(report(("bm25", float("nan"), "")), "json")


def test_programs_get_the_tables_that_have_a_name_and_readers_those_with_titles():
    table = Table("", [word("tag", "run"), interval()], [("a", (0.25, 0.5)), ("b", None)], "runs")
    both = Report([Table("", [word("", "why")], [("few",)]), table], {"k": 10}, ["few queries"])
    assert render(both, "table") == (
        "why\nfew\n\nrun   95 % interval\na    0.250 to 0.500\nb                 -\n"
    )
    assert render(both, "csv") == "tag,ci95_low,ci95_high\na,0.25,0.5\nb,,\n"
    assert json.loads(render(both, "json")) == {
        "schema_version": 1,
        "settings": {"k": 10},
        "runs": [
            {"tag": "a", "ci95_low": 0.25, "ci95_high": 0.5},
            {"tag": "b", "ci95_low": None, "ci95_high": None},
        ],
        "warnings": ["few queries"],
    }


def test_readers_get_the_first_rows_and_no_column_that_is_blank():
    columns = [word("tag", "run"), word("why", "why"), Column("n", "n")]
    table = Table("Runs", columns, [("a", "", 1), ("b", "", 2), ("c", "", 3)], "runs", most=2)
    assert render(Report([table]), "table") == "Runs, the first 2 of 3\nrun  n\na    1\nb    2\n"
    assert len(table.records()) == 3
    assert table._replace(key_columns=2).for_readers().key_columns == 1


def test_one_row_may_stand_upright():
    columns = [Column("n", "queries"), Column("low", "least", number), Column("hidden")]
    table = Table("Docs", columns, [(12, 0.25, 1)], "campaign", upright=True)
    assert render(Report([table]), "table") == "Docs\nqueries      12\nleast    0.2500\n"
    assert render(Report([table]), "csv") == "n,low,hidden\n12,0.25,1\n"


def test_markdown_means_itself():
    shown = render(report(("a|b_c*<i>`&[x](y)", -0.5, "x")), "md")
    assert shown == (
        "### Means\n"
        "\n"
        "| run | nDCG@10 | verdict |\n"
        "|---|---:|---:|\n"
        "| a\\|b\\_c\\*\\<i\\>\\`\\&\\[x\\](y) | -0.5000 | x |\n"
    )


def test_titles_and_names_of_columns_mean_themselves_too():
    # A judge's name stands in the title of a confusion matrix, a query's class may name a column.
    named = Report([Table("rows a_b", [Column("", "c|d_e")], [("x",)])])
    assert render(named, "md") == "### rows a\\_b\n\n| c\\|d\\_e |\n|---:|\n| x |\n"
    assert "\nc\\textbar{}d\\_e \\\\\n" in render(named, "latex")


def test_latex_means_itself():
    shown = render(report(("50%_a&b\\{}#$^~<-", -0.5, "x")), "latex")
    assert shown == (
        "% Means\n"
        "\\begin{tabular}{lrr}\n"
        "\\hline\n"
        "run & nDCG@10 & verdict \\\\\n"
        "\\hline\n"
        "50\\%\\_a\\&b\\textbackslash{}\\{\\}\\#\\$\\textasciicircum{}\\textasciitilde{}"
        "\\textless{}{-} & $-$0.5000 & x \\\\\n"
        "\\hline\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize("start", ["[2em]", "*"])
def test_a_row_of_latex_is_no_option_of_the_line_break_before_it(start):
    shown = render(report(("bm25", 0.5, "x"), (f"{start}run", 0.5, "x")), "latex")
    # \\ looks for * and [length] past the end of its line.
    assert not any(line.startswith(start[0]) for line in shown.splitlines())
    assert f"{{{start[0]}}}{start[1:]}run & " in shown


@pytest.mark.parametrize(
    ("show", "value", "text"),
    [
        (number, 0.43216, "0.4322"),
        (number, -0.00001, "0.0000"),
        (number, 7, "7.0000"),
        (difference, 0.1, "+0.1000"),
        (difference, -0.1, "-0.1000"),
        (difference, -0.00001, "0.0000"),
        (difference, 0.0, "0.0000"),
        (short_number, 0.43216, "0.432"),
        (short_difference, -0.0001, "0.000"),
        (probability, 0.00005, "<.0001"),
        (probability, 0.0001, "0.0001"),
        (probability, 1.0, "1.0000"),
    ],
)
def test_numbers(show, value, text):
    assert show(value) == text
