"""Which language a file is in, by its name, in the names that Pygments has for them."""

from __future__ import annotations

from functools import cache

# Where several languages claim a suffix, the one that most files of that suffix are in. Of other
# such suffixes nothing is concluded.
_USUAL = {
    "*.S": "gas",
    "*.as": "actionscript3",
    "*.asm": "nasm",
    "*.aspx": "aspx-cs",
    "*.feature": "gherkin",
    "*.fs": "fsharp",
    "*.gd": "gdscript",
    "*.h": "c",
    "*.hh": "cpp",
    "*.lean": "lean4",
    "*.mm": "objective-c++",
    "*.pl": "perl",
    "*.pm": "perl",
    "*.s": "gas",
    "*.sql": "sql",
    "*.t": "perl",
    "*.ttl": "turtle",
    "*.v": "verilog",
    "*.xsl": "xslt",
    "*.xslt": "xslt",
}

# What Pygments has no suffix for, or another opinion on.
_MORE = {"*.ipynb": "json", "*.mkd": "markdown", "*.r": "splus"}

# Names of languages that mean something else where they stand for a sort of documents.
_WORDS = (
    "arrow bare basic bugs clean console control email fancy func http icon mask mime monkey moon"
    " output posh progress properties react reason registry resource rest salt slash slim spec"
    " spice squid zone"
)


def language_of(path: str) -> str:
    """Return the language of the file at `path`, by its name; empty where that says nothing."""
    name = file_name(path)
    stem, dot, suffix = name.rpartition(".")
    patterns = [name, f"*.{suffix}", f"*.{suffix.lower()}"] if dot and stem else [name]
    table = _by_pattern()
    return next((table[pattern] for pattern in patterns if pattern in table), "")


def language_named(name: str) -> str:
    """Return the language that Pygments knows by this name or media type; empty where there is
    none.

    Nor is one concluded from names that are ordinary words, such as `basic`.
    """
    name = name.strip().lower()
    _, slash, subtype = name.partition("/")
    if slash and (found := _by_name().get(subtype.removeprefix("x-"))):
        return found
    return "" if name in _WORDS.split() else _by_name().get(name, "")


def file_name(path: str) -> str:
    """Return the last part of a path."""
    return path.rsplit("/", 1)[-1]


@cache
def _by_pattern() -> dict[str, str]:
    found: dict[str, str] = {}
    claimed = set[str]()
    for aliases, patterns, _ in _lexers():
        for pattern in patterns:
            if pattern in found:
                claimed.add(pattern)
            found[pattern] = aliases[0]
    return {name: value for name, value in found.items() if name not in claimed} | _USUAL | _MORE


@cache
def _by_name() -> dict[str, str]:
    found: dict[str, str] = {}
    for aliases, _, media_types in _lexers():
        for name in (*aliases, *media_types):
            found.setdefault(name.lower(), aliases[0])
    return found | {"node": "javascript"}


def _lexers() -> list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]:
    """Names, patterns of file names and media types of all languages; no lexer is imported."""
    from pygments.lexers import get_all_lexers  # noqa: PLC0415 - a few milliseconds

    return [
        (tuple(aliases), tuple(patterns), tuple(media_types))
        for _, aliases, patterns, media_types in get_all_lexers(plugins=False)
        if aliases
    ]
