"""Lists of players as they are written: a table, its headings, and what stands beside it.

Read, each step with its own problems: the bytes of a file become text (`encodings`, or the first
sheet of a workbook), the text a table, whose headings name columns (`headings`), and the cells
values (`cells`). The headings are in the first line that names the required column; titles above,
sums and notes below, columns that are not known, and empty rows are left out, and listed.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any, Final

from games.core.errors import ApiError, BadRequest, Unprocessable
from games.core.uploads.cells import Column, is_no_number, rating_column
from games.core.uploads.csv import (
    DELIMITERS,
    LINE_END,
    SEPARATOR_LINE,
    list_text,
    parse_rows,
    read_heading,
    unescape_formula,
    write_csv,
)
from games.core.uploads.encodings import decode_text
from games.core.uploads.headings import (
    GIVEN_NAME,
    IDS,
    IGNORE,
    NAME,
    NUMBERED,
    RATING,
    SEVERAL,
    SOME_ID,
    fold_heading,
    is_perhaps_rating,
    organisations_of,
    parse_mapping,
    rating_order,
    recognise_headings,
)
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.workbook import is_workbook
from games.rules.text import Text, either

MAX_ROWS = 20_000
MAX_COLUMNS: Final = 200
MOST_LINES_ABOVE: Final = 30
"""Rows with a title, a date and the like, above the headings."""
MOST_SAMPLES: Final = 5
LONGEST_SAMPLE: Final = 40
LONGEST_NOTE: Final = 120
NOTHING: Final[Mapping[str, str]] = {}
NUMBER: Final = re.compile(r"[\d.,'’%\s/+-]+")
SUMS: Final = frozenset(
    {"anzahl", "average", "avg", "count", "durchschnitt", "gesamt", "insgesamt", "mean", "media"}
    | {"median", "mediana", "mediane", "mittelwert", "moyenne", "promedio", "schnitt", "sum"}
    | {"suma", "summe", "sums", "somma", "somme", "total", "totale", "totals"}
)
"""Words of a row below the lines of players."""
FOOTERS: Final = SUMS | {
    *("created", "erstellt", "gedruckt", "impreso", "imprime", "page", "participants", "players"),
    *("printed", "seite", "spieler", "stampato", "stand", "teilnehmer", "update"),
}
"""With a number, what stands below a list in a cell of names."""
OF_SUMS: Final = FOOTERS | {
    *("age", "alter", "de", "der", "des", "di", "dwz", "elo", "entries", "giocatori", "inscrits"),
    *("jahrgang", "joueurs", "jugadores", "members", "membres", "mitglieder", "of", "rating"),
    *("ratings", "rtg", "soci", "socios", "twz", "wertung", "year"),
}
"""What a sum in a cell of names consists of."""
SUM_SIGN: Final = re.compile(r"(?<!\w)[Ø∅Σ∑](?!\w)")
ADDRESSES: Final = ("http://", "https://", "www.", "swiss-manager", "chess-results")
MAX_LISTED_ERRORS = 100
Rows = list[tuple[int, dict[str, Any]]]
"""The lines of a file: line number, and converted values by column."""
NUMBER_BEHIND_COMMA: Final = re.compile(r",\s*[0-9]")
LEAST_USUAL_RATING: Final = 1000
MOST_USUAL_RATING: Final = 2900
COLUMN: Final = "player"
PLAYER_ID: Final = re.compile(r"[0-9]*|new", re.ASCII | re.IGNORECASE)


class InvalidLines(Unprocessable):
    """A file with wrong lines (422); the response lists the first errors, `of_lines` has all.

    `rows` are the lines that could be read.
    """

    of_lines: Sequence[Mapping[str, Any]] = ()
    rows: Rows = []


IN_BODY: Final = "in_body"
"""What says of a file, and of each of its rows, that they came as JSON."""
MEMBERS: Final = {"player": "player_id", "fide": "external_ids", "ids": "external_ids"}
"""The members of a row of JSON for the columns that have another name."""


@dataclass(slots=True)
class LineErrors:
    """The errors of a file, collected by line and raised together: a file is imported whole."""

    errors: list[dict[str, Any]] = field(default_factory=list)
    in_body: bool = False
    """Whether the lines are the rows of a body in JSON, to which the pointers lead then."""

    def add(
        self,
        line: int,
        column: str,
        detail: str,
        code: str = "invalid_line",
        *,
        heading: str = "",
        at: int = 0,
        **extra: Any,
    ) -> None:
        """Add an error; `column` is empty for an error of the whole line.

        The `heading` of its column in the file names it for the reader; `at` is its place.
        """
        member = MEMBERS.get(column, column)
        pointer = f"/rows/{line - 1}/{member}" if self.in_body else f"/{line}/{column}"
        named = heading.strip() or column
        if column and not self.in_body:
            detail = Text(
                "line %(line)s, %(column)s: %(detail)s", line=line, column=named, detail=detail
            )
        elif not self.in_body:
            detail = Text("line %(line)s: %(detail)s", line=line, detail=detail)
        error = {"code": code, "line": line, "pointer": pointer, "detail": detail}
        self.errors.append(error | extra | ({"column": at} if at else {}))

    def add_each(self, line: int, error: ApiError) -> None:
        """Add what is wrong in a line of which an action would raise this error."""
        for found in error.errors or [{"detail": error.detail, "code": error.code}]:
            self.add(line, "", found["detail"], found["code"])

    def raise_if_any(self) -> None:
        """Raise Unprocessable with the collected errors, if there are any."""
        if self.errors:
            detail = self.errors[0]["detail"]
            if len(self.errors) > 1:
                detail = Text("%(count)s errors; %(detail)s", count=len(self.errors), detail=detail)
            error = InvalidLines(
                "invalid_lines",
                Text("%(detail)s; nothing was imported", detail=detail),
                self.errors[:MAX_LISTED_ERRORS],
            )
            error.of_lines = self.errors
            raise error


@dataclass(frozen=True, slots=True)
class Table:
    """A list as it is written: its headings with their columns, its rows, and the lines beside.

    `columns` has the column of each heading, `ignore`, or an empty text for one that is not known.
    Rows and `notes` have the number of their first line; `delimiter` separates the cells. Each
    column of ids has one of the `organisations`, by its place.
    """

    headings: Sequence[str]
    columns: Sequence[str]
    line: int
    rows: Sequence[tuple[int, list[str]]]
    notes: Sequence[tuple[int, list[str]]]
    delimiter: str
    organisations: Mapping[int, str]

    @property
    def order(self) -> list[int]:
        """Return the places of the columns that are read, of several ratings the best first."""
        ratings = rating_order(self.headings, self.columns)
        others = [
            place
            for place, name in enumerate(self.columns)
            if name not in ("", IGNORE) and place not in ratings
        ]
        return others + ratings

    @property
    def least(self) -> int:
        """Return how many values a row must have: those up to the last heading."""
        return len(_trimmed(self.headings))

    @property
    def left_out(self) -> list[dict[str, Any]]:
        """Return the columns that are not known and have values, each with the first of them."""
        return [
            {"column": place + 1, "heading": heading.strip(), "sample": sample}
            for place, (heading, column) in enumerate(zip(self.headings, self.columns, strict=True))
            if not column and (sample := self.sample(place))
        ]

    @property
    def skipped(self) -> list[dict[str, Any]]:
        """Return the lines that are not part of the table."""
        return [
            {"line": line, "text": " ".join(filter(None, map(str.strip, values)))[:LONGEST_NOTE]}
            for line, values in self.notes[:MAX_LISTED_ERRORS]
        ]

    def sample(self, place: int) -> list[str]:
        """Return the first values of a column that differ."""
        cells = (values[place].strip() for _, values in self.rows if place < len(values))
        return [
            value[:LONGEST_SAMPLE]
            for value in islice(dict.fromkeys(filter(None, cells)), MOST_SAMPLES)
        ]


def read_table(
    text: str, columns: Collection[str], required: Sequence[str], named: str = ""
) -> Table:
    """Return a list as a table, of which `named` names columns (`parse_mapping`).

    Raises BadRequest where the text is not CSV, Unprocessable where the names are not columns.

    The headings are in the line that names most of the `columns`, at best a required one among
    them, of the first lines; where none names any, in the first that is not empty.
    """
    mapping = parse_mapping(named, columns)
    is_stated = SEPARATOR_LINE.match(text) is not None
    text, _, delimiter = read_heading(text)
    best, heading_line, has_one_heading = (False, 0), 0, False
    for other in (delimiter, *(DELIMITERS.replace(delimiter, "") if not is_stated else "")):
        for line, values in _first_rows(text, other):
            known = set(recognise_headings(_trimmed(values), columns, mapping)) - {"", IGNORE}
            score = (not known.isdisjoint(required), len(known))
            if score > best:
                best, heading_line, delimiter = score, line, other
                has_one_heading = len(values) == 1
    if has_one_heading and not is_stated:
        delimiter = _delimiter_below(text, heading_line)
    headings: list[str] = []
    recognised: list[str] = []
    rows: list[tuple[int, list[str]]] = []
    notes: list[tuple[int, list[str]]] = []
    for line, values in parse_rows(text, delimiter=delimiter):
        if not any(map(str.strip, values)):
            continue
        if headings:
            is_note = _is_note(values, headings, recognised, required)
            (notes if is_note else rows).append((line, values))
        elif line < heading_line:
            notes.append((line, values))
        else:
            heading_line, headings = line, values[:MAX_COLUMNS]
            if len(_trimmed(values)) > MAX_COLUMNS:
                detail = Text("a list has at most %(most)s columns", most=MAX_COLUMNS)
                raise Unprocessable("too_many_columns", detail)
            recognised = recognise_headings(headings, columns, mapping)
        if len(rows) > MAX_ROWS:
            detail = Text("a file has at most %(most)s lines", most=MAX_ROWS)
            raise Unprocessable("too_many_lines", detail)
    if COLUMN in recognised and NAME in columns and NAME not in recognised:
        place = recognised.index(COLUMN)
        cells = (values[place].strip() for _, values in rows if place < len(values))
        if not all(map(PLAYER_ID.fullmatch, cells)):  # an English list of players, not of ids
            recognised[place] = NAME
    if RATING in columns and RATING not in headings:  # our own list has ids under `fide`
        for place, heading in enumerate(headings):
            is_named = fold_heading(heading) in mapping or f"#{place + 1}" in mapping
            if is_perhaps_rating(heading) and not is_named and _has_ratings(rows, place):
                recognised[place] = RATING
    lengths = (len(_trimmed(values)) for _, values in rows)
    least = len(_trimmed(headings))
    width = max([least, *(length for length in lengths if length <= len(headings))])
    headings, recognised = headings[:width], recognised[:width]
    organisations = organisations_of(headings, recognised)
    return Table(headings, recognised, heading_line, rows, notes, delimiter, organisations)


def _has_ratings(rows: Sequence[tuple[int, list[str]]], place: int) -> bool:
    """Return True if all values of a column can be ratings, as 1873, and no ids, as 1503014."""
    cells = [values[place].strip() for _, values in rows if place < len(values)]
    return any(cells) and all(map(_is_usual_rating, cells))


def _is_usual_rating(cell: str) -> bool:
    try:
        rating = rating_column(cell)
    except ValueError:
        return False
    return not rating or LEAST_USUAL_RATING <= rating <= MOST_USUAL_RATING


def _delimiter_below(text: str, heading_line: int) -> str:
    """Return the delimiter of the lines below a single heading; a comma may belong to a name."""
    below = "\n".join(LINE_END.split(text)[heading_line:])
    others = DELIMITERS.replace(",", "")
    other = max(others, key=below.count)
    return "," if other not in below and NUMBER_BEHIND_COMMA.search(below) else other


def _first_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows among which the headings are, as far as they are CSV."""
    with suppress(BadRequest):
        for line, values in islice(parse_rows(text, delimiter=delimiter), MOST_LINES_ABOVE + 1):
            if len(values) <= MAX_COLUMNS:
                yield line, values


def _trimmed(values: Sequence[str]) -> list[str]:
    """Return a row without its empty values at the end."""
    filled = [place for place, value in enumerate(values) if value.strip()]
    return [*values[: filled[-1] + 1]] if filled else []


def _is_note(
    values: Sequence[str], headings: Sequence[str], columns: Sequence[str], required: Sequence[str]
) -> bool:
    """Return True for a row that is no line of the table.

    Such as the headings again, a sum, or a text without the name of a player.
    """
    filled = [value.strip() for value in values if value.strip()]
    words = [fold_heading(value) for value in filled if not NUMBER.fullmatch(value)]
    if _trimmed(values) == _trimmed(headings) or (len(words) == 1 and words[0] in SUMS):
        return True
    if _is_sum(values, columns):
        return True
    if len(headings) == 1:
        return False
    if len(filled) == 1:
        has_number = any(map(str.isdigit, filled[0]))
        is_sum = has_number and not FOOTERS.isdisjoint(" ".join(words).split())
        if is_sum or any(part in filled[0].casefold() for part in ADDRESSES):
            return True
    said = {column for value, column in zip(values, columns, strict=False) if value.strip()}
    if not said.isdisjoint(required):
        return False
    is_beside = len(filled) == 1 and said <= {"", IGNORE, NUMBERED, RATING}
    return is_beside or not SUMS.isdisjoint(words)


def _is_sum(values: Sequence[str], columns: Sequence[str]) -> bool:
    """Return True for a row whose name is that of a sum, as `Average rating`, without any id."""
    said = {column: value for value, column in zip(values, columns, strict=False) if value.strip()}
    whole = NAME if NAME in columns else COLUMN
    if not {"fide", IDS, COLUMN}.isdisjoint(said.keys() - {whole}):
        return False
    name = f"{said.get(whole, '')} {said.get(GIVEN_NAME, '')}"
    words = fold_heading(SUM_SIGN.sub(" sum ", name)).split()
    is_of_sums = all(word in OF_SUMS or word.isdecimal() for word in words)
    return is_of_sums and not SUMS.isdisjoint(words)


def split_list(table: Table, text: str, wrong: Collection[int]) -> tuple[str, str]:
    """Return a list without the rows that begin in these lines, and the heading with only those.

    The other rows of the first one keep their numbers.
    """
    lines = LINE_END.split(text)
    starts = sorted([table.line, *(line for line, _ in (*table.rows, *table.notes))])
    right, rest = [*lines], []
    for line, following in pairwise([*starts, len(lines) + 1]):
        written = lines[line - 1 : following - 1]
        if line <= table.line or line in wrong:
            rest += written
        if line in wrong:
            right[line - 1 : following - 1] = [""] * len(written)
    first = starts[0] if starts else 1
    return "\n".join(right), "\n".join([*lines[: first - 1], *rest]).rstrip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The rows of a file, the column of each of its headings, and what is left out."""

    rows: Rows
    columns: dict[str, str]
    left_out: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return what an import says about the file."""
        return {
            "columns": self.columns,
            "left_out": self.left_out,
            "skipped": self.skipped,
        }


def read_rows(
    content: bytes,
    columns: Mapping[str, Column],
    required: tuple[str, ...],
    progress: Progress = no_progress,
    *,
    parameters: Mapping[str, str] = NOTHING,
) -> CsvFile:
    """Read a file with its rows' line numbers and converted values by column.

    The headings and each line must have at least one of the `required` columns. Of the parameters
    of the import, `columns` (`Verein:club`) names the columns of headings that are not known, and
    `encoding` that of a file which is not UTF-8. Raises BadRequest for a file that is not CSV,
    Unprocessable for wrong headings, or with the errors of all lines.
    """
    encoding = parameters.get("encoding", "")
    text = list_text(content, lambda content: decode_text(content, encoding))
    table = read_table(text, columns, required, parameters.get("columns", ""))
    _check_headings(table, [*columns], required)
    rows: Rows = []
    errors = LineErrors()
    last = table.rows[-1][0] if table.rows else 1
    for line, values in table.rows:
        progress(Text("reading lines"), line, last)
        if (row := _read_row(table, line, values, columns, required, errors)) is not None:
            rows.append((line, row))
    try:
        errors.raise_if_any()
    except InvalidLines as error:
        error.rows = rows
        raise
    if not rows:
        raise _no_lines(table, content)
    named = {
        heading: column or IGNORE
        for heading, column in zip(table.headings, table.columns, strict=True)
    }
    return CsvFile(rows, named, table.left_out, table.skipped)


def _no_lines(table: Table, content: bytes) -> Unprocessable:
    """Return the error of a list that has headings only."""
    detail = Text(
        "there is no line with a player below the headings (line %(line)s)", line=table.line
    )
    if is_workbook(content):
        detail = Text(
            "%(detail)s; a formula has a value only after a program has computed and saved it",
            detail=detail,
        )
    return Unprocessable("no_lines", detail)


def _check_headings(table: Table, columns: Sequence[str], required: Sequence[str]) -> None:
    """Raise Unprocessable where the required columns are missing, or one is named twice."""
    if not table.headings:
        raise Unprocessable("no_lines", Text("the file is empty"))
    named = [column for column in table.columns if column not in ("", IGNORE)]
    twice = [
        column for column, count in Counter(named).items() if count > 1 and column not in SEVERAL
    ]
    if set(required) & set(named) and not twice:
        return
    how = Text(
        "?columns=Heading:column names the column of a heading, %(ignore)s leaves it out; the "
        "columns are %(columns)s",
        ignore=IGNORE,
        columns=", ".join(columns),
    )
    if twice:
        detail = Text(
            "line %(line)s must name each column once; %(headings)s mean %(column)s; %(how)s",
            line=table.line,
            headings=[
                Text("“%(heading)s”", heading=heading.strip()[:40])
                for heading, column in zip(table.headings, table.columns, strict=True)
                if column == twice[0]
            ],
            column=twice[0],
            how=how,
        )
    else:
        detail = Text(
            "a line must name the columns, with %(required)s among them; the first one is "
            "%(line)s; %(how)s",
            required=either([*required]),
            line=f"{table.delimiter.join(_trimmed(table.headings))[:80]!r}",
            how=how,
        )
    raise Unprocessable("wrong_columns", detail, valid=[*columns], parameter="columns")


def _read_row(
    table: Table,
    line: int,
    values: list[str],
    columns: Mapping[str, Column],
    required: Sequence[str],
    errors: LineErrors,
) -> dict[str, Any] | None:
    """Return the converted values of a row by column; None if it has another number of them."""
    missing = len(table.headings) - len(values)
    cells = [*values[: len(table.headings)], *[""] * missing]
    written = table.delimiter.join(values)
    for place, extra in enumerate(values[len(table.headings) :], start=len(table.headings) + 1):
        if extra.strip():
            detail = Text(
                "%(word)s in column %(column)s has no heading: %(line)s",
                word=f"{extra.strip()[:40]!r}",
                column=place,
                line=f"{written[:80]!r}",
            )
            errors.add(line, "", detail)
            return None
    if len(values) < table.least:
        detail = Text(
            "%(expected)s values are expected, %(found)s found: %(line)s",
            expected=table.least,
            found=len(values),
            line=f"{written[:80]!r}",
        )
        other = max(DELIMITERS.replace(table.delimiter, ""), key=written.count)
        if other in written:
            detail = Text(
                "%(detail)s; the headings are separated by %(one)s, this line by %(other)s",
                detail=detail,
                one=f"{table.delimiter!r}",
                other=f"{other!r}",
            )
        errors.add(line, "", detail)
        return None
    row: dict[str, Any] = {}
    for place in table.order:
        name = table.columns[place]
        cell = cells[place].strip()
        organisation = table.organisations.get(place, SOME_ID)
        if organisation != SOME_ID and not is_no_number(cell) and ":" not in cell:
            cell = f"{organisation}:{unescape_formula(cell)}"
        try:
            value = columns[name](cell)
            if name == IDS:
                value = _joined_ids(row.get(name) or {}, value)
        except ValueError as error:
            errors.add(line, name, str(error), heading=table.headings[place], at=place + 1)
            continue
        if name == IDS or not row.get(name):  # of several ratings, the first one that has a value
            row[name] = row.get(name) if value is None else value
    own = [place for place in table.order if table.columns[place] in required]
    if not any(cells[place].strip() for place in own):
        names = [table.headings[place].strip() for place in own]
        detail = Text("%(column)s must have a value", column=either(names))
        errors.add(line, table.columns[own[0]], detail, at=own[0] + 1)
    return row


def _joined_ids(ids: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Return the ids of several cells of a line; raises ValueError where they differ."""
    for organisation, number in more.items():
        if ids.get(organisation, number) != number:
            detail = Text(
                "%(number)s and %(other)s are two ids of %(organisation)s",
                number=ids[organisation],
                other=number,
                organisation=organisation,
            )
            raise ValueError(detail)
    return {**ids, **more}


def add_chosen_players(table: Table, text: str, chosen: Mapping[int, str]) -> str:
    """Return a list whose column `player` names the players of these lines: an id, or `new`.

    The column is added if the list has none.
    """
    text, _, _ = read_heading(text)
    rows = []
    width = len(table.headings)
    index = table.columns.index(COLUMN) if COLUMN in table.columns else width
    for line, values in parse_rows(text, delimiter=table.delimiter):
        row = values if any(map(str.strip, values[width:])) else values[:width]
        row += [""] * (width - len(row) if len(row) >= table.least else 0)
        if line == table.line:
            rows.append(row if index < width else [*row, COLUMN])
        elif line < table.line or not any(map(str.strip, row)):
            rows.append(row)
        else:
            value = chosen.get(line, row[index] if index < len(row) else "")
            rows.append([*row[:index], value, *row[index + 1 :]])
    return write_csv(rows, delimiter=table.delimiter)
