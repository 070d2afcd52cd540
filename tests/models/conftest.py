"""The server of these tests is that of `collect`."""

from tests.collect.fixtures import server

__all__ = ["server"]
