"""What the pages of imports share: the text or file that was sent, chosen players, the task.

A form sends a pasted text as `file` or a file as `upload`. The page then shows the text again, so
that a file is selected once. A field `choose.PLACE` names the player of an ambiguous place, such as
a line.
"""

from collections.abc import Iterable
from typing import Any, Final

from django.http import QueryDict
from rest_framework.request import Request

from games import queries
from games.core.formats import MAX_BODY_SIZE, BodyTooLarge
from games.core.page_actions import PageRequest
from games.core.text import translated, translated_problems
from games.core.uploads.csv import decode_text
from games.core.uploads.tasks import can_see_import
from games.imports.chosen_players import add_chosen_players

CHOICE: Final = "choose."


def sent_text(request: PageRequest) -> str:
    """Return the file that was selected, else the pasted text.

    Raises BodyTooLarge, and BadRequest for what is not text.
    """
    sent = request._request.FILES.get("upload")
    if sent and (sent.size or 0) > MAX_BODY_SIZE:
        raise BodyTooLarge
    content = sent.read() if sent else request._request.POST.get("file", "").encode()
    return decode_text(content)


def sent_list(request: PageRequest) -> str:
    """Return a list of players as `sent_text` does, with the players chosen for its lines."""
    text = sent_text(request)
    chosen = {
        int(line): player
        for line, player in chosen_by_place(request._request.POST).items()
        if line.isdecimal() and len(line) < 9
    }
    return add_chosen_players(text, chosen) if chosen else text


def chosen_by_place(form: QueryDict) -> dict[str, str]:
    """Return the player that was chosen for each ambiguous place, an id or `new`."""
    return {
        name.removeprefix(CHOICE): str(value)
        for name, value in form.items()
        if name.startswith(CHOICE) and value
    }


def query_of_form(request: PageRequest, names: Iterable[str]) -> QueryDict:
    """Return the query of the API's request: these fields of the form, and `dry_run`."""
    query = QueryDict(mutable=True)
    if request.query_params.get("dry_run"):
        query["dry_run"] = "1"
    sent = {name: request._request.POST.get(name, "").strip() for name in names}
    query.update({name: value for name, value in sent.items() if value})
    return query


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
    kind, _, number = request.query_params.get("task", "").partition("-")
    if kind != "import" or not number.isdecimal() or len(number) > 17:
        return None
    task = queries.import_progress(int(number))
    if task is None:
        return None
    problem = task["problem"]
    shown = problem and {
        **problem,
        "detail": translated(str(problem["detail"])),
        "errors": translated_problems(problem.get("errors", ())),
    }
    return {**task, "number": int(number), "problem": shown}
