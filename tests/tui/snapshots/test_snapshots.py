"""No screen changes unseen: each is compared with the picture that was looked at.

`make snapshots` draws them anew; look at what changed before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.snapshots.drawing import DRAWN, SIZES, Scene, draw, drawn_by_this_textual, words
from tests.tui.snapshots.scenes import SCENES


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_a_screen_looks_as_it_did(
    scene: Scene, size: tuple[int, int], tmp_path: Path
) -> None:
    name = f"{scene.name}-{size[0]}x{size[1]}.svg"
    known = (DRAWN / name).read_text(encoding="utf-8")
    now = await draw(scene, size)
    same = now == known if drawn_by_this_textual(known) else words(now) == words(known)
    if not same:
        (tmp_path / name).write_text(now, encoding="utf-8")
        changed = [
            f"  {a[1]!r}\n  {b[1]!r}"
            for a, b in zip(words(known), words(now), strict=False)
            if a != b
        ]
        detail = "\n".join(changed[:10]) or "  the words are the same, colours or places are not"
        pytest.fail(f"{name} is not as it was:\n{detail}\ndrawn now: {tmp_path / name}")


def test_every_picture_is_of_a_scene() -> None:
    expected = {f"{scene.name}-{w}x{h}.svg" for scene in SCENES for w, h in SIZES}
    assert {path.name for path in DRAWN.iterdir()} == expected


def test_the_words_of_a_picture_are_found() -> None:
    known = (DRAWN / f"home-{SIZES[0][0]}x{SIZES[0][1]}.svg").read_text(encoding="utf-8")
    assert any("harbours" in text for _, text in words(known))
