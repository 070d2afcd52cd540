"""The user's config file: what is read from it, what is refused, what is kept in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.errors import InputError
from judge_tui.tui.config import Config, config_path, keep_theme, read_config
from judge_tui.tui.key_names import is_typed, key_name, shown_key, taken_elsewhere
from judge_tui.tui.keymap import all_bound, bound_of, conflicts, typed_away
from judge_tui.tui.screens.judge import JudgeScreen


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "config.toml"
    monkeypatch.setenv("JUDGE_TUI_CONFIG", str(file))
    return file


def test_a_theme_and_keys_are_read(path: Path) -> None:
    path.write_text(
        'theme = "nord"\n[keys]\n"judge.skip" = "z, f5"\n"judge.flag" = ["comma", "ctrl+g"]\n'
        "[keys.judge]\ngrade-3 = 'space'\npage-down = 'pagedown'\n"
    )
    assert read_config() == Config(
        path,
        "nord",
        {
            "judge.skip": "z,f5",
            "judge.flag": "comma,ctrl+g",
            "judge.grade-3": "space",
            "judge.page-down": "pagedown",
        },
    )


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("them = 1", 1, "no setting 'them'; did you mean 'theme'?"),
        ("\n\ntheme = 3", 3, "no theme '3'"),
        ('theme = "nort"', 1, "did you mean 'nord'?"),
        ("theme = ", 1, "not TOML"),
        ("\ntheme = []", 2, "no theme '[]'"),
        ('keys = {"judge.skip" = "foo"}', 1, "there is no key 'foo'"),
        ("[keys]  # as judge.skip = 'z'\njudge.skip = 'foo'", 2, "there is no key 'foo'"),
        ("[keys]\njudge.skip = ['z', 1]", 2, "judge.skip has no keys"),
        ("keys = 1", 1, "keys is not a table"),
        ("[keys]\n# z\njudge.skipp = 'z'", 3, "no key binding 'judge.skipp'; did you mean"),
        ("[keys]\nwholly.other = 'z'", 2, "judge-tui keys lists them"),
        ("[keys.judge]\nskip = 'foo'", 2, "there is no key 'foo'"),
        ("[keys]\njudge.skip = ''", 2, "judge.skip has no key"),
        ("[keys]\njudge.skip = []", 2, "judge.skip has no key"),
        ("[keys]\njudge.skip = [1]", 2, "judge.skip has no keys"),
        ("[keys]\njudge.skip = true", 2, "judge.skip has no keys"),
        ("[keys]\n'judge.skip' = 'x'", 2, "x is a key of judge.skip and of judge.cannot"),
        ("[keys]\njudge.skip = '2'", 2, "2 is a key of judge.skip and of judge.grade-2"),
        ("[keys]\njudge.skip = 'ctrl+q'", 2, "of judge.skip and of app.quit"),
        ("[keys]\nlist.first = '?'", 2, "of list.first and of home.help"),
        ("[keys]\noverlay.close = 'a'", 2, "comments are typed with letters"),
        ("[keys]\njump.down = 'J'", 2, "comments are typed with letters"),
        ("[keys]\napp.quit = 'Q'", 2, "comments are typed with letters"),
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


def test_all_that_cannot_be_used_is_named_by_line(path: Path) -> None:
    path.write_text(
        "theme = 3\n[keys]\njudge.skip = 'foo, z, bar'\njudge.cannot = 's'\njudge.flag = 'c'\n"
        "judge.undoo = 'y'\noverlay.close = 'a'\njump.down = 'J'\n[others]\n"
    )
    with pytest.raises(InputError) as caught:
        read_config()
    told = [caught.value, *caught.value.also]
    assert [(one.line, one.what) for one in told if isinstance(one, InputError)] == [
        (1, "no theme '3'"),
        (3, "judge.skip: there is no key 'foo'"),
        (3, "judge.skip: there is no key 'bar'"),
        # s is no trouble: skip was to have another key.
        (5, "c is a key of judge.flag and of judge.comment, on one screen"),
        (6, "no key binding 'judge.undoo'"),
        (7, "the keys of overlay.close are letters, and comments are typed with letters"),
        (8, "the keys of jump.down are letters, and comments are typed with letters"),
        (9, "no setting 'others'"),
    ]
    assert all(one.mend for one in told)


def test_all_that_cannot_be_used_is_printed(path: Path) -> None:
    path.write_text("them = 1\ntheme = 3\n")
    result = CliRunner().invoke(cli, ["keys"])
    assert result.exit_code == 2
    first, second = result.stderr.splitlines()
    assert first.startswith(f"error: {path}:1: no setting 'them'; ")
    assert second.startswith(f"error: {path}:2: no theme '3'; ")


def test_a_key_may_be_given_twice_to_one_binding(path: Path) -> None:
    path.write_text("[keys]\njudge.skip = 'z, z'\n")
    assert read_config().keymap == {"judge.skip": "z,z"}


def test_two_bindings_may_change_places(path: Path) -> None:
    path.write_text("[keys]\njudge.skip = 'x'\njudge.cannot = 's'\n")
    assert read_config().keymap == {"judge.skip": "x", "judge.cannot": "s"}


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
    assert read_config() == Config(config_path())


def test_a_folder_and_bytes_are_refused(path: Path) -> None:
    path.mkdir()
    with pytest.raises(InputError, match="directory"):
        read_config()
    path.rmdir()
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_config()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'theme = "nord"\n'),
        ('theme = "flexoki"  # calm\n', 'theme = "nord"  # calm\n'),
        ("# mine\n[keys]\n# skip\njudge.skip = 'z'", None),
        ("[keys]  # as theme = 'x'\njudge.skip = 'z'", None),
        ("# mine\n# calm\ntheme = 'dracula'\n", '# mine\n# calm\ntheme = "nord"\n'),
        ('# a\n\n  theme="dracula"\n[keys]\n', '# a\n\ntheme = "nord"\n[keys]\n'),
    ],
)
def test_a_theme_is_kept_and_all_else_stays(path: Path, before: str, after: str | None) -> None:
    path.write_text(before)
    keep_theme(path, "nord")
    assert path.read_text() == (after if after is not None else f'theme = "nord"\n{before}')
    assert read_config().theme == "nord"
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_theme_is_kept_where_there_was_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none" / "yet" / "config.toml"
    keep_theme(path, "nord")
    assert path.read_text() == 'theme = "nord"\n'


@pytest.mark.parametrize("step", ["write_text", "replace"])
def test_a_theme_that_cannot_be_written_leaves_the_file_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path.write_text("# mine\n")

    def fail(self: Path, *given: object, **_more: object) -> None:
        if step == "write_text":
            self.write_bytes(str(given[0]).encode()[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, step, fail)
    with pytest.raises(OSError, match="No space left"):
        keep_theme(path, "nord")
    assert path.read_text() == "# mine\n"
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_theme_is_kept_where_a_link_leads(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles"
    real.write_text("# mine\n")
    path.symlink_to(real)
    keep_theme(path, "nord")
    assert path.is_symlink()
    assert real.read_text() == 'theme = "nord"\n# mine\n'


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a", "a"),
        ("A", "A"),
        ("?", "question_mark"),
        ("]", "right_square_bracket"),
        ("+", "plus"),
        ("é", "é"),
        ("€", "euro_sign"),
        ("comma", "comma"),
        ("Space", "space"),
        ("page down", "pagedown"),
        ("esc", "escape"),
        ("F5", "f5"),
        ("ctrl+A", "ctrl+a"),
        ("ctrl++", "ctrl+plus"),
        ("alt+ctrl+x", "ctrl+alt+x"),
        ("shift+tab", "shift+tab"),
        # What a terminal sends for these.
        ("ctrl+i", "tab"),
        ("ctrl+m", "enter"),
        ("", None),
        (" ", None),
        ("foo", None),
        ("ctrl+", None),
        ("hyper+a", None),
        ("ctrl+ctrl+a", None),
        # That is the key A.
        ("shift+a", None),
        ("\x1b", None),
    ],
)
def test_keys_are_known_by_character_and_by_name(text: str, name: str | None) -> None:
    assert key_name(text) == name
    if name is not None:
        assert key_name(shown_key(name)) == name or name in ("space", "comma")


def test_which_keys_are_typed_text() -> None:
    assert all(map(is_typed, ("a", "A", "question_mark", "space", "comma", "é")))
    assert not any(map(is_typed, ("escape", "tab", "ctrl+a", "f2", "pagedown", "alt+x")))


def test_every_binding_has_an_id_of_its_own_and_a_name() -> None:
    bound = all_bound({})
    ids = [one.id for one in bound]
    assert len(ids) == len(set(ids)) > 60
    assert all(one.id.count(".") == 1 for one in bound)
    assert [one.id for one in bound if not one.what] == ["app.help-quit"]


def test_no_key_means_two_things_and_none_is_one_that_multiplexers_take() -> None:
    assert conflicts({}) == []
    keys = [key for one in all_bound({}) for key in one.keys]
    assert [key for key in keys if taken_elsewhere(key)] == []


def test_a_line_to_write_in_is_left_by_one_key_that_is_not_typed() -> None:
    assert typed_away({"overlay.close": "a,escape"}) == []
    assert typed_away({"overlay.close": "a,b"}) == ["overlay.close"]
    # Those that come before the line take a letter away even beside another key.
    assert typed_away({"app.quit": "Q,ctrl+q"}) == ["app.quit"]
    assert typed_away({"app.quit": "ctrl+q,f10", "judge.skip": "z"}) == []


def test_bindings_come_in_the_order_in_which_they_are_written() -> None:
    ids = [one.id for one in bound_of(JudgeScreen, {"judge.next": "z"})]
    assert ids[:3] == ["judge.next", "judge.previous", "judge.next-unjudged"]
    assert bound_of(JudgeScreen, {"judge.next": "z"})[0].keys == ("z",)
