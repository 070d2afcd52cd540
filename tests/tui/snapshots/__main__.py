"""Draw every scene anew: `make snapshots`."""

from __future__ import annotations

import asyncio

from tests.tui.snapshots.drawing import DRAWN, SIZES, draw
from tests.tui.snapshots.scenes import SCENES


def main() -> None:
    DRAWN.mkdir(exist_ok=True)
    wanted = set()
    for scene in SCENES:
        for size in SIZES:
            path = DRAWN / f"{scene.name}-{size[0]}x{size[1]}.svg"
            path.write_text(asyncio.run(draw(scene, size)), encoding="utf-8")
            wanted.add(path)
    for path in set(DRAWN.iterdir()) - wanted:
        path.unlink()


if __name__ == "__main__":
    main()
