"""`asked_by_us.py URL COUNT CONCURRENCY`: a model judge of ours asks so often."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence

from judge_tui.collect.secrets import Secrets
from judge_tui.model import DEFAULT_SCALE
from judge_tui.models.asking import ModelReply, ModelRequest, ask
from judge_tui.models.settings import JudgeSettings
from tests.benchmarks.processes.prompts import prompts


def main() -> int:
    """0 where all were answered."""
    url, count, concurrency = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    table = {"url": url, "model": "bench", "concurrency": concurrency}
    settings = JudgeSettings.model_validate(table, context=Secrets({}))
    answered = 0

    def take(answers: Sequence[ModelReply]) -> None:
        nonlocal answered
        right = (one.text == "##final score: 2" and one.tokens_in == 500 for one in answers)
        answered += sum(right)

    asked = (ModelRequest(key, messages) for key, messages in enumerate(prompts(count)))
    ask(settings, asked, take, scale=DEFAULT_SCALE, stop=threading.Event())
    return int(answered != count)


if __name__ == "__main__":
    sys.exit(main())
