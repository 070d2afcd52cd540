"""What a model is asked: a Jinja2 template, filled with a query and a document.

Query and instructions come before the document, so that the requests of a query begin alike and an
endpoint can reuse what it has read. The document is data: it stands between two marks that do not
occur in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment

from judge_tui.errors import InputError, UsageError
from judge_tui.model import Document, Query, Scale
from judge_tui.models.answers import IN_A_LINE, IN_JSON
from judge_tui.models.settings import SHIPPED, JudgeSettings

SYSTEM = "You are a helpful assistant."
"""The system message of UMBRELA, which every prompt gets."""

VARIABLES = (
    *("query", "description", "narrative", "title", "document", "begin", "end"),
    *("guidelines", "scale", "answer_form"),
)
"""What a template may use: `scale` is a list of (grade, label), `answer_form` says how to answer,
and `begin` and `end` are the marks around the document."""

_ENDING = ".md.j2"
_WANTED = f"write a template of {', '.join(VARIABLES)}"


class Request(NamedTuple):
    """The messages about a document, and how many of its characters are in them, less what was
    planted."""

    messages: list[dict[str, str]]
    chars_seen: int


@dataclass(frozen=True)
class Prompt:
    """A template with all that is the same in every request. `lacks_guidelines`: it has a place
    for them, and the campaign has none."""

    path: str
    template: Template
    scale: Scale
    guidelines: str
    json_answer: bool
    max_document_chars: int
    lacks_guidelines: bool

    def request(
        self, query: Query, document: Document, plant: Callable[[str], str] = lambda text: text
    ) -> Request:
        """What is asked about a document, with something that `plant` puts into the text that is
        seen. Raises `InputError` where the template fails."""
        seen = document.text[: self.max_document_chars]
        text = self._filled(query, document.title, plant(seen))
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}]
        return Request(messages, len(seen))

    def _filled(self, query: Query, title: str, text: str) -> str:
        mark = _mark(f"{title}\n{text}")
        try:
            return self.template.render(
                query=query.text,
                description=query.description,
                narrative=query.narrative,
                title=title,
                document=text,
                begin=f"<{mark}>",
                end=f"</{mark}>",
                guidelines=self.guidelines.strip(),
                scale=[*self.scale.labels.items()],
                answer_form=self.answer_form,
            )
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise InputError(self.path, None, f"cannot be filled in: {error}", _WANTED) from error

    @property
    def answer_form(self) -> str:
        """How the model is to answer."""
        return IN_JSON if self.json_answer else IN_A_LINE

    @property
    def text(self) -> str:
        """What every request has, with names in place of query and document."""
        return self._filled(_QUERY, "[title]", _TEXT)


_QUERY = Query("", "[query]", "[description]", "[narrative]")
_TEXT = "[document]"


def read_prompt(settings: JudgeSettings, folder: Path, scale: Scale, guidelines: str) -> Prompt:
    """The prompt of a judge. `folder`: where the paths in the judges file begin.

    Raises `InputError` for a file that cannot be read or is no template, or whose document is not
    between the marks, behind the query and the form of the answer; `UsageError` for `umbrela` with
    another scale than 0 to 3.
    """
    path, text = _template(settings.prompt, folder)
    shipped = SHIPPED.get(settings.prompt)
    if shipped and shipped.grades and shipped.grades != scale.grades:
        wanted, ours = (", ".join(map(str, one)) for one in (shipped.grades, scale.grades))
        raise UsageError(
            f"the prompt {settings.prompt} is for the grades {wanted}, and the campaign has {ours}",
            'write prompt = "guidelines"',
        )
    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    try:
        syntax = environment.parse(text)
        template = environment.from_string(syntax)
    except TemplateSyntaxError as error:
        raise InputError(path, error.lineno, f"no template: {error.message}", _WANTED) from error
    prompt = Prompt(
        path,
        template,
        scale,
        guidelines,
        settings.json_schema,
        settings.max_document_chars,
        not guidelines.strip() and "guidelines" in find_undeclared_variables(syntax),
    )
    _refuse_open_document(prompt)
    return prompt


def _template(name: str, folder: Path) -> tuple[str, str]:
    if name in SHIPPED:
        return name, files(__package__).joinpath(f"prompts/{name}{_ENDING}").read_text("utf-8")
    if not name.endswith(_ENDING):
        raise UsageError(
            f"no prompt {name!r}", f"write {' or '.join(SHIPPED)}, or a file NAME{_ENDING}"
        )
    path = folder / name
    try:
        return str(path), path.read_text("utf-8")
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or "not UTF-8"
        raise InputError(path, None, what, "name the file of a template") from error


def _refuse_open_document(prompt: Prompt) -> None:
    """Raise `InputError` unless all that is asked stands before the document, and that between its
    marks."""
    mark = _mark(_TEXT)
    begin, end = f"<{mark}>", f"</{mark}>"
    before, found, behind = prompt.text.partition(_TEXT)
    what, mend = "", ""
    if not found or _TEXT in behind:
        what, mend = "must have the document once", "write {{ document }} at the end"
    elif _QUERY.text not in before or prompt.answer_form not in before:
        what = "must have query and answer_form before the document"
        mend = "write {{ query }} and {{ answer_form }} there"
    elif before.rfind(begin) <= before.rfind(end) or not behind.lstrip().startswith(end):
        what = "must have the document between its marks"
        mend = "write {{ begin }} on the line before it and {{ end }} on the line behind it"
    if what:
        raise InputError(prompt.path, None, what, mend)


def _mark(text: str) -> str:
    """A mark that the text does not have, in whatever case, form of letters or spacing."""
    folded = "".join(normalize("NFKC", text).casefold().split())
    return next(mark for number in count(1) if (mark := f"document-{number}") not in folded)
