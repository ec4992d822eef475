"""Lists that name players by the ids of FIDE or of their country, with or without names."""

import pytest
from django.http import HttpResponse

from games.models import Player
from tests.events import Event, make_event
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    Player.objects.create(name="Verne, Ada", country="FRA", external_ids={"fide": "1503014"})
    Player.objects.create(
        name="Berg, Cy", country="ENG", external_ids={"ecf": "120787D", "fide": "17"}
    )
    Player.objects.create(name="Müller, Hans", country="GER", external_ids={"dsb": "0010012345"})
    Player.objects.create(name="Roux, Eva", country="FRA", external_ids={"ffe": "10012345"})
    Player.objects.create(name="Ruiz, Ana", country="ESP", external_ids={"national": "B777"})
    return make_event(organiser).step("open")


def post(person: Person, event: Event, text: str, query: str = "") -> HttpResponse:
    path = f"{event.path}/entries/import{query}"
    return person.post(path, text.encode(), content_type="text/csv")


FOUND = {
    # the file, and the players of its lines
    "ids of FIDE alone": ("FideID\n01503014\n17.0\n", ["Verne, Ada", "Berg, Cy"]),
    "ids of a country alone": ("ECF code\n120787d\n", ["Berg, Cy"]),
    "the organisation is named": (
        "ids\ndsb:10012345\nffe:10012345\n", ["Müller, Hans", "Roux, Eva"],
    ),
    "another spelling of the name": (
        "Name;PKZ;Land\nMueller, Hans;10012345;GER\n", ["Müller, Hans"],
    ),
    "the same number in another country": (
        "Name;NatID;Land\nNovak, Jan;10012345;CZE\n", ["Novak, Jan"],
    ),
    "another name of the organisation": ("ids\npkz:10012345\n", ["Müller, Hans"]),
    "either id": ("FIDE-ID;NatID\n;120787D\n1503014;\n", ["Berg, Cy", "Verne, Ada"]),
    "an organisation that is not named there": ("USCF ID;Name\nB777;Ruiz, Ana\n", ["Ruiz, Ana"]),
    "the same number elsewhere": ("USCF ID;Name\nB777;Novak, Jan\n", ["Novak, Jan"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", FOUND)
def test_an_id_finds_the_player(organiser: Person, event: Event, kind: str) -> None:
    text, names = FOUND[kind]
    lines = post(organiser, event, text).json()["rows"]

    assert [line["player"]["name"] for line in lines] == names
    assert [line["action"] == "known" for line in lines] == [name[:5] != "Novak" for name in names]


WRONG = {
    # the file, and the line, column and words of its error
    "nobody has the id": ("FideID\n1503014\n99\n", 3, "fide", "nobody is registered with this id"),
    "neither id nor name": ("FideID;Club\n1503014;\n000;Rooks\n", 3, "name", "needs a name"),
    "two have the number": ("NatID\n10012345\n", 2, "ids", "players {0}, {1} fit"),
    "twice in the file": ("FideID\n17\n0017\n", 3, "fide", "the same player as in line 2"),
    "twice, with other details": (
        "Name;FideID;Club\nBerg, Cy;17;A\nBerg, C.;17;B\n",
        3, "name", "the same player as in line 2",
    ),
    "the same given name alone": (
        "Licence;Nom;Prénom\nB777;Gómez;Ana\n", 2, "name", "the details of player",
    ),
    "an organisation that is not named there": (
        "USCF ID\nB777\n", 2, "ids", "without its organisation",
    ),
    "one FIDE id of two": (
        "Name;FideID\nAnn;777001\nBob;0777001\n", 3, "fide", "line 2 has the same FIDE id",
    ),
    "one FIDE id of two who are new": (
        "Name;FideID;player_id\nAnn;777001;\nBob;0777001;new\n", 3, "fide", "line 2 has the same",
    ),
    "two ids of one organisation": (
        "Name;ids;ECF code\nAnn;ecf:1;2\n", 2, "ids", "1 and 2 are two ids of ecf",
    ),
    "the same number in the same country": (
        "Name;Lizenz;Land\nNovak, Jan;10012345;GER\n", 2, "name", "the details of player",
    ),
    "the same number of the German federation": (
        "Name;PKZ\nNovak, Jan;10012345\n", 2, "name", "the details of player",
    ),
    "new with a registered FIDE id": (
        "player;name;fide\nnew;Novak, Jan;17\n", 2, "fide", "(Berg, Cy) has the id fide:17",
    ),
    "new with another registered id": (
        "player;name;ECF code\nnew;Novak, Jan;120787d\n", 2, "ids", "has the id ecf:120787d",
    ),
    "the id of another installation": (
        "player;name\n{0};Novak, Jan\n", 2, "player", "{0} is Müller, Hans; in a list of another",
    ),
    "an id that nobody has": (
        "player;name\n0;Novak, Jan\n", 2, "player", "no player 0; in a list of another",
    ),
    "no id": (
        "Name;NatID\nAda;not an id of anybody who could be registered\n", 2, "ids", "not an id",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", WRONG)
def test_an_id_that_names_nobody_is_refused_at_its_cell(
    organiser: Person, event: Event, kind: str
) -> None:
    text, line, column, words = WRONG[kind]
    both = Player.objects.filter(name__in=["Müller, Hans", "Roux, Eva"]).order_by("pk")
    ids = both.values_list("pk", flat=True)
    sent = post(organiser, event, text.format(*ids))
    (error,) = problem_in(sent, 422, "invalid_lines")["errors"]

    assert (error["line"], error["pointer"]) == (line, f"/{line}/{column}")
    assert words.format(*ids) in error["detail"]
    assert not event.tournament.entries.exists()


def test_the_ids_of_a_new_player_are_kept_and_found_again(organiser: Person, event: Event) -> None:
    post(organiser, event, "Name;FideID;NatID\nDan;000123;uscf:12 345\nEva;;B77\n")
    ids = {player.name: player.external_ids for player in Player.objects.all()}
    assert (ids["Dan"], ids["Eva"]) == ({"fide": "123", "uscf": "12 345"}, {"national": "B77"})

    again = post(organiser, event, "ids\nuscf:12 345\nb77\n").json()["rows"]
    assert [line["action"] for line in again] == ["entered", "entered"]


def test_each_column_of_ids_is_kept_under_its_organisation(organiser: Person, event: Event) -> None:
    text = "Name;EgfPin;AGAId;FFGLic;ID_No;ID-nat\nFay;0001;22;333;A4;B5\nGus;none;;0;NA;-\n"
    assert post(organiser, event, text).status_code == 201
    assert Player.objects.get(name="Fay").external_ids == {
        "egf": "0001", "aga": "22", "ffg": "333", "national": "A4", "idnat": "B5",
    }  # fmt: skip
    assert Player.objects.get(name="Gus").external_ids == {}


def test_the_errors_of_cells_and_of_players_are_said_at_once(
    organiser: Person, event: Event
) -> None:
    text = "FideID;Name;Club;Elo\n99;;;\n;;Rooks;\n1503014;;;\n17;;;strong\n"
    errors = problem_in(post(organiser, event, text), 422, "invalid_lines")["errors"]
    assert [error["pointer"] for error in errors] == ["/2/fide", "/3/fide", "/5/seed_rating"]
