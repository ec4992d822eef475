"""The pages that import a file: preview, import, progress, report.

A form sends a pasted text as `file` or a file as `upload`. The page then shows the text again, so
that a file is selected once. A field `choose.PLACE` names the player of an ambiguous place, such as
a line.
"""

from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import ApiError, Unprocessable
from games.core.formats import MAX_BODY_SIZE, BodyTooLarge
from games.core.forms import FormState, rejected_form
from games.core.pages import PageView
from games.core.requests import is_flag_set
from games.core.text import translated, translated_problems
from games.core.uploads.csv import list_text
from games.core.uploads.encodings import ONE_BYTE, decode_text
from games.core.uploads.tasks import can_see_import, import_progress
from games.rules.text import Text

CHOICE: Final = "choose."


ORIGINAL: Final = "original"
ENCODING: Final = "encoding"
WHICH_ENCODING: Final = Text(
    "the file does not say how it writes letters such as ü or é; choose below where the names are "
    "right"
)


def sent_text(request: Request) -> str:
    """Return the text of the file that was selected, else the pasted one.

    Raises BodyTooLarge, BadRequest for what is not text, and Unprocessable where the encoding must
    be chosen.
    """
    return decode_text(_sent_content(request), request.POST.get(ENCODING, ""))


class TextForm:
    """A page with a form whose file can need the choice of an encoding."""

    sent_text = ""
    encodings: Mapping[str, Any] | None = None
    """The choice of an encoding, if the file needs one."""

    def refused_text(self, request: Request, action: str, error: ApiError) -> FormState:
        """Keep what was sent, and return the form of an action with why it cannot be read."""
        self.encodings = encoding_choice(request, error)
        if self.encodings:
            error = Unprocessable(error.code, WHICH_ENCODING, at="/file")
        self.sent_text = request.POST.get("file", "").replace("\0", "\N{SYMBOL FOR NULL}")
        return rejected_form(request, action, error)


def _sent_content(request: Request) -> bytes:
    """Return the file that was selected, the pasted text, or the file whose encoding is chosen."""
    sent, text = request.FILES.get("upload"), request.POST.get("file", "")
    if sent and (sent.size or 0) > MAX_BODY_SIZE:
        raise BodyTooLarge
    if sent:
        sent.seek(0)
        return sent.read()
    if text.strip():
        return text.encode()
    try:
        return b64decode(request.POST.get(ORIGINAL, ""), validate=True)
    except ValueError:
        return b""


def sent_list(request: Request) -> str:
    """Return a list of players as text: a file or workbook that was selected, or what was pasted.

    Raises as `sent_text` does.
    """
    encoding = request.POST.get(ENCODING, "")
    return list_text(_sent_content(request), lambda content: decode_text(content, encoding))


def encoding_choice(request: Request, error: ApiError) -> dict[str, Any] | None:
    """Return how a page asks for the encoding of a file: the file, and names as each reads them.

    None if something else is wrong. Two encodings that read the names alike are one choice.
    """
    if error.code != "encoding_needed":
        return None
    alike: dict[tuple[str, ...], str] = {}
    for reading in error.extra["readings"]:
        alike.setdefault(tuple(reading["names"]), reading["encoding"])
    return {
        "original": b64encode(_sent_content(request)).decode(),
        "readings": [
            {"encoding": encoding, "label": gettext(ONE_BYTE[encoding]), "names": names}
            for names, encoding in alike.items()
        ],
    }


def chosen_players(request: Request) -> dict[int, str]:
    """Return the players that were chosen for lines of a list."""
    return {
        int(line): player
        for line, player in chosen_by_place(request.POST).items()
        if line.isdecimal() and len(line) < 9
    }


def chosen_by_place(form: QueryDict) -> dict[str, str]:
    """Return the player that was chosen for each ambiguous place, an id or `new`."""
    return {
        name.removeprefix(CHOICE): str(value)
        for name, value in form.items()
        if name.startswith(CHOICE) and value
    }


def query_of_form(request: Request, names: Iterable[str]) -> dict[str, str]:
    """Return these fields of the form, which are parameters of the action."""
    sent = {name: request.POST.get(name, "").strip() for name in names}
    return {name: value for name, value in sent.items() if value}


def find_stream_task(request: Request, stream: str) -> dict[str, Any] | None:
    """Return the progress of the import that the address names (`?task=`), if it is of a stream."""
    task = _find_task(request)
    return task if task and task["stream"] == stream else None


def find_own_task(request: Request) -> dict[str, Any] | None:
    """Return the progress of the import that the address names, if the reader sent the file."""
    task = _find_task(request)
    return task if task and can_see_import(request, task["number"], task["stream"]) else None


def _find_task(request: Request) -> dict[str, Any] | None:
    """Return a task with its `number`, and its problem in the language of the reader."""
    if request.method == "POST":
        return None
    kind, _, number = request.query_params.get("task", "").partition("-")
    if kind != "import" or not number.isdecimal() or len(number) > 17:
        return None
    task = import_progress(int(number))
    if task is None:
        return None
    problem = task["problem"]
    shown = problem and {
        **problem,
        "detail": translated(str(problem["detail"])),
        "errors": translated_problems(problem.get("errors", ())),
    }
    return {**task, "number": int(number), "problem": shown}


MOST_SHOWN_ROWS = 1000
"""Lines or records whose effect the page lists; it counts them all."""


class FileImportPage(TextForm, PageView):
    """A small file is imported at once, a large one by a task, which `?task=` shows.

    A subclass defines `read`; its action is `import`, whose text is the field `file`.
    `query_fields` are fields of the form that are parameters of the API's query, `rows` is the
    member of the result that has an item with its `action` for each line or record.
    """

    query_fields: tuple[str, ...] = ()
    rows = "rows"

    def read(self, request: Request) -> str:
        raise NotImplementedError

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        try:
            self.sent_text = self.read(request)
        except ApiError as error:
            self.form = self.refused_text(request, "import", error)
            return self.page(self.context(request, **address), status=error.status)
        self.sent = self.sent_text.encode() if self.sent_text.strip() else None
        self.query = query_of_form(request, self.query_fields)
        return super().post(request, **address)

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page of a context, with the result of a preview or an import and its counts.

        What is imported is no longer in the form.
        """
        task = find_own_task(self.request)
        result = context.get("preview") or (task and task["response"]) or {}
        listed = result.get(self.rows, ())
        is_preview = is_flag_set(self.request, "dry_run")
        added = {
            "task": task or result.get("task"),
            "result": result if listed else None,
            "listed": listed[:MOST_SHOWN_ROWS],
            "left_out": max(0, len(listed) - MOST_SHOWN_ROWS),
            "counts": Counter(row["action"] for row in listed),
            "is_preview": is_preview,
            "encodings": self.encodings,
            "text": "" if listed and not is_preview else self.sent_text,
        }
        return super().page({**context, **added}, status=status)
