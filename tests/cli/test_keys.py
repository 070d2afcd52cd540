"""`judge-tui keys`: what can be in a config file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.as_typed import invoke


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("JUDGE_TUI_CONFIG", str(path))
    return path


def test_the_table_has_every_binding_and_the_place_of_the_file(config: Path) -> None:
    config.write_text('[keys]\njudge.skip = "z, ctrl+s"\n')
    result = invoke("keys")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert ["judge.skip", "z, ctrl+s", "skip"] in [
        [part for part in line.split("  ") if part.strip()]
        and [part.strip() for part in line.split("  ") if part.strip()]
        for line in lines
    ]
    assert lines[-1].split() == ["judge.skip", "ctrl+s"]  # of those that terminals often keep
    assert f"Config file: {config} (1 of these have their keys from it)" in lines


def test_json_says_which_were_remapped(config: Path) -> None:
    config.write_text('[keys]\njudge.next = "]"\njudge.skip = "z"\n')
    result = invoke("keys", "-f", "json")
    document = json.loads(result.output)
    keys = {one["binding"]: one for one in document["keys"]}
    assert document["settings"]["config"] == str(config)
    assert keys["judge.skip"] == {
        "binding": "judge.skip",
        "keys": "z",
        "does": "skip",
        "remapped": True,
    }
    assert keys["document.page-down"]["keys"] == "space, pagedown"
    assert not keys["judge.flag"]["remapped"]
