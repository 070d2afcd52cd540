"""Build the collection of the sample campaign from the Python that runs this script.

Every Python installation carries the documentation of its standard library in its docstrings. This
makes one document of each public module, class, function and method that has one of its own:

    python sample_runs/make_documents.py [-o FILE]

Needs the standard library only. The same interpreter always writes the same bytes.
"""

from __future__ import annotations

import argparse
import builtins
import contextlib
import enum
import importlib
import inspect
import json
import os
import pkgutil
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

# What is no part of the library that people look things up in (tests, demonstrations, tools), what
# acts when it is imported, what many installations leave out (Tk), and the names behind a public
# name (os is posix, os.path is posixpath).
# fmt: off
SKIPPED = frozenset({
    "test", "tests", "idlelib", "turtledemo", "lib2to3", "distutils", "ensurepip", "pydoc_data",
    "antigravity", "this", "tkinter", "turtle", "posix", "nt", "posixpath", "ntpath",
    "genericpath", "nturl2path", "sre_compile", "sre_constants", "sre_parse",
})
# fmt: on
# About a hundred tables that differ in nothing but the name of the encoding.
WITHOUT_SUBMODULES = frozenset({"encodings"})
# A second name for what lies beneath a class that people use: its methods belong to socket.socket.
BENEATH = frozenset({"socket.SocketType"})
# What the interpreter writes into a docstring where the author wrote none.
GENERATED = frozenset({"An enumeration."})


class Named(NamedTuple):
    """A thing with a docstring, and the public name it goes by."""

    doc_id: str
    kind: str
    thing: Any


def main() -> None:
    parser = argparse.ArgumentParser(description="Build documents.jsonl from this Python.")
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).with_name(DOCUMENTS))
    output: Path = parser.parse_args().output
    with quiet():
        lines = [json.dumps(document(named), ensure_ascii=False) for named in collection()]
    partial = output.with_name(output.name + ".partial")
    partial.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    partial.replace(output)
    print(f"{len(lines)} documents", file=sys.stderr)


DOCUMENTS = "documents.jsonl"


def collection() -> list[Named]:
    """All that has a docstring of its own, each thing once, sorted by doc_id."""
    loaded = {name: module for name in public_modules() if (module := load(name)) is not None}
    found = [Named(name, "module", module) for name, module in loaded.items()]
    members = choose(candidate for module in loaded.items() for candidate in exported(*module))
    found += members
    classes = [named for named in members if named.kind == "class"]
    public_classes = {id(named.thing) for named in classes}
    taken = {identity(named.thing) for named in members}
    for named in classes:
        for method in methods(named, public_classes):
            if identity(method.thing) not in taken:
                taken.add(identity(method.thing))
                found.append(method)
    by_id = {named.doc_id: named for named in found if own_docstring(named.thing)}
    return [by_id[doc_id] for doc_id in sorted(by_id)]


def document(named: Named) -> dict[str, str]:
    title = named.doc_id if named.kind == "module" else named.doc_id + signature(named.thing)
    text = inspect.cleandoc(own_docstring(named.thing))
    return {"doc_id": named.doc_id, "kind": named.kind, "title": title, "text": text}


def public_modules() -> Iterator[str]:
    """The names of the standard library's modules, packages before what they hold."""
    for name in sorted(sys.stdlib_module_names):
        if is_public(name):
            yield name
            yield from submodules(name)


def submodules(name: str) -> Iterator[str]:
    module = load(name)
    if module is os:
        yield "os.path"  # no file of its own, so that no search of folders finds it
    if name in WITHOUT_SUBMODULES:
        return
    for info in sorted(pkgutil.iter_modules(getattr(module, "__path__", None) or [])):
        if is_public(info.name):
            yield f"{name}.{info.name}"
            if info.ispkg:
                yield from submodules(f"{name}.{info.name}")


def load(name: str) -> ModuleType | None:
    """The module, or None where this platform or this build of Python has none."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError, AttributeError, RuntimeError):
        return None


class Candidate(NamedTuple):
    """One name under which a module offers a thing. The least candidate is the canonical one."""

    borrowed: bool
    foreign: bool
    dots: int
    renamed: bool
    doc_id: str
    thing: Any


def exported(module_name: str, module: ModuleType) -> Iterator[Candidate]:
    listed = getattr(module, "__all__", None)
    for name in sorted({*vars(module), *(listed or ())}):
        thing = getattr(module, name, None)
        if not is_public(name) or kind_of(thing) is None or f"{module_name}.{name}" in BENEATH:
            continue
        owner = getattr(thing, "__module__", None) or module_name
        is_listed = listed is not None and name in listed
        is_inside = f"{owner}.".startswith(f"{module_name}.")
        is_built_in = module is builtins  # whatever it says of itself: open comes from io
        is_own = belongs(owner, module_name, complete=listed is not None)
        if not (is_listed or is_built_in or is_own):
            continue
        yield Candidate(
            borrowed=not (is_built_in or is_listed or is_inside),
            foreign=owner.partition(".")[0] != module_name.partition(".")[0] and not is_built_in,
            dots=-1 if is_built_in else module_name.count("."),
            renamed=getattr(thing, "__name__", name) != name,
            doc_id=name if is_built_in else f"{module_name}.{name}",  # str.split, as people say it
            thing=thing,
        )


def choose(candidates: Iterable[Candidate]) -> list[Named]:
    """Each thing once, under the name that its users import it by, in the order of names."""
    best: dict[int, Candidate] = {}
    for candidate in candidates:
        key = identity(candidate.thing)
        if key not in best or candidate[:-1] < best[key][:-1]:
            best[key] = candidate
    chosen = sorted(best.values(), key=lambda candidate: candidate.doc_id)
    return [Named(one.doc_id, kind_of(one.thing) or "", one.thing) for one in chosen]


def methods(owner: Named, public_classes: set[int]) -> Iterator[Named]:
    """The public methods that the class defines, or takes from a base that has no public name:
    nobody would find `add_argument` at argparse._ActionsContainer.
    """
    seen: set[str] = set()
    for cls in owner.thing.__mro__:
        is_own = cls is owner.thing or id(cls) not in public_classes
        for name, raw in sorted(vars(cls).items()):
            if name in seen or not is_public(name):
                continue
            seen.add(name)
            method = getattr(raw, "__func__", raw)
            if is_own and cls is not object and inspect.isroutine(method):
                yield Named(f"{owner.doc_id}.{name}", "method", method)


def kind_of(thing: object) -> str | None:
    if inspect.isclass(thing):
        return "class"
    return "function" if inspect.isroutine(thing) else None


def belongs(owner: str, module_name: str, *, complete: bool) -> bool:
    """Whether a module offers, as its own, a thing that its `__all__` does not name.

    A package offers what it takes from the modules inside it: asyncio.TaskGroup is in no `__all__`
    of 3.11. A module without `__all__` also offers what it defines, and what comes from a private
    module, which is how accelerators written in C come in.
    """
    if owner.startswith(f"{module_name}."):
        return True
    return not complete and (owner == module_name or owner.startswith("_"))


def is_public(name: str) -> bool:
    return not name.startswith("_") and name not in SKIPPED


def identity(thing: Any) -> int:
    """One number for a function and the method bound to it, as random.choice is to
    random.Random.choice.
    """
    return id(getattr(thing, "__func__", thing))


def own_docstring(thing: Any) -> str:
    doc = getattr(thing, "__doc__", None)
    if not isinstance(doc, str) or len(doc.split()) < 2 or doc.strip() in GENERATED:
        return ""  # one word repeats the name: nothing to judge
    bases = thing.__mro__[1:] if inspect.isclass(thing) else ()
    return "" if any(base.__doc__ == doc for base in bases) else doc


def signature(thing: Any) -> str:
    """The signature where `inspect` knows one. A default may name what exists only later: curses
    knows the corners of its boxes once it has started.
    """
    try:
        found = inspect.signature(thing)
    except (ValueError, TypeError, AttributeError):
        return ""
    parameters = [
        parameter.replace(default=Shown(shown(parameter.default)))
        if parameter.default is not parameter.empty
        else parameter
        for parameter in found.parameters.values()
    ]
    return str(found.replace(parameters=parameters))


class Shown:
    """A default value that prints as the given text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def shown(default: object) -> str:
    """The default as it is on every machine and in every process. The others would print an address
    in memory, the environment or where Python is installed, and sets print in any order.
    """
    if isinstance(default, enum.Enum):
        return f"{type(default).__name__}.{default.name}"
    if inspect.isclass(default) or inspect.isroutine(default):
        return str(getattr(default, "__qualname__", UNSHOWN))
    places = (sys.prefix, sys.base_prefix, sys.executable)
    if isinstance(default, str) and any(place and place in default for place in places):
        return UNSHOWN
    if default is None or isinstance(default, bool | int | float | complex | str | bytes):
        return repr(default)
    if type(default) in (tuple, list, set, frozenset):
        items = [shown(item) for item in default]  # type: ignore[attr-defined]
        if isinstance(default, set | frozenset):
            return f"{{{', '.join(sorted(items))}}}" if items else f"{type(default).__name__}()"
        if isinstance(default, tuple):
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return f"[{', '.join(items)}]"
    return "{}" if default == {} else UNSHOWN


UNSHOWN = "..."


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let no import print or warn: neither by `print` nor, as readline does, beneath it."""
    saved = os.dup(1), os.dup(2)
    with Path(os.devnull).open("wb") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.stdout.flush()
        sys.stderr.flush()
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for descriptor, kept in zip((1, 2), saved, strict=True):
                os.dup2(kept, descriptor)
                os.close(kept)


if __name__ == "__main__":
    main()
