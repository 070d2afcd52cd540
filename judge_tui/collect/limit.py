"""How long a system may take for its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

__all__ = ["within"]


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Raises `TimeoutError` where what is done within takes longer: also where it came to its end
    before this process, at work on something else, could end it."""
    async with asyncio.timeout(seconds) as limit:
        yield
        due = limit.when()
        if due is not None and asyncio.get_running_loop().time() > due:
            raise TimeoutError
