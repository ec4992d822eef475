"""Which registered player a line of a file means, and which lines are ambiguous."""

import pytest

from games.core.uploads.progress import no_progress
from games.models import Player
from games.players.matching import PlayerDetails, match_players
from tests.people import Person

pytestmark = pytest.mark.django_db

REGISTERED = """
1 | Müller, Hans   | GER | Rooks   | 1980 | 111
2 | Müller, Hans   | GER | Bishops | 1980 |
3 | Silva, Ana     | POR | Rooks   |      |
4 | Silva, Ana     | POR | Knights |      |
5 | Silva, Ana     | BRA |         | 1999 |
6 | Żak, Jan       | POL | Rooks   | 1970 |
7 | Żak, Jan       | POL | Rooks   | 1990 | 777
8 | Doe, Joe       |     |         |      |
9 | Lone, Eva      | ESP | Kings   | 2001 |
10 | Short, Bo     | SWE |         |      | 888
11 | Joe Fox       |     |         |      | 444
"""

LINES = [
    # name, country, club, year, FIDE id -> player
    ("Müller, Hans | | | | 111", "1"),
    ("Müller, Hans | AUT | Elsewhere | 1980 | 111", "1"),
    ("Somebody Else | GER | | | 111", "ambiguous 1"),
    ("Berg, Hans | GER | | | 111", "ambiguous 1"),
    ("Mueller, J. | GER | | | 111", "1"),
    ("Hans Müller | GER | | | 111", "1"),
    ("Müller, Hans | GER | | 1981 | 111", "ambiguous 1"),
    ("Müller, Hans | GER | Rooks | | 999", "ambiguous 2"),
    ("MULLER, HANS | GER | rooks | |", "1"),
    ("Müller, Hans | GER | | 1980 |", "ambiguous 1 2"),
    ("Müller, Hans | GER | Rooks | 1955 |", "new"),
    ("Müller, Hans | AUT | | |", "new"),
    ("Joe Berg | | | | 444", "ambiguous 11"),
    ("J Fox | | | | 444", "11"),
    ("Joe | | | | 444", "11"),
    ("Silva, Ana | POR | Rooks | |", "3"),
    ("Silva, Ana | POR | Pawns | |", "ambiguous 3 4"),
    ("Silva, Ana | | | 1999 |", "5"),
    ("Silva, Ana | BRA | Pawns | |", "5"),
    ("Silva, Ana | POR | | 1999 |", "ambiguous 5"),
    ("Zak, Jan | POL | Rooks | |", "ambiguous 6 7"),
    ("Zak, Jan | POL | Rooks | | 778", "6"),
    ("Doe, Joe | | | |", "8"),
    ("Doe, Joe | CAN | | |", "ambiguous 8"),
    ("Lone, Eva | | | |", "ambiguous 9"),
    ("Lone, Eva | | KINGS | |", "9"),
    ("Lone, Eva | ESP | Queens | |", "ambiguous 9"),
    ("Lone, Eva | ESP | Queens | 2001 |", "9"),
    ("Short, Bo | SWE | Vikings | 1960 |", "10"),
    ("Nobody, Ida | SWE | | |", "new"),
]


@pytest.fixture
def ids(organiser: Person) -> dict[int, str]:
    """The names of the table by the ids of the players, whom the organiser registered."""
    names = {}
    for line in REGISTERED.strip().splitlines():
        number, name, country, club, year, fide = (part.strip() for part in line.split("|"))
        player = Player.objects.create(
            name=name,
            country=country,
            club=club,
            birth_year=int(year) if year else None,
            external_ids={"fide": fide} if fide else {},
            registered_by=organiser.account,
        )
        names[player.pk] = number
    return names


def details_of(line: str) -> PlayerDetails:
    name, country, club, year, fide = (part.strip() for part in line.split("|"))
    year_or_none = int(year) if year else None
    return PlayerDetails(name=name, country=country, club=club, birth_year=year_or_none, fide=fide)


def match(
    ids: dict[int, str],
    *details: PlayerDetails,
    is_distinct: bool = True,
    by: Person | None = None,
) -> list[str]:
    """Return for each line the number of the player, `new`, or why it is refused.

    The file is that of the person who registered the players, unless it is somebody else's.
    """
    account = by.account if by else Player.objects.exclude(registered_by=None)[0].registered_by
    found = []
    for matched in match_players(
        details, by=account, is_distinct=is_distinct, progress=no_progress
    ):
        if matched.problem:
            candidates = [ids[player.pk] for player in matched.problem.candidates]
            found.append(" ".join([matched.problem.code.removesuffix("_player"), *candidates]))
        else:
            found.append("new" if matched.is_new else ids[matched.player.pk])
    return found


@pytest.mark.parametrize(("line", "expected"), LINES, ids=[line for line, _ in LINES])
def test_a_line_means(ids: dict[int, str], line: str, expected: str) -> None:
    assert match(ids, details_of(line)) == [expected]


def test_an_id_or_new_resolves_an_ambiguous_line(ids: dict[int, str]) -> None:
    number = next(pk for pk, name in ids.items() if name == "2")

    assert match(
        ids,
        PlayerDetails(name="Müller, Hans", country="GER", player=number),
        PlayerDetails(name="Müller, Hans", country="GER", player="new"),
        PlayerDetails(name="Müller, Hans", country="GER", player=10**9),
    ) == ["2", "new", "unknown"]


def test_a_player_named_by_an_id_is_not_meant_by_other_lines(ids: dict[int, str]) -> None:
    by_id = details_of("Short, Bo | SWE | | | 888")
    by_name = details_of("Short, Bo | SWE | | |")

    assert match(ids, by_name, by_id) == ["new", "10"]
    assert match(ids, by_name, by_id, is_distinct=False) == ["10", "10"]


def test_two_lines_cannot_mean_one_player_silently(ids: dict[int, str]) -> None:
    line = details_of("Lone, Eva | ESP | | |")

    assert match(ids, line, line) == ["ambiguous 9", "ambiguous 9"]
    assert match(ids, line, line, is_distinct=False) == ["9", "9"]


def test_a_merged_player_is_not_meant(ids: dict[int, str]) -> None:
    kept, merged = Player.objects.filter(name="Müller, Hans").order_by("pk")
    Player.objects.filter(pk=merged.pk).update(merged_into=kept)

    assert match(ids, details_of("Müller, Hans | GER | | 1980 |")) == ["1"]


OF_OTHERS = [
    ("Lone, Eva | ESP | Kings | 1955 |", "9"),
    ("Lone, Eva | ESP | Queens | 2001 |", "ambiguous 9"),
    ("Müller, Hans | GER | | 1955 | 111", "1"),
]


@pytest.mark.parametrize(("line", "expected"), OF_OTHERS, ids=[line for line, _ in OF_OTHERS])
def test_the_years_of_players_whom_others_registered_are_not_compared(
    ids: dict[int, str], stranger: Person, line: str, expected: str
) -> None:
    """Otherwise a file with a line for each year would tell the year."""
    assert match(ids, details_of(line), by=stranger) == [expected]


def test_the_candidates_show_no_year_that_the_sender_may_not_see(
    ids: dict[int, str], organiser: Person, stranger: Person
) -> None:
    details = details_of("Müller, Hans | GER | | |")

    for person, years in ((organiser, [1980, 1980]), (stranger, [None, None])):
        (found,) = match_players(
            [details], by=person.account, is_distinct=True, progress=no_progress
        )
        assert found.problem is not None
        shown = found.problem.as_json()["candidates"]
        assert [candidate["birth_year"] for candidate in shown] == years
