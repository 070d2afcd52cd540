"""The fixtures of these tests are those of the command's as well."""

from tests.collect.fixtures import index, server

__all__ = ["index", "server"]
