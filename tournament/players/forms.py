"""What forms of players share: the details of a player, a search by name, a list of players.

Ids elsewhere are lines, each with an organisation and an id, as `fide:1503014`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from rest_framework import serializers
from rest_framework.request import Request

from games.core.errors import ApiError, NotFound, Unprocessable
from games.core.forms import (
    FormField,
    FormState,
    form_fields,
    rejected_form,
    typed_values,
    without_same_country,
)
from games.core.pages import PageView, redirect_done
from games.core.permissions import LoginNeeded
from games.core.requests import is_flag_set
from games.core.text import translated
from games.core.uploads.lists import InvalidLines, Table, add_chosen_players, read_table, split_list
from games.core.uploads.pages import (
    MOST_SHOWN_ROWS,
    WHICH_ENCODING,
    chosen_players,
    encoding_choice,
    query_of_form,
    sent_list,
)
from games.core.uploads.services import MAX_SYNC_SIZE
from games.models import Player
from games.names import sorted_words
from games.players.imports import REQUIRED
from games.players.matching import SEED_FIELDS
from games.players.queries import players_by_name, unmerged_players
from games.rules.text import Text

IDS: Final = "external_ids"
PLAYER_FIELDS: Final = ("name", "country", "club", "birth_year", "sex", *SEED_FIELDS, IDS)


def player_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a form; raises Unprocessable for a line of the ids that is none."""
    known = Player.objects.filter(pk=address.get("player_id", 0))
    body = without_same_country(content, known)
    return body | {IDS: _read_ids(str(content.get(IDS, "")))}


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
    differs: Sequence[str] = ()
    """The columns with other values than the player of the line has in the event."""
    is_wrong: bool = False

    gap: int = 0
    """The columns that the line lacks."""

    @property
    def needs_look(self) -> bool:
        """Return True if the line is wrong, or perhaps means somebody else or another value."""
        return self.is_wrong or bool(self.namesakes or self.differs) or self.twin is not None

    @staticmethod
    def is_twin(error: Mapping[str, Any]) -> bool:
        """Return True if the line may be another person with the same details."""
        return "same_as_line" in error

    def add(self, error: Mapping[str, Any], columns: Sequence[str]) -> None:
        """Add an error to the cell of its column, or to the line."""
        self.is_wrong = True
        column, detail = (
            error["pointer"].split("/")[2],
            translated(error["detail"].values["detail"]),
        )
        place = columns.index(column) if column in columns else len(self.cells)
        place = error["column"] - 1 if "column" in error else place
        if place < len(self.cells) and "candidates" not in error and not self.is_twin(error):
            self.cells[place][1].append(detail)
        else:
            self.problems.append({**error, "detail": detail})


@dataclass(frozen=True, slots=True)
class CheckedList:
    """A list with what is wrong in its lines, and what the others would do (`preview`).

    `entered` is how many lines were just entered, which are no longer in it, by a `task` if they
    are many.
    """

    table: Table
    lines: Sequence[ListLine]
    preview: Mapping[str, Any]
    entered: int | None = None
    task: Mapping[str, Any] | None = None

    @classmethod
    def of(
        cls,
        table: Table,
        errors: Sequence[Mapping[str, Any]] = (),
        preview: Mapping[str, Any] = NOTHING,
        effects: Mapping[str, str | Promise] = NOTHING,
    ) -> Self:
        """Return a list with its errors; `effects` says what the actions of the preview do."""
        width = len(table.headings)
        lines = {
            number: ListLine(
                number,
                [(value.strip(), []) for value in values[:width]],
                gap=max(0, width - len(values)),
            )
            for number, values in table.rows
        }
        _add_effects(lines, preview.get("rows", ()), effects)
        for error in errors:
            lines[error["line"]].add(error, table.columns)
        return cls(table, [*lines.values()], preview)

    @property
    def headings(self) -> Sequence[str]:
        """Return the headings of the columns."""
        return [heading.strip() for heading in self.table.headings]

    @property
    def counts(self) -> Mapping[str, int]:
        """Return how many lines have each effect; `entering` are those that enter somebody."""
        counts = Counter(line["action"] for line in self.preview.get("rows", ()))
        return {**counts, "entering": counts["created"] + counts["known"]}

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
        line.same_as, line.differs = effect.get("same_as_line"), effect.get("differs", ())
        line.twin = None if first == line.number or line.same_as else first


COLUMN_OF: Final = "column."
"""The field that says what a column is, by its place: `column.2`."""


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """A column of a list, with its place, its first values, and what it means or was chosen to."""

    place: int
    heading: str
    column: str
    sample: Sequence[str]


def _columns_of(request: Request) -> dict[str, str]:
    """Return the columns that were chosen, as the parameter of the import."""
    chosen = [
        f"#{place}:{column}"
        for name, column in request.POST.items()
        if name.startswith(COLUMN_OF)
        and (place := name.removeprefix(COLUMN_OF)).isdecimal()
        and column
    ]
    return {"columns": ",".join(chosen)} if chosen else {}


WAITING: Final = "waiting"
"""The parameter that puts on the waiting list for whom there is no place."""
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
    columns: Sequence[ColumnChoice] = ()
    """What the columns are, if the headings do not say it or it was chosen."""
    column_names: Sequence[str] = ()
    """The columns that a list may have."""
    encodings: Mapping[str, Any] | None = None
    """The choice of an encoding, if the list needs one."""

    def post_list(self, request: Request, **address: Any) -> HttpResponseBase:
        """Enter a list, or what is right in it, or preview it."""
        try:
            self.sent_text = sent_list(request)
            columns = _columns_of(request)
            self.query = columns | query_of_form(request, self.list_parameters)
            if chosen := chosen_players(request):
                self.sent_text = add_chosen_players(self.table(), self.sent_text, chosen)
            self.columns = self._choices() if columns else ()
            return self._answer(request, address)
        except ApiError as error:
            if isinstance(error, LoginNeeded | NotFound):
                raise
            self.encodings = encoding_choice(request, error)
            typed = typed_values(request)
            if error.code == "no_place_left" and self.list_parameters:
                # What the list would do with the waiting list, which the form then offers.
                self.query, typed = {**(self.query or {}), WAITING: "1"}, typed | {WAITING: "1"}
                self.checked = self._check(request, address)
            if self.encodings:
                error = Unprocessable(error.code, WHICH_ENCODING, at="/file")
            elif error.code == "wrong_columns":
                self.columns = self._choices()
                unknown = [choice.heading for choice in self.columns if not choice.column]
                error = Unprocessable(error.code, _wrong_headings(unknown), at="/file")
            text = request.POST.get("file", "").replace("\0", "\N{SYMBOL FOR NULL}")
            self.sent_text = self.sent_text or text
            self.form = replace(rejected_form(request, "import", error), typed=typed)
            return self.page(self.context(request, **address), status=error.status)

    def table(self) -> Table:
        """Return the list as a table, by the columns that were chosen."""
        named = (self.query or {}).get("columns", "")
        return read_table(self.sent_text, self.column_names, REQUIRED, named)

    def _choices(self) -> list[ColumnChoice]:
        """Return each column of the list, with what it means or was chosen to."""
        table = self.table()
        return [
            ColumnChoice(place + 1, heading.strip(), column, table.sample(place))
            for place, (heading, column) in enumerate(
                zip(table.headings, table.columns, strict=True)
            )
        ]

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
        right, self.sent_text = split_list(self.table(), self.sent_text, checked.wrong)
        content = self._enter(request, address, right)
        try:
            rest = self._check(request, address)
        except ApiError:  # such as no place left; the lines are still to be mended
            rest = CheckedList.of(self.table())
        self.checked = replace(rest, entered=checked.right, task=content.get("task"))
        return self.page(self.context(request, **address))

    def _entered(self, request: Request, address: Mapping[str, Any]) -> HttpResponseBase:
        """Enter the whole list, and return the page that says so."""
        content = self._enter(request, address, self.sent_text)
        self.checked = None
        if self.actions["import"].action.is_shown:
            return self.page(self.context(request, **address) | {"preview": content})
        return redirect_done(self.next_address(request, "import", content, **address))

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
        table = self.table()
        while True:
            if table.rows and len({error["line"] for error in errors}) == len(table.rows):
                return CheckedList.of(table, errors)
            right, _ = split_list(table, self.sent_text, {error["line"] for error in errors})
            try:
                preview = self._enter(request, address, right, dry_run=True)
            except InvalidLines as error:
                errors += error.of_lines
            else:
                return CheckedList.of(table, errors, preview, self.effects)
