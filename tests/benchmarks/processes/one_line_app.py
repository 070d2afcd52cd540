"""As small as an app of Textual can be: what any of them takes to start."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class OneLineApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("TOK000000", markup=False)


if __name__ == "__main__":
    OneLineApp().run()
