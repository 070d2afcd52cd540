"""The user's config file: what is read from it, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.binding import Binding

from judge_tui.errors import InputError
from judge_tui.tui.config import Config, ThemeFile, config_path, read_config
from judge_tui.tui.keys import all_bound, bound_nodes, key_name, shown_key


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "config.toml"
    monkeypatch.setenv("JUDGE_TUI_CONFIG", str(file))
    return file


def test_a_theme_and_keys_are_read(path: Path) -> None:
    path.write_text(
        'theme = "nord"\n[keys]\n"app.help" = "z, f5"\n"app.palette" = ["comma", "ctrl+g"]\n'
        "[keys.app]\nquit = 'space'\nhelp-quit = 'pagedown'\n"
    )
    assert read_config() == Config(
        "nord",
        {
            "app.help": "z,f5",
            "app.palette": "comma,ctrl+g",
            "app.quit": "space",
            "app.help-quit": "pagedown",
        },
    )


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("them = 1", 1, "no setting 'them'; did you mean 'theme'?"),
        ("\n\ntheme = 3", 3, "no theme '3'"),
        ('theme = "nort"', 1, "did you mean 'nord'?"),
        ("theme = ", 1, "not TOML"),
        ("[keys]  # as app.help = 'z'\napp.help = 'foo'", 2, "there is no key 'foo'"),
        ("keys = 1", 1, "keys has no keys"),
        ("[keys]\n# z\napp.helpp = 'z'", 3, "no key binding 'app.helpp'; did you mean"),
        ("[keys.app]\nhelp = 'foo'", 2, "there is no key 'foo'"),
        ("[keys]\napp.help = ''", 2, "app.help: there is no key ''"),
        ("[keys]\napp.help = true", 2, "app.help has no keys"),
        ("[keys]\nsettle.undo = 'z, ?'", 2, "settle.undo: '?' is the key of app.help"),
        ("[keys]\n\njudge.flag = 'u'", 3, "'u' is the key of judge.undo; give judge.undo another"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(
    path: Path, text: str, line: int, what: str
) -> None:
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_config()
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert what in str(caught.value)
    assert "; " in str(caught.value)


def test_where_there_is_no_file_nothing_is_wrong_unless_it_was_named(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_config()
    monkeypatch.setenv("JUDGE_TUI_CONFIG", "")
    assert config_path() is None
    assert read_config() == Config()
    monkeypatch.delenv("JUDGE_TUI_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    assert read_config() == Config()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A", "A"),
        ("]", "right_square_bracket"),
        ("+", "plus"),
        ("é", "é"),
        ("comma", "comma"),
        ("shift+tab", "shift+tab"),
        ("ctrl+g", "ctrl+g"),
        ("alt+]", "alt+right_square_bracket"),
        ("foo", None),
        ("ctrl+", None),
        ("shift+a", None),  # that is the key A
        ("\x1b", None),
    ],
)
def test_keys_are_known_by_character_and_by_name(text: str, name: str | None) -> None:
    assert key_name(text) == name
    assert name is None or key_name(shown_key(name)) == name


# A multiplexer, or the terminal's own flow control, often keeps these for itself.
TAKEN = {"ctrl+j", "ctrl+s", "ctrl+o", *(f"f{number}" for number in range(1, 13))}


def test_every_key_has_an_id_of_its_own_and_a_name_and_none_is_taken_by_multiplexers() -> None:
    found: dict[str, set[str]] = {}
    for kind in bound_nodes():
        for binding in Binding.make_bindings(kind.__dict__.get("BINDINGS", ())):
            assert re.fullmatch(r"[a-z-]+\.[a-z0-9-]+", binding.id or ""), (kind, binding)
            assert binding.description or binding.system, binding
            assert binding.key not in TAKEN, binding
            found.setdefault(str(binding.id), set()).add(binding.action)
    assert [name for name, actions in found.items() if len(actions) > 1] == []
    assert [one.id for one in all_bound({})] == [*found]


def test_a_chosen_theme_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.theme"
    file = ThemeFile(path)
    assert file.read() == ""
    file.write("nord")
    assert ThemeFile(path).read() == "nord"
    path.write_bytes(b"\xff")
    assert file.read() == ""
