"""A search API and a search engine for the commands that ask live systems."""

from tests.collect.fixtures import index, server

__all__ = ["index", "server"]
