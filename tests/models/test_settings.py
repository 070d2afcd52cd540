"""What a judges file may say; whatever else it says is refused with its line, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.collect.secrets import Secrets
from judge_tui.errors import InputError, UsageError
from judge_tui.models.settings import read_judges

WHOLE = """\
[judges.umbrela]
url = "http://localhost:8000/v1?version=${VERSION}"
model = "Qwen/Qwen3-32B"
api_key = "${JUDGE_KEY}"
headers = { X = "${JUDGE_KEY}" }
options = { chat_template_kwargs = { enable_thinking = false } }

[judges.ours]
url = "http://localhost:8000/v1/"
model = "m"
prompt = "guidelines"
json_schema = true
logprobs = false
seed = 7
"""
KEYS = {"JUDGE_KEY": "s3cret", "VERSION": "2026 a"}
UMBRELA = {"temperature": 0.0, "top_p": 1.0, "frequency_penalty": 0.5, "max_tokens": 100}


def written(folder: Path, text: str) -> Path:
    path = folder / "judges.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_sent_follows_from_the_file(tmp_path):
    read = read_judges(written(tmp_path, WHOLE), secrets=Secrets(KEYS))
    umbrela, ours = read.judges["umbrela"], read.judges["ours"]
    assert umbrela.endpoint == "http://localhost:8000/v1/chat/completions?version=2026%20a"
    assert umbrela.sent_headers == {"Authorization": "Bearer s3cret", "X": "s3cret"}
    # Upadhyay et al. 2024: temperature 0, top_p 1, frequency_penalty 0.5, 100 tokens.
    thinking = {"chat_template_kwargs": {"enable_thinking": False}}
    assert (umbrela.sampling, umbrela.options) == (UMBRELA, thinking)
    assert (ours.endpoint, ours.sent_headers) == (
        "http://localhost:8000/v1/chat/completions",
        {},
    )
    assert ours.sampling == {**UMBRELA, "frequency_penalty": 0.0, "seed": 7}
    assert umbrela.secrets.redact("Bearer s3cret") == "Bearer ${JUDGE_KEY}"
    assert read.lines == {"umbrela": 1, "ours": 8}


def test_one_judge_alone_needs_no_secrets_of_the_others(tmp_path):
    path = written(tmp_path, WHOLE)
    assert list(read_judges(path, only="ours", secrets=Secrets({})).judges) == ["ours"]
    with pytest.raises(UsageError, match=r"no judge 'our' in .*; did you mean 'ours'"):
        read_judges(path, only="our", secrets=Secrets({}))


URL = "url = 'http://h'\nmodel = 'm'"
FAULTS = [
    ("", "the file has no judges; write [judges.NAME]"),
    ("model = 'm'", "[judges.a] has no url"),
    ("url = 'http://h/v1'", "[judges.a] has no model"),
    ("url = 'h/v1'\nmodel = 'm'", "url is not http"),
    ("url = 'http://h'\nmodel = 'm'\nmodl = 1", "[judges.a] can have no setting modl; did you"),
    ("url = 'http://h'\nmodel = 'm'\nmax_tokens = 0", "max_tokens cannot be used"),
    ("url = 'http://h'\nmodel = 'm'\nprice_in = 1.0", "[judges.a] has one price"),
    ("url = 'http://h'\nmodel = 'm'\noptions = { n = 2 }", "[judges.a] has n in options"),
    ("url = 'http://h'\nmodel = 'm'\napi_key = '${NO}'", "api_key names NO, which is not in"),
    ("url = 'http://h'\nmodel = 'm'\n[judges.A]\nurl = 'http://h'\nmodel = 'm'", "differ in case"),
    (f"{URL}\n[judges.expected]\n{URL}", "toml:4: a model cannot be called 'expected'"),
    (f"{URL}\n[judges.{'x' * 61}]\n{URL}", "toml:4: 'xx"),
    (f"{URL}\n[judges.'a b']\n{URL}", "toml:4: 'a b' cannot be a name"),
]


@pytest.mark.parametrize(("table", "message"), FAULTS)
def test_what_cannot_be_used_is_refused(tmp_path, table, message):
    with pytest.raises(InputError) as refused:
        read_judges(written(tmp_path, f"[judges.a]\n{table}" if table else ""), secrets=Secrets({}))
    assert message in str(refused.value)
