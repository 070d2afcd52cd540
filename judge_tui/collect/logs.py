"""What the libraries below write to Python's log, without the secrets: URLs and headers are in it
where a program that uses this room listens."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from judge_tui.collect.secrets import Secrets

__all__ = ["secrets_out_of_logs"]

_LOGGERS = (
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.http2",
    "httpcore.proxy",
    "httpcore.socks",
)


@contextmanager
def secrets_out_of_logs(secrets: Secrets) -> Iterator[None]:
    """Hide them in what these libraries log as long as the block runs."""

    def hide(record: logging.LogRecord) -> bool:
        record.msg, record.args = secrets.hidden(record.getMessage()), ()
        return True

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(hide)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(hide)
