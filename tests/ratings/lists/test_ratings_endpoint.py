"""`/pools/{code}/ratings`: the list, its pages, its CSV and NDJSON."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.core.references import absolute_url
from games.core.tables import pdf as pdf_table
from games.core.tables.typesetting import print_sheet as typesetting_print_sheet
from games.models import Player
from ratings.lists import tables as rating_list
from ratings.models import Pool, Rating, Run
from tests.people import problem_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def listed(star):
    """Add players to the list: rating in points, games, days since the last game."""
    run = Run.objects.create(pool=star, number=1, engine_version=1, parameter_digest="0")

    def put(*rows):
        now = timezone.now()
        for name, rating, games, days in rows:
            Rating.objects.create(
                pool=star,
                run=run,
                player=Player.objects.create(name=name, country="POR"),
                rating=rating * 1000,
                games=games,
                last_game_at=now - timedelta(days=days),
            )

    return put


def ranks(answer):
    return [(row["rank"], row["player"]["name"]) for row in answer.json()["results"]]


def test_a_row_of_the_list(listed, anonymous):
    listed(("Ann", 1712, 12, 3))
    rating = Rating.objects.get()
    Player.objects.update(external_ids={"fide": "1"})
    assert anonymous.get("pools/star/ratings").json()["results"] == [
        {
            "rank": 1,
            "player": {"id": rating.player_id, "name": "Ann", "country": "POR", "club": None},
            "external_ids": {"fide": "1"},
            "url": absolute_url(f"pools/star/ratings/{rating.player_id}"),
            "rating": 1712.0,
            "interval": {"low": 1576, "high": 2113},
            "games": 12,
            "games_at_once": {"least": 1.0, "most": 1.0},
            "provisional": False,
            "inactive": False,
            "last_game_at": rating.last_game_at.isoformat().replace("+00:00", "Z"),
        }
    ]


def test_provisional_and_inactive_players_are_listed_only_on_request(listed, anonymous):
    listed(("Ann", 1700, 10, 364), ("New", 1900, 9, 1), ("Old", 1800, 99, 366))
    for query, names in {
        "": ["Ann"],
        "?provisional=1": ["New", "Ann"],
        "?inactive=true": ["Old", "Ann"],
        "?inactive=1&provisional=1": ["New", "Old", "Ann"],
    }.items():
        answer = anonymous.get(f"pools/star/ratings{query}")
        assert [name for _, name in ranks(answer)] == names, query
        intervals = {row["player"]["name"]: row["interval"] for row in answer.json()["results"]}
        assert [name for name in names if intervals[name] is None] == [*{"New"} & {*names}]


def test_equal_ratings_share_a_rank_and_pages_link_both_ways(listed, anonymous):
    ratings = [1900, 1800, 1800, 1800, 1700, 1700, 1600]
    listed(*((f"P{number}", rating, 20, 1) for number, rating in enumerate(ratings)))
    whole = [(1, "P0"), (2, "P1"), (2, "P2"), (2, "P3"), (5, "P4"), (5, "P5"), (7, "P6")]

    pages = [anonymous.get("pools/star/ratings?limit=2")]
    while address := pages[-1].json()["next"]:
        pages.append(anonymous.get(address))
    assert [row for page in pages for row in ranks(page)] == whole
    assert 'rel="next"' in pages[0]["Link"]

    back = [pages[-1]]
    while address := back[-1].json()["previous"]:
        back.append(anonymous.get(address))
    assert [row for page in reversed(back) for row in ranks(page)] == whole
    assert [len(ranks(page)) for page in back] == [1, 2, 2, 2]


def test_the_row_of_one_player_and_some_members(listed, anonymous):
    """A merged player has the row of the one they were merged into."""
    listed(("Ann", 1800, 20, 1), ("Bo", 1700, 20, 1), ("Cy", 1700, 20, 1), ("New", 1600, 1, 1))
    numbers = {player.name: player.pk for player in Player.objects.all()}
    merged = Player.objects.create(name="C.", merged_into_id=numbers["Cy"])
    for player, rows in {
        numbers["Cy"]: [(2, "Cy")],
        merged.pk: [(2, "Cy")],
        numbers["New"]: [],
    }.items():
        answer = anonymous.get(f"pools/star/ratings?player={player}")
        assert (ranks(answer), answer.json()["next"]) == (rows, None)
    one = f"pools/star/ratings?player={numbers['Cy']}&fields=rank&fields=games"
    assert anonymous.get(one).json()["results"] == [{"rank": 2, "games": 20}]
    for wrong in ("?player=x", "?player=0", ".csv?player=1", "?fields=elo", f"?player={2**62}"):
        problem_in(anonymous.get(f"pools/star/ratings{wrong}"), 422)


def test_the_list_takes_four_queries(listed, anonymous, django_assert_num_queries):
    Pool.objects.filter(code="star").update(current_run=Run.objects.get())
    for rows in (1, 3):
        listed(*((f"P{number}", 1500 + number, 20, 1) for number in range(rows // 2 + 1)))
        with django_assert_num_queries(4):
            assert len(ranks(anonymous.get("pools/star/ratings"))) == rows


def test_the_file_contains_the_whole_list_with_formulas_escaped(listed, anonymous):
    listed(("Ann, the first", 1800, 10, 1), ("=1+1", 1800, 11, 1), ("Cy", 1700, 12, 1))
    answer = anonymous.get("pools/star/ratings.csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    ids = list(Rating.objects.order_by("player").values_list("player", flat=True))
    assert answer.content.decode() == (
        "rank,player,name,country,rating,low,high,games\n"
        f'1,{ids[0]},"Ann, the first",POR,1800.000,1713,2359,10\n'
        f"1,{ids[1]},'=1+1,POR,1800.000,1733,2339,11\n"
        f"3,{ids[2]},Cy,POR,1700.000,1560,2085,12\n"
    )


def test_the_lines_of_ndjson_are_the_rows_of_the_list(listed, anonymous):
    listed(("Ann", 1800, 10, 1), ("Bß", 1800, 11, 1), ("New", 1900, 9, 1))
    answer = anonymous.get("pools/star/ratings.ndjson?provisional=1")
    rows = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert rows == anonymous.get("pools/star/ratings?provisional=1").json()["results"]


def test_the_table_contains_the_list(listed, anonymous):
    listed(("Ann <1>", 1800, 10, 1), ("New", 1900, 9, 1))
    page = anonymous.get("pools/star/ratings.html?provisional=1").content.decode()
    cells = [re.findall("<td[^>]*>(.*?)</td>", row) for row in re.findall("<tr>(.*)", page)]
    assert cells[1:] == [
        ["1", "New", "POR", "1900.000?", "", "", "9"],
        ["2", "Ann &lt;1&gt;", "POR", "1800.000", "1713", "2359", "10"],
    ]


def test_pages_and_sheets_contain_the_best_players(listed, anonymous, monkeypatch):
    listed(*((f"P{number}", 1500 + number, 20, 1) for number in range(3)))
    monkeypatch.setattr(rating_list, "MOST_PRINTED", 2)
    page = anonymous.get("pools/star/ratings.html").content.decode()
    assert re.findall("<td>(P.)</td>", page) == ["P2", "P1"]
    assert len(anonymous.get("pools/star/ratings.csv").content.splitlines()) == 4


def test_the_sheet_names_the_pool_and_the_run(listed, anonymous, monkeypatch):
    printed = []

    def print_sheet(template, data):
        printed.append(data)
        return typesetting_print_sheet(template, data)

    monkeypatch.setattr(pdf_table, "print_sheet", print_sheet)
    listed(("Ann", 1800, 10, 1))
    run = Run.objects.get()
    Pool.objects.filter(code="star").update(current_run=run)
    answer = anonymous.get("pools/star/ratings.pdf?paper=letter")
    assert answer.content.startswith(b"%PDF")
    (sheet,) = printed
    assert (sheet["title"], sheet["place"], sheet["paper"]) == ("*Star", "after run 1", "letter")
    assert [row[:3] for part in sheet["parts"] for row in part["rows"]] == [["1", "Ann", "POR"]]


def test_a_list_contains_only_its_own_pool(listed, anonymous):
    listed(("Ann", 1700, 10, 1))
    Pool.objects.create(code="other", name="Other", preset="fixed")
    assert ranks(anonymous.get("pools/other/ratings")) == []


def test_a_player_on_the_list(listed, anonymous):
    rows = ("Ann", 1700, 10, 1), ("Bo", 1700, 20, 1), ("New", 1900, 9, 1), ("Old", 1800, 20, 366)
    listed(*rows, ("Low", 1600, 20, 1))
    live = anonymous.get("pools/star/ratings").json()["results"]
    found = {row["player"]["name"]: row for row in live}
    ranks = {}
    for name, number in Player.objects.values_list("name", "pk"):
        place = anonymous.get(f"pools/star/ratings/{number}").json()
        del place["rules"]
        ranks[name] = place["rank"]
        assert found.get(name, place) == place
    assert ranks == {"Ann": 1, "Bo": 1, "New": None, "Old": None, "Low": 3}
