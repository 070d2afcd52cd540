"""`judge-tui keys`: which key does what in the app, and where the file is that changes it."""

from __future__ import annotations

from judge_tui.cli.commands import make_command
from judge_tui.cli.printing import output_options, print_report


@make_command(manual="configuration", examples=["keys", "keys -f csv -o keys.csv"])
@output_options
def command(form: str, output: str | None) -> None:
    """List what has a key in the app, by the ids under which a config file gives it others.

    The file is config.toml in the folder that the last line names, or the one that JUDGE_TUI_CONFIG
    names:

    \b
        theme = "nord"
        [keys]
        judge.skip = "z"
        document.down = "j, down"
    """
    from judge_tui.report.keys import keys_report
    from judge_tui.tui.config import config_path, read_config
    from judge_tui.tui.keys import all_bound, shown_key, taken_elsewhere

    config = read_config()
    bindings = [bound for bound in all_bound(config.keymap) if bound.what]
    report = keys_report(
        [(bound.id, [shown_key(key) for key in bound.keys], bound.what) for bound in bindings],
        remapped=config.keymap,
        taken=[key for bound in bindings for key in bound.keys if taken_elsewhere(key)],
        path=config_path(),
    )
    print_report(report, form, output)
