"""What forms of players share: the details of a player, a search by name, a list of players.

Ids elsewhere are lines, each with an organisation and an id, as `fide:1503014`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from rest_framework import serializers
from rest_framework.request import Request

from games.core.errors import ApiError, NotFound, Unprocessable
from games.core.forms import FormField, FormState, form_fields, rejected_form, typed_values
from games.core.pages import PageView, redirect
from games.core.permissions import LoginNeeded
from games.core.requests import is_flag_set
from games.core.text import translated
from games.core.uploads.csv import (
    InvalidLines,
    fold_heading,
    parse_rows,
    read_heading,
    recognise_headings,
    split_list,
)
from games.core.uploads.pages import MOST_SHOWN_ROWS, query_of_form, sent_list
from games.core.uploads.services import MAX_SYNC_SIZE
from games.models import Player
from games.names import sorted_words
from games.players.matching import SEED_FIELDS
from games.players.queries import players_by_name, unmerged_players
from games.rules.text import Text

IDS: Final = "external_ids"
PLAYER_FIELDS: Final = ("name", "country", "club", "birth_year", "sex", *SEED_FIELDS, IDS)


def player_body(content: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a form; raises Unprocessable for a line of the ids that is none."""
    return content | {IDS: _read_ids(str(content.get(IDS, "")))}


def _read_ids(text: str) -> dict[str, str]:
    ids: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        scheme, colon, number = (part.strip() for part in line.partition(":"))
        if not (scheme and colon and number) or scheme in ids:
            detail = Text(
                "external_id is %(value)s; write the organisation and the id, as fide:1503014",
                value=f"{line[:60]!r}",
            )
            raise Unprocessable("wrong_external_id", detail, at=f"/{IDS}")
        ids[scheme] = number
    return ids


def player_fields(
    serializer: serializers.BaseSerializer, state: FormState, player: Player | None, *, action: str
) -> list[FormField]:
    """Return the controls of a player's details, empty for a new player."""
    values = {name: getattr(player, name) for name in PLAYER_FIELDS} if player else {IDS: {}}
    values[IDS] = "\n".join(f"{scheme}:{number}" for scheme, number in values[IDS].items())
    fields = form_fields(serializer, PLAYER_FIELDS, values=values, state=state, action=action)
    return list(fields.values())


MOST_FOUND = 20
"""Players that a search shows."""


def find_players(request: Request) -> list[Any]:
    """Return the players that a search by name means, or the one that was just registered."""
    number, name = request.query_params.get("id", ""), request.query_params.get("q", "").strip()
    if number.isascii() and number.isdigit() and len(number) < 18:
        return list(unmerged_players().filter(pk=int(number)))
    if not name or "\0" in name:
        return []
    return list(players_by_name(name).order_by("folded_name", "pk")[:MOST_FOUND])


NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(slots=True)
class ListLine:
    """A line of a list: its cells with what is wrong in each, and what it would do.

    `problems` are those of the whole line, or with candidates for its player. `namesakes` are
    registered players with the same name or one that looks like it, `twin` is an earlier line with
    this name, `same_as` one that means the same person.
    """

    number: int
    cells: list[tuple[str, list[str]]]
    problems: list[Mapping[str, Any]] = field(default_factory=list)
    effect: str = ""
    player: int | None = None
    namesakes: Sequence[Player] = ()
    twin: int | None = None
    same_as: int | None = None
    is_wrong: bool = False

    gap: int = 0
    """The columns that the line lacks."""

    @property
    def needs_look(self) -> bool:
        """Return True if the line is wrong, or perhaps means somebody else."""
        return self.is_wrong or bool(self.namesakes) or self.twin is not None

    def add(self, error: Mapping[str, Any], columns: Sequence[str]) -> None:
        """Add an error to the cell of its column, or to the line."""
        self.is_wrong = True
        column, detail = (
            error["pointer"].split("/")[2],
            translated(error["detail"].values["detail"]),
        )
        place = columns.index(column) if column in columns else len(self.cells)
        if place < len(self.cells) and "candidates" not in error:
            self.cells[place][1].append(detail)
        else:
            self.problems.append({**error, "detail": detail})


@dataclass(frozen=True, slots=True)
class CheckedList:
    """A list with what is wrong in its lines, and what the others would do (`preview`).

    `entered` is how many lines were just entered, which are no longer in it, by a `task` if they
    are many.
    """

    headings: Sequence[str]
    lines: Sequence[ListLine]
    preview: Mapping[str, Any]
    entered: int | None = None
    task: Mapping[str, Any] | None = None

    @classmethod
    def of(
        cls,
        text: str,
        errors: Sequence[Mapping[str, Any]] = (),
        preview: Mapping[str, Any] = NOTHING,
        effects: Mapping[str, str | Promise] = NOTHING,
    ) -> Self:
        """Return a list with its errors; `effects` says what the actions of the preview do."""
        plain, _, delimiter = read_heading(text)
        rows = [
            (number, [value.strip() for value in values])
            for number, values in parse_rows(plain, delimiter=delimiter)
            if any(value.strip() for value in values)
        ]
        headings = rows[0][1] if rows else []
        columns = [preview.get("columns", {}).get(heading, "") for heading in headings]
        lines = {
            number: ListLine(
                number, [(value, []) for value in row], gap=max(0, len(headings) - len(row))
            )
            for number, row in rows[1:]
        }
        _add_effects(lines, preview.get("lines", ()), effects)
        for error in errors:
            lines[error["line"]].add(error, columns)
        return cls(headings, [*lines.values()], preview)

    @property
    def wrong(self) -> list[int]:
        """Return the numbers of the lines that are wrong."""
        return [line.number for line in self.lines if line.is_wrong]

    @property
    def right(self) -> int:
        """Return how many lines can be entered."""
        return len(self.lines) - len(self.wrong)

    @property
    def shown(self) -> list[ListLine]:
        """Return the lines that a page shows: of a long list, those that need a look first."""
        if len(self.lines) <= MOST_SHOWN_ROWS:
            return [*self.lines]
        return sorted(self.lines, key=lambda line: not line.needs_look)[:MOST_SHOWN_ROWS]

    @property
    def left_out(self) -> int:
        """Return how many lines the page does not show."""
        return max(0, len(self.lines) - MOST_SHOWN_ROWS)


def _add_effects(
    lines: Mapping[int, ListLine],
    effects: Sequence[Mapping[str, Any]],
    words: Mapping[str, str | Promise],
) -> None:
    """Add what each line would do, and who has the same name or one that looks like it."""
    ids = {other["id"] for effect in effects for other in effect["look_alikes"]}
    players = Player.objects.in_bulk(ids)
    first_of_name: dict[str, int] = {}
    for effect in effects:
        line = lines[effect["line"]]
        line.effect, line.player = str(words[effect["action"]]), effect["player"]["id"]
        line.namesakes = [players[other["id"]] for other in effect["look_alikes"]]
        first = first_of_name.setdefault(sorted_words(effect["player"]["name"]), line.number)
        line.same_as = effect.get("same_as_line")
        line.twin = None if first == line.number or line.same_as else first


MOST_COLUMNS: Final = 40
COLUMN_OF: Final = "column."
"""The field that says what the column of a heading is, such as `column.Verein`."""


def _columns_of(request: Request) -> dict[str, str]:
    """Return the columns that were chosen for headings, as the parameter of the import."""
    chosen = [f"{heading}:{column}" for heading, column in _chosen_columns(request).items()]
    return {"columns": ",".join(chosen)} if chosen else {}


def _chosen_columns(request: Request) -> dict[str, str]:
    """Return the column that was chosen for each heading, by its folded text."""
    return {
        fold_heading(name.removeprefix(COLUMN_OF)): str(column)
        for name, column in request.POST.items()
        if name.startswith(COLUMN_OF) and column
    }


MOST_NAMED_HEADINGS: Final = 10


def _wrong_headings(unknown: Sequence[str]) -> Text:
    """Return what is wrong with the headings of a list: those that were not understood, if any."""
    if not any(name.strip() for name in unknown):
        return Text(
            "the first line must name the columns, each once, with the name of the player "
            "among them; choose below what each is"
        )
    return Text(
        "the first line must name the columns; not understood: %(headings)s; choose below what "
        "each is",
        headings=[
            Text("“%(heading)s”", heading=name.strip()[:40]) for name in unknown if name.strip()
        ][:MOST_NAMED_HEADINGS],
    )


class ListForm(PageView):
    """The form `import` of a list of players, shown as a table with what is wrong in its cells.

    The button `part` enters the lines that are right; the others stay in the form. `effects` says
    what the actions of the import do with a line.
    """

    effects: Mapping[str, str | Promise] = {}
    list_parameters: Sequence[str] = ()
    """Fields of the form that are parameters of the import."""
    sent_text = ""
    checked: CheckedList | None = None
    columns: Sequence[tuple[str, str]] = ()
    """The headings of a list, if they are not clear or were chosen, each with its column."""
    column_names: Sequence[str] = ()
    """The columns that a list may have."""

    def post_list(self, request: Request, **address: Any) -> HttpResponseBase:
        """Enter a list, or what is right in it, or preview it."""
        try:
            self.sent_text = sent_list(request)
            columns = _columns_of(request)
            self.query = columns | query_of_form(request, self.list_parameters)
            self.columns = self._recognised(request) if columns else ()
            return self._answer(request, address)
        except ApiError as error:
            if isinstance(error, LoginNeeded | NotFound):
                raise
            if error.code == "wrong_columns" and "valid" in error.extra:
                self.columns = self._recognised(request)
                detail = _wrong_headings([name for name, found in self.columns if not found])
                error = Unprocessable(error.code, detail, at="/file")
            typed = request.POST.get("file", "").replace("\0", "\N{SYMBOL FOR NULL}")
            self.sent_text = self.sent_text or typed
            self.form = rejected_form(request, "import", error)
            return self.page(self.context(request, **address), status=error.status)

    def _recognised(self, request: Request) -> list[tuple[str, str]]:
        """Return the headings of the list, each with the column that it means or was chosen to."""
        plain, _, delimiter = read_heading(self.sent_text)
        rows = (values for _, values in parse_rows(plain, delimiter=delimiter))
        headings = next((row for row in rows if any(map(str.strip, row))), [])[:MOST_COLUMNS]
        found = recognise_headings(headings, self.column_names, _chosen_columns(request))
        return [*zip(headings, found, strict=True)]

    def _answer(self, request: Request, address: Mapping[str, Any]) -> HttpResponseBase:
        is_part = "part" in request.POST
        if not is_part and not is_flag_set(request, "dry_run"):
            if len(self.sent_text.encode()) > MAX_SYNC_SIZE:  # a task could not show the list again
                self.checked = self._check(request, address)
            with suppress(InvalidLines):
                if not self.checked or not self.checked.wrong:
                    return self._entered(request, address)
        self.checked = checked = self.checked or self._check(request, address)
        self.form = FormState("import", typed_values(request))
        if not is_part or not checked.right:
            status = 422 if checked.wrong else 200
            return self.page(self.context(request, **address), status=status)
        right, self.sent_text = split_list(self.sent_text, checked.wrong)
        content = self._enter(request, address, right)
        try:
            rest = self._check(request, address)
        except ApiError:  # such as no place left; the lines are still to be mended
            rest = CheckedList.of(self.sent_text)
        self.checked = replace(rest, entered=checked.right, task=content.get("task"))
        return self.page(self.context(request, **address))

    def _entered(self, request: Request, address: Mapping[str, Any]) -> HttpResponseBase:
        """Enter the whole list, and return the page that says so."""
        content = self._enter(request, address, self.sent_text)
        self.checked = None
        if self.actions["import"].action.is_shown:
            return self.page(self.context(request, **address) | {"preview": content})
        return redirect(self.next_address(request, "import", content, **address))

    def _enter(
        self, request: Request, address: Mapping[str, Any], text: str, *, dry_run: bool = False
    ) -> Any:
        self.sent = text.encode() if text.strip() else None
        return self.perform(request, self.actions["import"], address, dry_run=dry_run)

    def _check(self, request: Request, address: Mapping[str, Any]) -> CheckedList:
        """Return what is wrong in each line, and what the others would do.

        A step of the import finds problems only in lines that passed the one before.
        """
        errors: list[Mapping[str, Any]] = []
        while True:
            right, _ = split_list(self.sent_text, {error["line"] for error in errors})
            try:
                preview = self._enter(request, address, right, dry_run=True)
            except InvalidLines as error:
                errors += error.of_lines
            else:
                return CheckedList.of(self.sent_text, errors, preview, self.effects)
