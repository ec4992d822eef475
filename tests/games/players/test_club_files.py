"""Files of clubs: headings in four languages, odd encodings, empty lines, ambiguous namesakes."""

import pytest
from django.http import HttpResponse

from games.models import Player
from tests.people import Person, problem_in

GERMAN = (
    "Nachname;Vorname;Verein;Land;Jahrgang;Geschlecht;FIDE-ID;Elo\r\n"
    "Müller;Hans;Köln;GER;1980;m;111;1900\r\n"
)
FILES: dict[str, bytes] = {
    "English": b"Name,Given name,Club,Federation,Year of birth,Sex,FIDE ID,Rating\n"
    b"M\xc3\xbcller,Hans,K\xc3\xb6ln,GER,1980,M,111,1900\n",
    "German, in UTF-16": GERMAN.encode("utf-16"),
    "French, with tabs": (
        "Nom\tPrénom\tClub\tFédération\tAnnée de naissance\tSexe\tCode FIDE\tClassement\n"
        "Müller\tHans\tKöln\tGER\t1980\tm\t111\t1900\n"
    ).encode(),
    "French, with short headings": (
        "Nom;Prénom;Club;Fédé;Né(e) le;Sexe;Code FIDE;Elo\n"
        "Müller;Hans;Köln;GER;01/05/1980;m;111;1900\n"
    ).encode(),
    "Spanish": (
        "NOMBRE;APELLIDOS;CLUB;PAÍS;AÑO DE NACIMIENTO;GÉNERO;ID FIDE;ELO\n"
        "Hans;Müller;Köln;GER;1980;m;111;1900\n"
    ).encode(),
    "German, with dates of birth": (
        "Name;Vorname;Verein;Land;Geb.;Geschlecht;FIDE-ID;DWZ\n"
        "Müller;Hans;Köln;GER;01.05.1980;m;111;1900\n"
    ).encode(),
    "English, with dates and times": (
        "Name,First name,Club,Fed,Date of birth,Sex,FIDE ID,Rtg\n"
        "Müller,Hans,Köln,GER,1980-05-01 00:00:00,m,111,1900\n"
    ).encode(),
    "quoted newlines in headings": (
        '"Name";"Vorname";"Verein";"Land";"\nJahrgang";"Geschlecht";"FIDE\n-ID";"Elo"\n'
        '"Müller";"Hans";"Köln";"GER";"1980";"m";"111";"1900"\n'
    ).replace("\nJahrgang", "\nJahrgang").encode(),
}  # fmt: skip


def post(person: Person, content: bytes | str, query: str = "") -> HttpResponse:
    body = content.encode() if isinstance(content, str) else content
    return person.post(f"players/import{query}", body, content_type="text/csv")


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_headings_of_four_languages(organiser: Person, content: bytes) -> None:
    response = post(organiser, content)

    assert response.status_code == 201, response.content
    assert sorted(response.json()["columns"].values()) == [
        "birth_year", "club", "country", "fide", "given_name", "name", "seed_rating", "sex",
    ]  # fmt: skip
    player = Player.objects.get()
    assert (player.name, player.club, player.country) == ("Müller, Hans", "Köln", "GER")
    assert (player.birth_year, player.sex, player.seed_rating) == (1980, "m", 1900)
    assert (player.external_ids, player.registered_by) == ({"fide": "111"}, organiser.account)


def test_other_columns_are_named_or_left_out(organiser: Person) -> None:
    content = "Mitglied;Abteilung;Telefon;\nMüller, Hans;Köln;0221;x\n"

    problem = problem_in(post(organiser, content), 422, "wrong_columns")
    assert problem["errors"][0]["parameter"] == "columns"
    assert "the first one is 'Mitglied;Abteilung;Telefon'" in problem["detail"]
    response = post(organiser, content, "?dry_run=1&columns=mitglied:name,%232:club")
    assert response.status_code == 200, response.content
    answer = response.json()

    assert answer["columns"] == {
        "Mitglied": "name", "Abteilung": "club", "Telefon": "ignore", "": "ignore",
    }  # fmt: skip
    assert answer["left_out"] == [
        {"column": 3, "heading": "Telefon", "sample": ["0221"]},
        {"column": 4, "heading": "", "sample": ["x"]},
    ]
    assert [line["player"]["name"] for line in answer["rows"]] == ["Müller, Hans"]
    assert not Player.objects.exists()


@pytest.mark.parametrize("columns", ["Verein", "Verein:house"])
def test_an_invalid_mapping_is_rejected(organiser: Person, columns: str) -> None:
    answer = post(organiser, "name\nBo\n", f"?columns={columns}")

    assert problem_in(answer, 422, "invalid_parameter")["parameter"] == "columns"


def test_an_ambiguous_line_is_refused_with_its_candidates(organiser: Person) -> None:
    first, second = (
        Player.objects.create(
            name="Ana Silva",
            country="POR",
            club=club,
            birth_year=year,
            registered_by=organiser.account,
        )
        for club, year in (("Rooks", 1990), ("Kings", None))
    )
    content = "player_id;name;country\n;Ana Silva;POR\n;Bo;\n"

    problem = problem_in(post(organiser, content), 422, "invalid_lines")

    (error,) = problem["errors"]
    assert (error["code"], error["line"], error["pointer"]) == ("ambiguous_player", 2, "/2/name")
    silva = {"name": "Ana Silva", "country": "POR"}
    assert error["candidates"] == [
        silva | {"id": first.pk, "club": "Rooks", "birth_year": 1990},
        silva | {"id": second.pk, "club": "Kings", "birth_year": None},
    ]
    assert Player.objects.count() == 2
    for choice, action in ((str(second.pk), "known"), ("new", "created")):
        answer = post(organiser, content.replace("\n;Ana", f"\n{choice};Ana"), "?dry_run=1").json()
        assert [line["action"] for line in answer["rows"]] == [action, "created"]
