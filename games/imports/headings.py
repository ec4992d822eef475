"""The names of columns in the files of clubs: English, German, French and Spanish.

Headings are compared without case, accents and punctuation: `FIDE-ID`, `fide_id`, `Fide Id`. A
heading that has several meanings, such as `Nombre`, takes the first that no other column has.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from games.names import fold_name
from games.rules.text import Text

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
        "country", "federation", "fed", "nation", "nationality",
        "land", "foderation", "nationalitat", "pays", "nationalite",
        "pais", "federacion", "nacionalidad",
    ),
    "club": ("club", "team", "verein", "klub", "mannschaft", "equipe", "equipo"),
    "fide": (
        "fide", "fide id", "fide no", "fide number", "id fide", "fide nr", "fide nummer",
        "code fide", "numero fide",
    ),
    "seed_rating": (
        "seed rating", "rating", "elo", "wertung", "wertungszahl", "spielstarke",
        "classement", "classement elo", "puntuacion", "ranking",
    ),
    "birth_year": (
        "birth year", "year of birth", "born", "yob", "geburtsjahr", "jahrgang",
        "annee de naissance", "naissance", "ano de nacimiento", "nacimiento",
    ),
    "sex": ("sex", "gender", "geschlecht", "sexe", "genre", "sexo", "genero"),
    "category": ("category", "group", "kategorie", "altersklasse", "categorie", "categoria"),
}  # fmt: skip
"""By column of the importers: its names, folded."""

IGNORE = "ignore"
"""Written in `?columns=` for a column that is not imported."""

NOT_LETTERS = re.compile(r"[\W_]+")


def fold_heading(text: str) -> str:
    """Return a heading without case, accents and punctuation."""
    return " ".join(NOT_LETTERS.split(fold_name(text))).strip()


def recognise_headings(
    headings: Sequence[str], columns: Iterable[str], mapping: Mapping[str, str]
) -> list[str]:
    """Return the column of each heading, `ignore`, or an empty text where none is known.

    `mapping` has the columns of headings that the caller names, by their folded text.
    """
    valid = set(columns)
    folded = [fold_heading(heading) for heading in headings]
    found = [mapping.get(heading, "") for heading in folded]
    meanings = [
        [
            column
            for column, names in HEADINGS_OF_COLUMNS.items()
            if column in valid and heading in names
        ]
        for heading in folded
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
