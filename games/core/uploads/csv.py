"""CSV, read and written: the only module that knows its dialects, its encodings and its formulas.

Read: commas, semicolons or tabs, or what a first line `sep=;` names; UTF-8 with or without a byte
order mark, UTF-16, else Windows-1252, else latin-1; LF, CRLF or CR; or the first sheet of a
workbook. The first row that is not empty names the columns, in English, German, French or Spanish;
unnamed columns at the end and empty rows, as spreadsheets write them, are ignored. A column
converts a value, or raises ValueError with what is wrong.

Write: UTF-8, commas, LF, quotes only where needed.
"""

import codecs
import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from games.core.errors import BadRequest, Unprocessable
from games.core.places import find_country
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.workbook import UnreadableWorkbook, is_workbook, read_workbook
from games.names import clean_name, fold_name
from games.rules.ratings import parse_rating
from games.rules.text import Text, either

HEADINGS_OF_COLUMNS: Mapping[str, Sequence[str]] = {
    "player": ("player", "player id", "id", "spieler id", "id joueur", "id jugador"),
    "name": (
        "name", "player name", "full name", "surname", "last name", "family name",
        "nachname", "spieler", "spielername", "teilnehmer", "familienname",
        "nom", "nom de famille", "joueur", "nom du joueur", "nom et prenom",
        "apellidos", "apellido", "jugador", "nombre y apellidos", "apellidos y nombre", "nombre",
    ),
    "given_name": (
        "given name", "first name", "vorname", "prenom", "nombre de pila", "nombres", "nombre",
    ),
    "country": (
        "country", "federation", "fed", "fede", "nation", "nationality",
        "land", "verband", "foderation", "nationalitat", "pays", "nationalite",
        "pais", "federacion", "nacionalidad",
    ),
    "club": ("club", "team", "verein", "klub", "mannschaft", "equipe", "equipo"),
    "fide": (
        "fide", "fide id", "fide no", "fide number", "id fide", "fide nr", "fide nummer",
        "code fide", "numero fide",
    ),
    "seed_rating": (
        "seed rating", "rating", "rtg", "elo", "wertung", "wertungszahl", "spielstarke",
        "dwz", "twz", "classement", "classement elo", "puntuacion", "ranking",
    ),
    "seed_games": (
        "games", "rated games", "number of games", "partien", "gewertete partien", "parties",
        "parties classees", "partidas",
    ),
    "seed_reached_2400": (
        "reached 2400", "2400", "2400 erreicht", "2400 atteint", "2400 alcanzado",
    ),
    "birth_year": (
        "birth year", "year of birth", "born", "yob", "year", "birth date", "date of birth",
        "birthday", "geburtsjahr", "jahrgang", "jahr", "geb", "geburt", "geburtsdatum", "geb datum",
        "annee de naissance", "date de naissance", "ne le", "ne e le", "naissance", "annee",
        "fecha de nacimiento", "ano de nacimiento", "nacimiento", "ano",
    ),
    "sex": ("sex", "gender", "geschlecht", "sexe", "genre", "sexo", "genero"),
    "category": ("category", "group", "kategorie", "altersklasse", "categorie", "categoria"),
}  # fmt: skip
"""By column of the importers: its names besides its own, folded."""

IGNORE = "ignore"
"""Written in `?columns=` for a column that is not imported."""

NOT_LETTERS = re.compile(r"[\W_]+")

ENCODINGS = ("utf-8-sig", "cp1252", "latin-1")
MAX_ROWS = 20_000
MAX_LISTED_ERRORS = 100
FORMULA_PREFIXES = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r")
"""The characters that begin a formula in a spreadsheet, the first four also full-width."""
LINE_END = re.compile(r"\r\n|\r|\n")
SEPARATOR_LINE: Final = re.compile(
    r"\A\s*\"?sep=(\t|[^\s\w\"])\"?[\s;,]*?(?=[\r\n])", re.IGNORECASE
)
"""A first line that names the delimiter of the columns, as spreadsheets write it."""
Column = Callable[[str], Any]
"""Convert one value; raise ValueError with what is wrong."""
Rows = list[tuple[int, dict[str, Any]]]
"""The lines of a file: line number, and converted values by column."""
WHOLE_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
COLUMN: Final = "player"


def fold_heading(text: str) -> str:
    """Return a heading without case, accents and punctuation."""
    return " ".join(NOT_LETTERS.split(fold_name(text))).strip()


def recognise_headings(
    headings: Sequence[str], columns: Iterable[str], mapping: Mapping[str, str]
) -> list[str]:
    """Return the column of each heading, `ignore`, or an empty text where none is known.

    `mapping` has the columns of headings that the caller names, by their folded text.
    """
    known = {
        column: {fold_heading(column), *HEADINGS_OF_COLUMNS.get(column, ())} for column in columns
    }
    folded = [fold_heading(heading) for heading in headings]
    found = [mapping.get(heading, "") for heading in folded]
    meanings = [
        [column for column, names in known.items() if heading in names] for heading in folded
    ]
    for number in sorted(range(len(headings)), key=lambda number: len(meanings[number])):
        free = [column for column in meanings[number] if column not in found]
        found[number] = found[number] or next(iter(free or meanings[number]), "")
    return found


def parse_mapping(text: str, columns: Sequence[str]) -> dict[str, str]:
    """Return the columns by folded heading of `Verein:club,Telefon:ignore`; raises ValueError."""
    mapping = {}
    for part in filter(None, text.split(",")):
        heading, colon, column = part.rpartition(":")
        column = column.strip()
        if not colon or column not in (*columns, IGNORE):
            raise ValueError(
                Text(
                    "%(word)s is not a heading and a column, as Verein:club; the columns "
                    "are %(columns)s and %(ignore)s",
                    word=f"{part.strip()[:60]!r}",
                    columns=", ".join(columns),
                    ignore=IGNORE,
                )
            )
        mapping[fold_heading(heading)] = column
    return mapping


def escape_formula(text: str) -> str:
    """Return text that no spreadsheet runs: an apostrophe precedes a formula.

    Text that is already escaped gets another apostrophe, so `unescape_formula` is the inverse. A
    carriage return elsewhere becomes a space, because readers of CSV disagree about it.
    """
    escaped = f"'{text}" if _is_formula(text) else text
    return escaped.replace("\r", " ")


def unescape_formula(text: str) -> str:
    """Return what `escape_formula` escaped: `'=SUM(A1)` becomes `=SUM(A1)`."""
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _is_formula(text: str) -> bool:
    return text.lstrip("'").startswith(FORMULA_PREFIXES)


def write_csv(rows: Iterable[Sequence[object]], *, byte_order_mark: bool = False) -> str:
    """Return rows as CSV; escape text from users with `escape_formula` first."""
    output = io.StringIO()
    csv.writer(output, lineterminator="\n").writerows(rows)
    return ("\ufeff" if byte_order_mark else "") + output.getvalue()


def decode_text(content: bytes, encodings: Sequence[str] = ENCODINGS) -> str:
    """Decode a file with the first encoding that fits.

    Raises BadRequest, with the line, where no encoding fits and for a NUL byte.
    """
    failure: UnicodeDecodeError | None = None
    for encoding in (*_utf16_of(content), *encodings):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            failure = failure or error
            continue
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise _unreadable("nul_byte", line, Text("a NUL byte; the file is not text"))
        return text
    assert failure is not None, "at least one encoding is given"
    line = content.count(b"\n", 0, failure.start) + 1
    name = failure.encoding.upper()
    raise _unreadable(
        "not_utf8",
        line,
        Text("not %(encoding)s (byte %(byte)s of the file)", encoding=name, byte=failure.start + 1),
    )


def _utf16_of(content: bytes) -> Sequence[str]:
    """Return UTF-16 if a file begins with its mark, or with characters of two bytes without one."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ("utf-16",)
    if len(content) % 2 == 0 and 0 not in content[:4:2] and content[1:4:2] == b"\0\0":
        return ("utf-16-le",)
    if len(content) % 2 == 0 and 0 not in content[1:4:2] and content[:4:2] == b"\0\0":
        return ("utf-16-be",)
    return ()


def list_text(content: bytes, encodings: Sequence[str] = ENCODINGS) -> str:
    """Return the text of a list: that of the file, or the first sheet of a workbook as CSV.

    The line of an error is then the row of the sheet. Raises BadRequest.
    """
    if not is_workbook(content):
        return decode_text(content, encodings)
    try:
        rows = read_workbook(content)
    except UnreadableWorkbook as error:
        detail = Text(
            "the workbook cannot be read: it is damaged, protected by a password or too large; "
            "save the sheet as CSV"
        )
        raise BadRequest("unreadable_workbook", detail) from error
    return write_csv([[" ".join(value.split()) for value in row] for row in rows])


def read_heading(text: str) -> tuple[str, str, str]:
    """Return a list, its first line that is not empty, and the delimiter of its columns.

    The first line names the columns. One before it that names the delimiter, as spreadsheets read
    it (`sep=;`), becomes empty, so that the others keep their numbers.
    """
    separator = SEPARATOR_LINE.match(text)
    text = text[separator.end() :] if separator else text
    first_line = next((line for line in LINE_END.split(text) if line.strip()), "")
    delimiter = separator[1] if separator else max(",;\t", key=first_line.count)
    return text, first_line, delimiter


def parse_rows(text: str, *, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a text, each with the number of its first line, counted from 1.

    Raises BadRequest, with the line, where the text is not CSV.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            yield line, values
            line = reader.line_num + 1
    except csv.Error as error:
        raise _unreadable(
            "unreadable_csv", line, Text("not CSV: %(reason)s", reason=error)
        ) from error


def _unreadable(code: str, line: int, detail: str) -> BadRequest:
    error = {"code": code, "line": line, "detail": detail}
    return BadRequest(code, Text("line %(line)s: %(detail)s", line=line, detail=detail), [error])


class InvalidLines(Unprocessable):
    """A file with wrong lines (422); the response lists the first errors, `of_lines` has all."""

    of_lines: Sequence[Mapping[str, Any]] = ()


@dataclass(slots=True)
class LineErrors:
    """The errors of a file, collected by line and raised together: a file is imported whole."""

    errors: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self, line: int, column: str, detail: str, code: str = "invalid_line", **extra: Any
    ) -> None:
        """Add an error; `column` is empty for an error of the whole line."""
        pointer = f"/{line}/{column}"
        error = {
            "code": code,
            "line": line,
            "pointer": pointer,
            "detail": Text(
                "line %(line)s, %(column)s: %(detail)s", line=line, column=column, detail=detail
            )
            if column
            else Text("line %(line)s: %(detail)s", line=line, detail=detail),
        }
        self.errors.append(error | extra)

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


def split_list(text: str, wrong: Collection[int]) -> tuple[str, str]:
    """Return a list without the rows that begin in these lines, and the heading with only those.

    The other rows of the first one keep their numbers. Raises BadRequest where the text is not CSV.
    """
    plain, _, delimiter = read_heading(text)
    rows = [*parse_rows(plain, delimiter=delimiter)]
    lines = LINE_END.split(text)
    right: list[str] = []
    rest: list[str] = []
    has_heading = False
    for (line, values), (following, _) in pairwise([*rows, (len(lines) + 1, [])]):
        written = lines[line - 1 : following - 1]
        is_heading = not has_heading
        has_heading = has_heading or any(value.strip() for value in values)
        if is_heading or line in wrong:
            rest += written
        right += [""] * len(written) if line in wrong else written
    return "\n".join(right), "\n".join(rest).rstrip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class CsvFile:
    """The rows of a file, and the column that was recognised for each of its headings."""

    rows: Rows
    columns: dict[str, str]


def read_rows(
    content: bytes,
    columns: Mapping[str, Column],
    required: tuple[str, ...],
    progress: Progress = no_progress,
    *,
    mapping: str = "",
) -> CsvFile:
    """Read a file with its rows' line numbers and converted values by column.

    The header and each line must have at least one of the `required` columns; `mapping`
    (`Verein:club`) names the columns of headings that are not known. Raises BadRequest for a file
    that is not CSV, Unprocessable for a wrong header or mapping, or with the errors of all lines.
    """
    text, first_line, delimiter = read_heading(list_text(content))
    line_count = max(1, len(LINE_END.findall(text)))
    parsed = parse_rows(text, delimiter=delimiter)
    headings: list[str] = next((row for _, row in parsed if any(map(str.strip, row))), [])
    while headings and not headings[-1].strip():
        headings.pop()
    header = _parse_header(headings, first_line, columns, required, mapping)
    own_headings = [
        heading.strip() for heading, name in zip(headings, header, strict=True) if name in required
    ]
    rows: Rows = []
    errors = LineErrors()
    for line, values in parsed:
        progress(Text("reading lines"), min(line, line_count), line_count)
        if not any(value.strip() for value in values):
            continue
        if len(rows) >= MAX_ROWS:
            raise Unprocessable(
                "too_many_lines", Text("a file has at most %(most)s lines", most=MAX_ROWS)
            )
        while len(values) > len(header) and not values[-1].strip():
            values.pop()
        if len(values) != len(header):
            errors.add(
                line,
                "",
                Text(
                    "%(expected)s values are expected, %(found)s found",
                    expected=len(header),
                    found=len(values),
                ),
            )
            continue
        row = {}
        named = dict(zip(header, map(str.strip, values), strict=True))
        if not any(named.get(name) for name in required):
            errors.add(
                line,
                required[0],
                Text("%(column)s must have a value", column=either(own_headings)),
            )
        for name, value in named.items():
            if name == IGNORE:
                continue
            try:
                row[name] = columns[name](value)
            except ValueError as error:
                errors.add(line, name, str(error))
        rows.append((line, row))
    errors.raise_if_any()
    return CsvFile(rows, dict(zip(headings, header, strict=True)))


def _parse_header(
    headings: Sequence[str],
    first_line: str,
    columns: Mapping[str, Column],
    required: tuple[str, ...],
    mapping: str,
) -> list[str]:
    try:
        by_heading = parse_mapping(mapping, list(columns))
    except ValueError as error:
        raise Unprocessable("wrong_columns", str(error), at="/columns") from error
    header = recognise_headings(headings, columns, by_heading)
    unknown = [heading for heading, name in zip(headings, header, strict=True) if not name]
    named = [name for name in header if name != IGNORE]
    if unknown or len(set(named)) != len(named) or not set(required) & set(named):
        listed = Text("; unknown: %(names)s", names=", ".join(unknown)[:80]) if unknown else ""
        raise Unprocessable(
            "wrong_columns",
            Text(
                "the first line must name columns out of %(columns)s, each once, with "
                "%(required)s among them; it is %(line)s%(detail)s; "
                "?columns=Heading:column names the column of a heading, or %(ignore)s",
                columns=", ".join(columns),
                required=either([*required]),
                line=f"{first_line.strip()[:80]!r}",
                detail=listed,
                ignore=IGNORE,
            ),
            valid=list(columns),
        )
    return header


def text_column(max_length: int) -> Column:
    """Return a column of names, as `clean_name` stores them."""

    def convert(value: str) -> str:
        text = clean_name(unescape_formula(value))
        if len(text) > max_length:
            raise ValueError(Text("at most %(most)s characters", most=max_length))
        return text

    return convert


def integer_column(maximum: int) -> Column:
    """Return a column of whole numbers from 0 to `maximum`; an empty value is None."""

    def convert(value: str) -> int | None:
        if not value:
            return None
        if not WHOLE_NUMBER.fullmatch(value) or int(value) > maximum:
            raise ValueError(
                Text(
                    "%(word)s is not a whole number from 0 to %(most)s",
                    word=f"{value[:20]!r}",
                    most=maximum,
                )
            )
        return int(value)

    return convert


def rating_column(value: str) -> int | None:
    """Convert a rating to whole points; 0 is no rating, an empty value is None."""
    return parse_rating(value) if value else None


ANSWERS: Final = {
    "": False, "no": False, "nein": False, "non": False, "false": False, "0": False,
    "yes": True, "ja": True, "oui": True, "si": True, "true": True, "1": True,
}  # fmt: skip


def answer_column(value: str) -> bool:
    """Convert yes or no; an empty value is no."""
    answer = ANSWERS.get(fold_name(value))
    if answer is None:
        raise ValueError(Text("%(word)s is neither yes nor no", word=f"{value[:20]!r}"))
    return answer


def country_column(value: str) -> str:
    """Convert a country: its code, as FIDE or ISO writes it, or its name."""
    if not value:
        return ""
    try:
        return find_country(value)
    except LookupError as error:
        detail = Text(
            "%(word)s is no country; write its name or its three-letter code",
            word=f"{value[:40]!r}",
        )
        raise ValueError(detail) from error


def add_chosen_players(text: str, chosen: Mapping[int, str]) -> str:
    """Return a file whose column `player` names the players of these lines: an id, or `new`.

    The first line that is not empty names the columns; the column is added if the file has none.
    Raises BadRequest where the text is not CSV.
    """
    text, _, delimiter = read_heading(text)
    output = io.StringIO()
    writer = csv.writer(output, delimiter=delimiter, lineterminator="\n")
    header: list[str] | None = None
    for line, row in parse_rows(text, delimiter=delimiter):
        if not any(value.strip() for value in row):
            writer.writerow([])
        elif header is None:
            header = [value.strip().lower() for value in row]
            writer.writerow(row if COLUMN in header else [*row, COLUMN])
        elif COLUMN in header:
            index = header.index(COLUMN)
            value = chosen.get(line, row[index] if index < len(row) else "")
            writer.writerow([*row[:index], value, *row[index + 1 :]])
        else:
            writer.writerow([*row, chosen.get(line, "")])
    return output.getvalue()


def add_chosen_seats(text: str, chosen: Mapping[tuple[int, str], int | str]) -> str:
    """Return a file of records with tags that name players: an id, or `new`.

    The key is the first line of a record, counted from 1, and the tag of a seat: the player of
    `(10, "First")` becomes the tag `FirstId` in front of line 10.
    """
    lines = text.split("\n")
    for (line, seat), player in sorted(chosen.items(), reverse=True):
        if 0 < line <= len(lines):
            lines.insert(line - 1, f'[{seat}Id "{player}"]')
    return "\n".join(lines)
