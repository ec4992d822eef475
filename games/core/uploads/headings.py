"""The headings of lists, as people and programs write them, and the column that each means.

Chess-results, Swiss-Manager, SwissChess, Swiss Perfect, Vega, OpenGotha, and spreadsheets of clubs
in English, German, French, Spanish, Italian and a few words of others. Some headings are several
kinds of one column: the family name or the full one, a rating of FIDE or of the country. A column
of names takes one of them, a column of ratings the first that has a value in a line.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from games.core.errors import invalid_parameter
from games.names import EXTERNAL_SCHEME, fold_name
from games.rules.text import Text

GIVEN_NAME, RATING, NAME, IDS, NUMBERED = "given_name", "seed_rating", "name", "ids", "number"
SEVERAL: Final = (RATING, IDS, NUMBERED)
"""Columns that several headings of a list may mean."""
SOME_ID: Final = "national"
"""The organisation of an id if its list does not name it."""
LONGEST_ORGANISATION: Final = 16
FAMILY_NAME, FULL_NAME = "family name", "full name"
FIDE_RATING, NATIONAL_RATING = "rating of FIDE", "rating of a country"

HEADINGS: Final[Mapping[str, Sequence[str]]] = {
    "player": (
        "player id", "spieler id", "id joueur", "id jugador",
    ),
    NAME: (
        "name", "names", "player", "player name", "player s name", "participant", "competitor",
        "spieler", "spielerin", "spielername", "teilnehmer", "teilnehmerin", "teilnehmername",
        "nom", "joueur", "nom du joueur", "participante", "nombre", "jugador", "giocatore", "nome",
        "jogador", "naam", "navn", "namn", "zawodnik", "zawodniczka", "speler",
    ),
    FULL_NAME: (
        "full name", "fullname", "nom complet", "nombre completo", "nominativo", "nome completo",
        "volledige naam", "vor und nachname", "vor und zuname",
    ),
    FAMILY_NAME: (
        "surname", "last name", "lastname", "last", "family name", "familyname", "nachname",
        "familienname", "zuname", "nom de famille", "apellidos", "apellido", "primer apellido",
        "cognome", "apelido", "sobrenome", "achternaam", "nazwisko",
    ),
    GIVEN_NAME: (
        "given name", "given names", "first name", "firstname", "first", "forename",
        "christian name", "forenames", "prename", "vorname", "rufname", "prenom", "nombre de pila",
        "nombres", "nome proprio", "voornaam", "imie",
    ),
    "country": (
        "country", "federation", "fed", "feder", "fide federation", "fide fed", "nation",
        "nationality", "nat", "nationaliteit", "country code", "naz", "land", "staat", "verband",
        "foderation", "nationalitat", "pays", "fede", "nationalite", "pais", "federacion",
        "nacionalidad", "nazione", "federazione", "nazionalita", "paese", "federacao", "kraj", "co",
        "federacja",
    ),
    "club": (
        "club", "clubs", "club city", "club name", "club team", "team", "verein", "verein ort",
        "vereinsname", "vereinname", "verein mannschaft", "clubname", "klub", "mannschaft",
        "club ville", "equipe", "club ciudad", "equipo", "circolo", "circolo citta", "societa",
        "club citta", "squadra", "clube", "clube cidade", "vereniging", "vereniging stad",
        "klub miasto", "chess club", "schachclub", "schachverein",
    ),
    "fide": (
        "fide", "fide id", "fideid", "id fide", "idfide", "fide no", "fide nr", "fideno",
        "fide number", "fide code", "fidecode", "codfide", "cod fide", "code fide", "codice fide",
        "codigo fide", "fide nummer", "fide kennung", "fide id number", "fidekenn", "fide kenn",
        "numero fide", "n fide", "matricule fide", "no fide", "fide id no", "intl id", "nr fide",
    ),
    IDS: (
        "ids elsewhere", "national id", "nat id", "natid", "id nat", "idnat", "id national",
        "id no nat", "ident number", "identnr", "ident", "ident nr", "ident no", "id no", "id nr",
        "matricule", "stamnummer", "id number", "lizenz", "lizenznummer", "lizenz nr", "idn", "pkz",
        "mgl nr", "mitgliedsnummer", "zps", "mitgliedsnr", "ecf", "ecf code", "ecf id", "idno",
        "bondsnummer", "ecf no", "uscf", "uscf id", "us chess id", "member id", "membership no",
        "member number", "membership number", "member no", "licence", "license", "licencia",
        "numero de licence", "n licence", "nrffe", "code ffe", "id ffe", "n ffe", "ffe id",
        "loc id", "local id", "tessera", "n tessera", "tessera fsi", "id fsi", "idfsi", "feda",
        "id feda", "knsb", "relatienummer", "icu", "icu id", "egf pin", "pin", "aga id", "aga",
        "ffg", "ffglic", "ffglicence", "ffg licence", "agaid", "egfpin",
    ),
    RATING: (
        "rating", "rtg", "rtng", "rat", "tournament rating", "wertung", "wertungszahl",
        "spielstarke", "rg", "twz", "puntuacion", "punteggio elo",
    ),
    FIDE_RATING: (
        "elo", "elos", "elof", "elo f", "rtg fide", "irtg", "rating int", "rtgi", "rtg i",
        "rtg int", "rtg intl", "intl rtg", "int rtg", "eloi", "elo i", "elo int", "elo internat",
        "international rating", "elo fide", "elofide", "fide elo", "fide rating", "fide rtg",
        "rating fide", "classement elo", "srtng", "std rating", "rating std", "standard rating",
        "fide standard", "elo standard", "std", "fide std",
    ),
    NATIONAL_RATING: (
        "dwz", "nwz", "nrtg", "rating nat", "rtgn", "rtg n", "rtg nat", "nat rtg", "rtg national",
        "elon", "elo n", "elo nat", "elonat", "elo nacional", "elo nac", "elo nazionale",
        "elo national", "national rating", "nat rating", "local rating", "loc rtg", "ecf rating",
        "uscf rating", "elo feda", "elo ffe", "gor", "knsb rating", "rankkraj", "ranking krajowy",
    ),
    "seed_games": (
        "games", "rated games", "number of games", "partien", "gewertete partien", "parties",
        "parties classees", "partidas",
    ),
    "seed_reached_2400": (
        "reached 2400", "2400", "2400 erreicht", "2400 atteint", "2400 alcanzado",
    ),
    "birth_year": (
        "birth year", "birthyear", "year of birth", "birth", "born", "yob", "year", "birth date",
        "birthdate", "date of birth", "dob", "d o b", "birthday", "b day", "bdate", "geburtsjahr",
        "jahrgang", "jg", "jahr", "geb", "geburt", "geburtsdatum", "geburtstag", "geb datum",
        "geb jahr", "gebdat", "geb dat", "annee de naissance", "annee naissance",
        "date de naissance", "ne le", "ne e le", "ne", "ne e", "naissance", "naiss",
        "date naissance", "annee", "fecha de nacimiento", "fecha nacimiento", "fecha nac", "f nac",
        "fnac", "nac", "ano de nacimiento", "nacimiento", "ano", "nato", "nascita", "nato il",
        "data nascita", "data di nascita", "data nasc", "nasc", "anno nascita", "anno di nascita",
        "anno", "data de nascimento", "nascimento", "geboortedatum", "geboortejaar",
        "data urodzenia", "rok ur", "rok urodzenia", "data ur",
    ),
    "sex": (
        "sex", "gender", "m f", "m w", "f m", "w m", "geschlecht", "sexe", "genre", "sexo",
        "genero", "sesso", "genere", "geslacht", "plec", "geschl",
    ),
    "category": (
        "category", "cat", "categ", "group", "gr", "kategorie", "kat", "altersklasse", "ak",
        "gruppe", "categorie", "categoria", "grupo", "gruppo", "kategoria",
    ),
    NUMBERED: (
        "no", "n", "nr", "num", "sno", "snr", "s no", "start no", "start nr", "startnr",
        "starting number", "starting rank", "rank no", "start number", "startnummer", "tlnnr",
        "teilnehmer nr", "tln nr", "lfd nr", "numero", "no ini", "nri", "n ini", "nr ini", "pos",
        "seed", "bib", "lp",
    ),
}  # fmt: skip
"""By column of the importers, or kind of one: its names besides its own, folded."""

ORGANISATIONS: Final = (
    "ecf", "uscf", "ffe", "fsi", "feda", "knsb", "icu", "egf", "aga", "ffg", "zps",
)  # fmt: skip
"""Those that a heading of ids names, as `ECF code` and `NrFFE` do."""
OTHER_ORGANISATIONS: Final = {
    "us chess id": "uscf",
    "pin": "egf",
    "relatienummer": "knsb",
    "bondsnummer": "knsb",
    "pkz": "dsb",
}
"""Those that a heading does not name so."""

KINDS: Final[Mapping[str, Sequence[str]]] = {
    NAME: (FULL_NAME, NAME, FAMILY_NAME),
    RATING: (RATING, FIDE_RATING, NATIONAL_RATING),
}
"""The kinds of a column, the best first."""

PERHAPS_RATINGS: Final = {
    "fide": FIDE_RATING, "nat": NATIONAL_RATING, "ranking": RATING, "classement": RATING,
}  # fmt: skip
"""Headings of ids, countries and places that stand over ratings, too; the values tell."""

GIVEN_OR_WHOLE: Final = ("name", "nombre", "nome")
"""A whole name; the given one where another heading is the family name."""

BY_HEADING: Final = {heading: kind for kind, headings in HEADINGS.items() for heading in headings}

IGNORE: Final = "ignore"
"""Written in `?columns=` for a column that is not imported."""

BETWEEN_HEADINGS: Final = frozenset({"and", "e", "en", "et", "i", "oder", "or", "und", "y"})
MOST_WORDS: Final = 6
NOT_LETTERS: Final = re.compile(r"[\W_]+")
CHANGE: Final = re.compile(r"\+\s*/?\s*-|±")
"""After the name of a rating: by how much it changed."""
CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
"""A border of words in `BirthYear`."""
BY_PLACE: Final = re.compile(r"#([1-9][0-9]{0,3})", re.ASCII)
"""A column that is named by its place, as `#2`."""


def fold_heading(text: str) -> str:
    """Return a heading without case, accents and punctuation."""
    marked = CHANGE.sub(" change ", text)
    return " ".join(NOT_LETTERS.split(fold_name(marked))).strip()


def recognise_headings(
    headings: Sequence[str], columns: Collection[str], mapping: Mapping[str, str]
) -> list[str]:
    """Return the column of each heading, `ignore`, or an empty text where none is known.

    `mapping` has the columns that the caller names, by the folded heading or by its place (`#2`);
    what is named so is the only one of its column. Two headings that say the same are both
    returned; of other kinds of a column, the best is.
    """
    chosen = [
        mapping.get(f"#{place}") or mapping.get(fold_heading(heading), "")
        for place, heading in enumerate(headings, start=1)
    ]
    kinds = [
        "" if named else _kind_of(heading, columns)
        for heading, named in zip(headings, chosen, strict=True)
    ]
    kinds = ["" if kind and column_of(kind) in chosen else kind for kind in kinds]
    has_given_name = GIVEN_NAME in (*kinds, *chosen)
    if FAMILY_NAME in kinds and not has_given_name and GIVEN_NAME in columns:
        kinds = [
            GIVEN_NAME if fold_heading(heading) in GIVEN_OR_WHOLE and kind == NAME else kind
            for heading, kind in zip(headings, kinds, strict=True)
        ]
        has_given_name = GIVEN_NAME in kinds
    # Beside a given name, another heading than the family name is perhaps that of both.
    order = KINDS[NAME][::-1] if has_given_name else KINDS[NAME]
    best = next((kind for kind in order if kind in kinds), "")
    others = {*order, *([GIVEN_NAME] if best == FULL_NAME else [])} - {best}
    kinds = ["" if kind in others else kind for kind in kinds]
    return [named or column_of(kind) for named, kind in zip(chosen, kinds, strict=True)]


def rating_order(headings: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Return the places of the ratings, the best first."""
    order = KINDS[RATING]
    places = [place for place, column in enumerate(columns) if column == RATING]
    kinds = {
        place: _kind_of(headings[place], (RATING,))
        or PERHAPS_RATINGS.get(fold_heading(headings[place]), RATING)
        for place in places
    }
    return sorted(places, key=lambda place: order.index(kinds[place]))


def is_perhaps_rating(heading: str) -> bool:
    """Return True for a heading such as `FIDE`, under which ratings or something else can stand."""
    return fold_heading(heading) in PERHAPS_RATINGS


def organisations_of(headings: Sequence[str], columns: Sequence[str]) -> dict[int, str]:
    """Return the organisation of each column of ids by its place.

    Another column of the same one is called as its heading.
    """
    found: dict[int, str] = {}
    for place, column in enumerate(columns):
        if column == IDS:
            heading = fold_heading(headings[place])
            own = heading.replace(" ", "")
            name = OTHER_ORGANISATIONS.get(heading) or next(
                (name for name in ORGANISATIONS if own.startswith(name) or own.endswith(name)),
                SOME_ID,
            )
            if name in found.values():
                own = own[:LONGEST_ORGANISATION]
                is_free = EXTERNAL_SCHEME.fullmatch(own) and own not in found.values()
                name = own if is_free else f"{name}{place + 1}"
            found[place] = name
    return found


def column_of(kind: str) -> str:
    """Return the column of a kind of heading; a column is its own."""
    return next((column for column, kinds in KINDS.items() if kind in kinds), kind)


def _kind_of(heading: str, columns: Collection[str]) -> str:
    """Return what kind of one of the columns a heading means; empty where none is known."""
    folded = fold_heading(heading)
    for column in columns:
        if folded == fold_heading(column):
            return column
    spaced = fold_heading(CAMEL.sub(" ", heading))
    kind = BY_HEADING.get(folded) or BY_HEADING.get(spaced) or _kind_of_several(spaced)
    return kind if column_of(kind) in columns else ""


def _kind_of_several(folded: str) -> str:
    """Return what several headings in one mean: `Surname and first name`, `Elo/DWZ`."""
    words = [word for word in folded.split() if word not in BETWEEN_HEADINGS]
    columns = set()
    while 0 < len(words) <= MOST_WORDS:
        counts = range(len(words), 0, -1)
        known = next((count for count in counts if " ".join(words[:count]) in BY_HEADING), 0)
        if not known:
            return ""
        columns.add(column_of(BY_HEADING[" ".join(words[:known])]))
        words = words[known:]
    if columns == {NAME, GIVEN_NAME}:
        return FULL_NAME
    return columns.pop() if len(columns) == 1 and not words else ""


def parse_mapping(text: str, columns: Collection[str]) -> dict[str, str]:
    """Return the columns by heading of `Verein:club,#2:category,Tel:ignore`.

    Raises Unprocessable with the first part that names no column. A heading is folded; `#2` is the
    second column, whatever its heading.
    """
    mapping = {}
    for part in filter(None, text.split(",")):
        heading, colon, column = part.rpartition(":")
        column = column.strip()
        if not colon or column not in (*columns, IGNORE):
            detail = Text(
                "%(word)s is not a heading and a column, as Verein:club; the columns "
                "are %(columns)s and %(ignore)s",
                word=f"{part.strip()[:60]!r}",
                columns=", ".join(columns),
                ignore=IGNORE,
            )
            raise invalid_parameter("columns", detail)
        place = BY_PLACE.fullmatch(heading.strip())
        mapping[place[0] if place else fold_heading(heading)] = column
    return mapping
