"""Results out of what programs and APIs answer; what is no answer never counts as nothing found."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.collect import extraction
from judge_tui.collect.expressions import Expression, ExpressionError
from judge_tui.collect.extraction import FromJson, FromText, groups_of
from judge_tui.collect.matching import matching
from judge_tui.collect.reply import AskError, Hit, cut
from judge_tui.visible import visible_line


def from_json(results: str = "results", doc_id: str = "id", **more) -> FromJson:
    return FromJson(Expression(results), Expression(doc_id), **more)


def ids(found, text: str) -> list[str]:
    return [hit.doc_id for hit in found.hits(text)]


def refused(found, text: str) -> str:
    with pytest.raises(AskError) as raised:
        list(found.hits(text))
    return raised.value.line(str)


def test_ids_scores_and_texts_are_where_the_expressions_say():
    found = FromJson(
        Expression("hits.hits[*]"),
        Expression("join(':', [_source.path, to_string(_source.line)])"),
        Expression("_score"),
        (
            ("title", Expression("_source.title")),
            ("text", Expression("_source.lines")),
            ("url", Expression("nowhere")),
        ),
    )
    answer = {"_source": {"path": "a.py", "line": 7, "title": "T", "lines": ["x", "é"]}}
    text = json.dumps({"hits": {"hits": [{**answer, "_score": "0.5"}, {**answer, "_score": 2}]}})
    assert list(found.hits(text)) == [
        Hit("a.py:7", 0.5, "T", '["x", "é"]', ""),
        Hit("a.py:7", 2.0, "T", '["x", "é"]', ""),
    ]


def test_ids_may_be_whole_numbers_texts_or_the_results_themselves():
    assert ids(from_json(), '{"results": [{"id": 12}, {"id": "12"}, {"id": " a b "}]}') == [
        "12",
        "12",
        "a b",
    ]
    # White space around one is none of it, as in tables and other JSON; what is not ASCII may be.
    assert ids(from_json("[]", "@"), '["a\\n", "\\tb", "\\u00a0c"]') == ["a", "b", "\xa0c"]
    # Results by name, in an object: their values, in its order.
    by_name = '{"results": {"x": {"id": "a"}, "y": {"id": "b"}}}'
    assert ids(from_json("results.*"), by_name) == ["a", "b"]


@pytest.mark.parametrize(
    "before",
    [
        "[info] index opened\n[1/2] searching\n",
        "[0.25] ready\n[] nothing cached\n",
        '["main"] start\n',
        '{ not json\n{level: info}\n{"unfinished\n',
        '{"level": "info", "message": "opened"}\n',
        "   Loading …\n\n",
        "",
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("after", ["", "\n", "\ndone in 3 ms\n"])
def test_the_lines_of_a_log_before_the_json_are_passed_over(before, indent, after):
    answer = json.dumps({"results": [{"id": "a"}, {"id": "b"}]}, indent=indent)
    assert ids(from_json(), before + answer + after) == ["a", "b"]
    top = json.dumps([{"id": "a"}, {"id": "b"}], indent=indent)
    assert ids(from_json("[*]"), before + top + after) == ["a", "b"]


@pytest.mark.parametrize(
    ("results", "text", "lines"),
    [
        ("r", '{"r": ["x"], "msg": "start"}\n{"r": ["a", "b"]}', "1 and 2"),
        ("@", 'ready\n["log", "list"]\n\n[\n"a",\n"b"]\n', "2 and 4"),
        ("*", '{"level": "info"}\n{"a": "b"}', "1 and 2"),
    ],
)
def test_of_two_values_with_results_none_is_taken(results, text, lines):
    assert refused(from_json(results, "@"), text) == (
        f"{results} is in two JSON values, at lines {lines} of the answer: print one of them, or"
        " name in results what that one alone has"
    )


def test_what_comes_behind_the_results_may_be_json_without_any():
    text = '{"r": ["a"]}\n{"r": "done"}\n{"level": "info"}\n[0.25] s\n'
    assert ids(from_json("r", "@"), text) == ["a"]
    assert ids(from_json("sort(r)", "@"), text) == ["a"]


BEFORE = [
    *("loading ... ", "\r10%\r20% ", "\r10%\r", "a {b} [c] ", "[info] ", "[0.25] s ", "{ "),
    *("INFO result=", "took 3ms;", '12:00 {"level": 1} ', 'at={"a": [1]}'),
]
COLOURED = ("\x1b[0m", "\x1b[38;5;9m", "\x1b(B", "\x1b]0;tool\x07")


@pytest.mark.parametrize("before", BEFORE)
def test_words_before_the_results_on_their_line_are_passed_over(before):
    found = from_json("r", "@", missing_is_empty=True)
    assert ids(found, f'start\n{before}{{"r": ["a", "b"]}} \ndone\n') == ["a", "b"]
    assert ids(found, f'{before}{{"r": []}}') == []
    # An error is none, and neither is what broke off.
    for text in ('{"r": ["a", "b"', '{"error": "no index"}', '{"r": ["a"]} no'):
        assert refused(found, f"{before}{text}").startswith("the answer is no JSON")


@pytest.mark.parametrize("colour", COLOURED)
def test_colours_are_no_part_of_the_json(colour):
    key, value = (f'{colour}"{text}"\x1b[m' for text in "ra")
    text = f"{colour}{{{key}{colour}:\x1b[m [{value}]}}\x1b[m\x1b[K\n"
    assert ids(from_json("r", "@"), text) == ["a"]
    assert ids(from_json("[].r[]", "@", lines=True), text * 2) == ["a", "a"]
    # What is shown of an answer that is none is what was said.
    assert refused(from_json(), f"{colour}red").endswith(f"no JSON: {visible_line(colour)}red")


@pytest.mark.parametrize(
    ("results", "text", "line"),
    [
        ("[]", '[{"r": "a"}][{"r": "b"}]', 1),
        ("[]", '[{"r": "a"}][]', 1),
        ("r", '{"r": ["a"]}{"r": ["b"]}', 1),
        ("r", 'ready\n{"r": []} {"r": ["b"]}\n', 2),
        ("r", '{"r": ["a"]}, {"r": ["b"]} done', 1),
        ("r", '{"msg": 1}{"r": ["a"]}{"r": ["b"]}', 1),
    ],
)
def test_of_two_directly_one_behind_the_other_none_is_taken(results, text, line):
    assert refused(from_json(results, "@", missing_is_empty=True), text).startswith(
        f"{results} is in two JSON values, at line {line} of the answer: print one of them"
    )


def test_one_directly_behind_another_counts_with_the_lines_that_it_is_on():
    text = '{\n"r": ["a"]\n}{\n"r": ["b"]\n}\n{"r": []}'
    assert "at lines 1 and 3 of the answer" in refused(from_json("r", "@"), text)
    assert ids(from_json("r", "@"), '{"level": "info"}{"r": ["a"]} [took 3 ms]') == ["a"]
    assert ids(from_json("r", "@"), '{"r": ["a"]}{"level": "info"} (done)') == ["a"]
    assert ids(from_json("[][]", "r", lines=True), '[{"r": "a"}][{"r": "b"}]\n') == ["a", "b"]


def test_the_results_behind_words_may_go_on_over_lines():
    answer = json.dumps({"r": ["a", {"r": ["no"]}]}, indent=1)
    found = from_json("r[:1]", "@", missing_is_empty=True)
    assert ids(found, f"INFO result: {answer}\ndone\n") == ["a"]
    text = 'INFO {"r": [\n{"r": ["no"]},\n{"r": []}'
    assert refused(found, text).startswith("the answer is broken JSON, at its line 3: ")


def test_of_two_behind_words_none_is_taken_either():
    text = 'start\nINFO {"r": ["x"]}\nINFO {"r": ["a"]}'
    assert refused(from_json("r", "@"), text).startswith(
        "r is in two JSON values, at lines 2 and 3"
    )
    # One that begins a line is the answer.
    assert ids(from_json("r", "@"), f'{text}\n{{"r": ["b"]}}') == ["b"]


def test_what_broke_off_behind_words_has_no_answer_in_it():
    for text in ('x [{"a": 1}, {"r": ["no"]}', '[1, {"r": ["no"]}', 'x={"a": {"r": ["no"]}'):
        assert refused(from_json("r", "@"), text).startswith("the answer is no JSON")


def test_so_they_are_behind_the_lines_of_a_log_that_are_json():
    log = '{"level": "info", "r": null}\n{\n "at": 1,\n "of": {"r": ["no"]}\n}\n'
    for found in (from_json("r", "@"), from_json("r", "@", missing_is_empty=True)):
        assert ids(found, f'{log}12:00 {{"r": ["a", "b"]}}\nbye\n') == ["a", "b"]
    # What stands within another value is no answer.
    assert refused(from_json("r", "@"), log).startswith("nothing at r in the answer")
    assert ids(from_json("r", "@", missing_is_empty=True), log) == []


@pytest.mark.parametrize("results", ["@", "@ || r", "[]", "[?@]"])
def test_lines_of_a_log_are_none_where_the_answer_is_a_list(results):
    log = '{"level": "info"}\n12:00 {"level": "warn"}\n'
    assert ids(from_json(results, "id"), f'{log}[{{"id": "a"}}]\n{{"took": 3}}\n') == ["a"]
    assert refused(from_json("@"), log) == '@ of the answer is no list: {"level": "info"}'
    # What stands where the results should be is an answer, and no line of a log.
    text = '{"r": {"error": 1}}\n{"r": ["a"]}'
    assert refused(from_json("r", "@"), text) == 'r of the answer is no list: {"error": 1}'


def test_of_a_long_log_no_more_is_looked_at_for_each_line_than_the_next_ones(monkeypatch):
    class Counting:
        looked_at = 0

        def raw_decode(self, part: str):
            self.looked_at += len(part)
            return json.JSONDecoder().raw_decode(part)

    counting = Counting()
    monkeypatch.setattr(extraction, "_DECODER", counting)
    lines = ["[info] ready", "{info} x", '["abc', "{", "  id: 1,", "}"] * 500
    text = "\n".join([*lines, '{"results": [{"id": "a"}]}'])
    assert ids(from_json(), text) == ["a"]
    assert 0 < counting.looked_at <= 4096 * len(lines)


def test_nothing_found_is_an_empty_list():
    assert ids(from_json(), '{"results": []}') == []
    assert ids(from_json("[*]"), "[]\n") == []
    assert ids(from_json(missing_is_empty=True), '{"total": 0}') == []
    assert ids(from_json(missing_is_empty=True), '{"results": null}') == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "an empty answer"),
        (" \n", "an empty answer"),
        ("null", "the answer is null"),
        ("\x1b[0mloading\nnull\n", "the answer is null"),
    ],
)
@pytest.mark.parametrize("results", ["results", "@", "[]"])
def test_nothing_at_all_is_an_empty_list_where_that_is_said(text, told, results):
    assert ids(from_json(results, missing_is_empty=True), text) == []
    how = "if that is how it says that nothing was found: missing_is_empty = true"
    assert refused(from_json(results), text) == f"{told} ({how})"
    assert refused(from_json(missing_is_empty=True), f"{text} found").startswith("the answer is no")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no such index", "the answer is no JSON"),
        ("<html>\n<p>503</p>", "the answer is no JSON"),
        ('{"results": [{"id": "a"}, {"id": ', "the answer is broken JSON, at its line 1: "),
        ('{"results": [\n{"id": "a"},\n{"id": ', "the answer is broken JSON, at its line 3: "),
        ('{"results": [{"id": a},\n{"id": "b"}]}', "the answer is broken JSON, at its line 1: "),
        ('{"level": "info"}\n{"results": [{"id"', "the answer is broken JSON, at its line 2: "),
        ('{"error": "no index"}', "nothing at results in the answer (if "),
        ('{"results": null}', "nothing at results in the answer (if that is how"),
        ('{"results": {"a": 1}}', 'results of the answer is no list: {"a": 1}'),
        ('{"results": [{"id": "a"}, {}]}', "result 2: its id, id, is no text: null"),
        ('{"results": [{"id": ""}]}', "result 1: its id, id, is empty"),
        ('{"results": [{"id": " \\n"}]}', "result 1: its id, id, is empty"),
        ('{"results": [{"id": 1.5}]}', "result 1: its id, id, is no text: 1.5"),
        ('{"results": [{"id": true}]}', "result 1: its id, id, is no text: true"),
        ('{"results": [{"id": ["a"]}]}', 'result 1: its id, id, is no text: ["a"]'),
        ('{"results": [{"id": "a\\u0000b"}]}', "result 1: its id is not valid text: a␀b"),
        ('{"results": [{"id": "\\ud800"}]}', "result 1: its id is not valid text: �"),
        ('{"results": [{"id": "a\ufffd"}]}', "result 1: its id is not valid text: a"),
        ('{"results": ' + "[" * 100_000, "the answer is JSON nested too deep"),
        ('{"results": [' + "1" * 5000 + "]}", "the answer cannot be read: "),
    ],
)
def test_what_is_no_answer_is_told(text, told):
    for found in (from_json(), from_json(missing_is_empty=True)):
        if found.missing_is_empty and "nothing at" in told:
            continue
        assert refused(found, text).startswith(told)


def test_what_is_said_is_cut_short_and_shown_in_one_line():
    told = refused(from_json(), "\x1b[31mred\u202e\n" + "long " * 100)
    assert told.startswith("the answer is no JSON: ␛[31mred� long long")
    assert len(told) < 120


@pytest.mark.parametrize("score", ["NaN", "Infinity", "1e999", '"high"', "true", "[1]", "{}"])
def test_a_score_that_is_no_number_is_refused(score):
    found = from_json(score=Expression("score"))
    text = f'{{"results": [{{"id": "a", "score": 1}}, {{"id": "b", "score": {score}}}]}}'
    assert refused(found, text).startswith("result 2: its score, score, is no number: ")


def test_a_score_may_be_a_text_or_missing():
    found = from_json(score=Expression("score"))
    text = '{"results": [{"id": "a", "score": " 1e-3 "}, {"id": "b", "score": null}, {"id": "c"}]}'
    assert [hit.score for hit in found.hits(text)] == [0.001, None, None]


def test_an_expression_that_cannot_be_applied_is_told():
    assert refused(from_json("length(@)"), '{"a": 1}').startswith("length(@) of the answer is no l")
    assert "In function abs()" in refused(from_json("abs(a)"), '{"a": "x"}')
    with pytest.raises(ExpressionError, match="no JMESPath"):
        Expression("unknown(")


def test_json_lines():
    lines = from_json("[*]", lines=True)
    assert ids(lines, 'starting\n{"id": "a"}\n\n{"id": "b"}\n') == ["a", "b"]
    assert ids(lines, "") == []
    assert refused(lines, "no such index\n") == "the answer is no JSON: no such index"
    assert refused(lines, '{"id": "a"}\n{"id": "b').startswith("the answer is broken JSON")


@pytest.mark.parametrize("lines", [False, True])
def test_words_alone_do_not_say_that_nothing_was_found(lines):
    found = from_json("[?id]", missing_is_empty=True, lines=lines)
    log = "[info] ready\n0 of 12 match\n"
    told = "the answer is no JSON, and words alone do not say that nothing was found: [info] ready"
    assert refused(found, log).startswith(told)
    assert ids(found, f"{log}null\n") == []


@pytest.mark.parametrize("before", ["", *BEFORE[:-2], *COLOURED])
@pytest.mark.parametrize("between", ["", " ", "\r", "\n", "\r\n", " \x1b[0m\n", "\nINFO "])
def test_json_lines_are_all_that_stand_in_a_line(before, between):
    text = f'{before}{{"id": "a"}}{between}{{"id": "b"}}\n{before}[{{"id": "c"}}]\r\n'
    assert ids(from_json("[]", lines=True), text) == ["a", "b", "c"]


@pytest.mark.parametrize("between", [", ", " and INFO ", " done\n"])
def test_words_behind_one_that_begins_its_line_are_passed_over(between):
    text = f'{{"id": "a"}}{between}{{"id": "b"}}'
    assert ids(from_json("[*]", lines=True), text) == ["a", "b"]


@pytest.mark.parametrize("last", ["{", '{"i', '{"id', '{"id"', '["b", tr', '["b", 0.', "["])
def test_a_last_json_line_that_broke_off_is_told(last):
    lines = from_json("[*]", lines=True)
    told = "the answer is broken JSON, at its line "
    assert refused(lines, f'{{"id": "a"}}\n{last}').startswith(f"{told}2: ")
    assert refused(lines, f'{{"id": "a"}}\n{last}\n').startswith(told)
    # The line of a log ends otherwise, or is not the last one.
    assert ids(lines, '[info\n{"id": "a"}\n[info] closed') == ["a"]


def test_json_lines_behind_words_are_results_of_a_log_too():
    text = 'INFO {"level": 1}\n{"id": "a"}\nat={"a": [1]}{"id": "b"}\n'
    assert refused(from_json("[*]", lines=True), text).startswith("result 1: its id, id, is no tex")
    assert ids(from_json("[?id]", lines=True), text) == ["a", "b"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            'INFO {"id": "b"} done',
            "line 2 of the answer has JSON amid other words: print it alone: ",
        ),
        ('call({"id": "b"})', "line 2 of the answer has JSON amid other words: "),
        ('{"id": "b"} and {"id": "c"}.', "line 2 of the answer has JSON amid other words: "),
        ('["b", "c"] in 3 ms', "line 2 of the answer has JSON amid other words: "),
        ('["b"] in 3 ms', "line 2 of the answer has JSON amid other words: "),
        ("[12, 13] in 3 ms", "line 2 of the answer has JSON amid other words: "),
        ('INFO {"id": "b', "the answer is broken JSON, at its line 2: "),
        ('INFO [{"id": b}]', "the answer is broken JSON, at its line 2: "),
    ],
)
def test_a_json_line_that_cannot_be_told_from_words_is_not_left_out(line, told):
    lines = from_json("[*]", lines=True)
    assert refused(lines, f'{{"id": "a"}}\n{line}\n{{"id": "d"}}').startswith(told)


def test_half_a_surrogate_in_a_text_is_replaced():
    found = from_json(texts=(("text", Expression("text")),))
    (hit,) = found.hits('{"results": [{"id": "a", "text": "x\\ud83d"}]}')
    assert hit.text == "x\ufffd"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"(docs|wiki)://[^\s)]+", ["docs://a/1", "wiki://b", "docs://a/1"]),
        (r"(docs|wiki)://([^\s)]+)", ["a/1", "b", "a/1"]),
        (r"((docs|wiki)://[^\s)]+)", ["docs://a/1", "wiki://b", "docs://a/1"]),
        (r"(\w+)://[^\s)]+", ["docs", "wiki", "docs"]),
        (r"(?:docs|wiki)://[^\s)]+", ["docs://a/1", "wiki://b", "docs://a/1"]),
        (r"(docs|wiki)://(?P<id>[^\s)]+)", ["a/1", "b", "a/1"]),
        (r"(?:see|again) (\w+)://a|(\w+)://b", ["docs", "wiki", "docs"]),
        (r"(docs)://(?:(b)|\w/(\d))|(w\w+)", ["1", "wiki", "1"]),
        (r"^(\w*)", ["see"]),
        (r"(\w*):", ["docs", "wiki", "docs"]),
        ("(?x)docs :// (a) # (no", ["a", "a"]),
        (r"see ?", ["see"]),
    ],
)
def test_ids_by_a_regular_expression(pattern, found):
    text = "see docs://a/1 (wiki://b)\nagain docs://a/1"
    by_pattern = FromText(re.compile(pattern))
    assert [hit.doc_id for hit in by_pattern.hits(matches(by_pattern, text))] == found


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"see (\S+)|\w+://b", "wiki://b"),
        (r"see (?P<id>\S+)|(\w+)://", "wiki://"),
        (r"see (\S+)|\((\w/\d)?", "("),
    ],
)
def test_a_match_without_a_group_that_is_an_id_is_told(pattern, told):
    found = FromText(re.compile(pattern))
    hits = found.hits(matches(found, "see docs://a/1 (wiki://b)"))
    assert next(hits).doc_id == "docs://a/1"
    with pytest.raises(AskError) as raised:
        next(hits)
    assert raised.value.line(str) == (
        f"result 2: no group of pattern '{pattern}' that is an id takes part in the match; give"
        f" each alternative one: {told}"
    )


@pytest.mark.parametrize(
    "around",
    [
        "\x1b[35m\x1b[K{}\x1b[m\x1b[K",
        "\x1b[1;38;5;9m{}\x1b(B\x1b[m",
        "\x1b]8;;file://h/a.py\x07{}\x1b]8;;\x07",
        "\x1b]8;id=1;file://h/a.py\x1b\\{}\x1b]8;;\x1b\\",
    ],
)
@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"^(?P<id>[^:]+):", ["a.py", "b.py"]),
        (r"^(?P<id>[^:]+:\d+):", ["a.py:1", "b.py:20"]),
        (r"\d$", ["1", "2"]),
    ],
)
def test_colours_and_links_are_no_part_of_what_a_pattern_is_sought_in(around, pattern, found):
    """As `grep -n --color=always` and `rg --hyperlink-format=…` print."""
    lines = (("a.py", "1", "x1"), ("b.py", "20", "x2"))
    text = "".join(f"{':'.join(map(around.format, line))}\r\n" for line in lines)
    by_pattern = FromText(re.compile(pattern, re.MULTILINE))
    assert [hit.doc_id for hit in by_pattern.hits(matches(by_pattern, text))] == found


def matches(found: FromText, text: str) -> list[tuple[str, bool]]:
    """What `Matching.all` finds."""

    async def all_of_them():
        async with matching(30) as searches:
            return await searches.all(found.pattern, found.groups, text)

    return asyncio.run(all_of_them())


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [
        (r"[(](a)\((b[)]c)", ["a", "b[)]c"]),
        (r"(?P<x>[\w]+) (y)(?P=x)(?#(no)", [r"[\w]+", "y"]),
        (r"((docs|wiki)://\S+)", [r"(docs|wiki)://\S+", "docs|wiki"]),
        (r"(?i)(a|b)(?=c)(?<!d)(e(?:f|(g))*)", ["a|b", "e(?:f|(g))*", "g"]),
        (r"[]()](x+)[^]()](\\)()", ["x+", r"\\", ""]),
    ],
)
def test_groups_are_told_from_what_looks_like_them(pattern, groups):
    assert re.compile(pattern).groups == len(groups)
    assert groups_of(pattern) == groups


def test_each_document_stands_at_its_first_place_and_k_of_them():
    hits = [Hit(one, score) for one, score in (("a", 3.0), ("b", 2.0), ("a", 9.0), ("c", 1.0))]
    assert cut(hits, 2) == ((hits[0], hits[1]), 1)
    assert cut(hits, 10) == ((hits[0], hits[1], hits[3]), 1)
    assert cut([], 10) == ((), 0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON, st.sampled_from(["results", "[*]", "@", "*", "results[?a].b", "sort(@)"]))
def test_any_json_is_an_answer_or_a_reason(value, expression):
    found = from_json(expression, "@", score=Expression("score"), missing_is_empty=True)
    assert answer_or_reason(found, json.dumps(value))


@given(st.text(), st.booleans())
def test_any_text_is_an_answer_or_a_reason(text, lines):
    assert answer_or_reason(from_json("[*]", "id", lines=lines), text)


def answer_or_reason(found, text: str) -> bool:
    try:
        return all(hit.doc_id for hit in found.hits(text))
    except AskError as error:
        return bool(error.line(str))


BROKEN = st.lists(
    st.sampled_from(
        [*'[]{}":,\\\n u0é', '"a":', '"\\ud83d', "\\udc00", "-Infinity", "true", "-1.5e"]
    ),
    max_size=60,
).map("".join)
WHOLE = st.lists(JSON, min_size=1).map(json.dumps)


@given(st.sampled_from(['[{"a":', '{"', "[", '["x", ', ""]), WHOLE, BROKEN, st.integers(17, 40))
def test_as_far_as_it_is_looked_at_it_is_read_as_the_whole(begins, whole, more, size):
    text = f"{begins}{whole}{more}" if size % 2 else f"{begins}{more}{whole}"
    text = text if text[:1] in ("[", "{") else f"[{text}"

    def read(decode):
        try:
            value, end = decode()
        except json.JSONDecodeError as error:
            return error.msg, error.pos
        return json.dumps(value), end

    def parts():
        value, end = extraction._decoded(f"x\n{text}", 2)
        return value, end - 2

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extraction, "_LEAST_LOOKED_AT", size)
        assert read(parts) == read(lambda: json.JSONDecoder().raw_decode(text))
