"""Diagrams, parsed as XML: of every game and every golden record."""

from functools import cache
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.rules.diagram.drawing import draw
from games.rules.diagram.paints import DIAGRAM_PAINTS
from games.rules.diagram.scene import PlyOutOfRange, scene_of_board, scene_of_record
from games.rules.diagram.shapes import draw_shapes
from games.rules.diagram.words import words_of
from games.rules.errors import Code, IllegalMove
from games.rules.layouts.geometry import part_inside
from games.rules.records.record import Record
from games.rules.records.streams import judge, parse_records
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from games.rules.samples import find_sample
from games.rules.seat import Seat
from tests.games.rules.contrast import contrast
from tests.games.rules.random_games import random_game

SVG = "{http://www.w3.org/2000/svg}"
RECORDS = sorted((Path(__file__).parent / "data" / "records").glob("*.rec"))
LARGEST = 150_000
LONG = pytest.mark.long

SMALL = '[Game "star-star"]\n[Board "4"]\n[First "Ada"]\n[Second "Ben"]\n\n'

every_game = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


def conditions_of(game, board, **tags):
    return read_conditions({"Game": game, "Board": board, **tags})


def read(svg):
    return ElementTree.fromstring(svg)


def drawn(text, ply=None, **options):
    return read(draw(scene_of_record(Record.parse(text), ply), **options))


def of_class(picture, name):
    return [e for e in picture.iter() if name in e.get("class", "").split()]


def cells(picture, name=None):
    """Return the names of the cells in the groups of a class, by default of all cells."""
    groups = of_class(picture, name) if name else [picture]
    return [e.get("data-cell") for group in groups for e in group.iter() if e.get("data-cell")]


def words(picture, name=None):
    groups = of_class(picture, name) if name else [picture]
    return ["".join(e.itertext()) for group in groups for e in group.iter(f"{SVG}text")]


@cache
def end_of_random_game(code, board, seed=1):
    """Return a scene at the end of a random game, and its last position."""
    conditions = conditions_of(code, board)
    turns, positions = random_game(GAMES[code], conditions, seed, most_plies=300)
    record = Record(conditions=conditions, moves=tuple(turns))
    return scene_of_record(record), positions[-1]


# --- the marks of a small diagram ---------------------------------------------------------------


def test_stones_show_their_seat():
    picture = drawn(SMALL + "S40 swap A31 S41 T20 A40 *")

    assert set(cells(picture, "tint1")) == {"A31", "T20"}
    assert set(cells(picture, "tint2")) == {"S40", "S41", "A40"}
    on_board = [e for e in picture if e.tag == f"{SVG}g"]
    by_class = {e.get("class"): len(list(e.iter(f"{SVG}circle"))) for e in on_board}
    assert by_class["stone1 rim"] == 2
    (ring,) = (e for e in of_class(picture, "ring") if e.get("stroke-linecap") == "round")
    assert by_class["stone2 rim"] == ring.get("d").count("M") == 3


def test_only_the_last_turn_is_marked():
    record = SMALL + "S40 swap A31 S41 T20 A40 *"
    faces = scene_of_record(Record.parse(record)).layout.faces
    marked = {
        ply: [(e.get("cx"), e.get("cy")) for e in of_class(drawn(record, ply), "mark")]
        for ply in range(7)
    }

    assert marked[0] == marked[2] == []
    for ply, cell in ((1, "S40"), (3, "A31"), (6, "A40")):
        centre = faces[cell].centre
        assert [(float(x), float(y)) for x, y in marked[ply]] == [
            (pytest.approx(centre.real, abs=0.06), pytest.approx(centre.imag, abs=0.06))
        ]


@pytest.mark.parametrize(
    ("names", "numbers", "on_stones", "elsewhere"),
    [
        (False, False, [], 0),
        (True, False, ["A31", "S40"], 48),
        (False, True, ["1", "3"], 0),
        (True, True, ["1", "3", "A31", "S40"], 48),
    ],
)
def test_names_and_numbers_are_optional(names, numbers, on_stones, elsewhere):
    picture = drawn(SMALL + "S40 swap A31 *", names=names, numbers=numbers)
    inside = [
        word
        for group in picture.iter(f"{SVG}g")
        if group.get("class", "").startswith("on")
        for word in words(group)
    ]

    assert sorted(inside) == on_stones
    assert len(words(picture, "name")) == elsewhere


def test_a_spark_between_two_enemy_stars_is_hatched_for_them():
    scene = scene_of_record(Record.parse(SMALL + "S41 S42 S40 A20 S43 A30 T40 *"))

    assert scene.names_of(scene.highlights.owned[0]) == ["S40", "S41", "S42", "S43", "T40"]


def test_a_corner_of_poly_y_is_owned_before_the_game_is_won():
    moves = "S40 R10 S41 R20 S42 *10 S43 *20 T40 *"
    scene = scene_of_record(Record.parse(f'[Game "poly-y"]\n[Board "4"]\n\n{moves}'))

    assert scene.outcome.termination is None
    assert [scene.names_of(cells) for cells in scene.highlights.owned] == [["S40", "T40"], []]


# --- every game -------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("which", [0, -1], ids=["first", "last"])
def test_an_empty_board_of_every_game_is_drawn(rules, which):
    board = rules.boards[which]
    scene = scene_of_board(conditions_of(rules.code, board))
    picture = read(draw(scene, names=True))

    assert sorted(cells(picture)) == sorted(scene.layout.faces) != []
    assert set(words(picture)) >= set(scene.layout.faces)
    assert picture.find(f"{SVG}title").text == f"{rules.name}, board {board}"


@every_game
def test_the_winning_shape_is_highlighted(rules):
    """The shape consists of stones of the winner, the first seat or the second."""
    for seed in range(3):
        scene, position = end_of_random_game(rules.code, rules.boards[0], seed)
        winner = position.outcome().winner
        won = scene.highlights.winning
        if position.outcome().termination == "goal":
            assert won
            own = set(scene.stones[winner is Seat.SECOND])
            assert all(own.issuperset(scene.names_of(chain)) for chain in won)
            assert any(set(scene.arrived) <= set(scene.names_of(chain)) for chain in won)
            assert of_class(read(draw(scene)), "mark")
        else:
            assert won == ()


@pytest.mark.parametrize("code", ["star-star", "nobridge-star-star", "double-star-star"])
@pytest.mark.parametrize("plies", [20, 60, 400])
def test_highlights_match_the_tally(code, plies):
    rules = GAMES[code]
    conditions = conditions_of(code, "6")
    turns, positions = random_game(rules, conditions, plies, most_plies=plies)
    scene = scene_of_record(Record(conditions=conditions, moves=tuple(turns)))

    for seat, groups, owned in zip(
        Seat, scene.highlights.groups, scene.highlights.owned, strict=True
    ):
        tally = positions[-1].outcome().detail[seat]
        assert (len(groups), owned.bit_count()) == (tally["stars"], tally["peries"])


def scene_or_error(record):
    try:
        return scene_of_record(record), None
    except IllegalMove as error:
        return None, (error.code, error.ply, error.move)


@pytest.mark.parametrize("path", RECORDS)
def test_golden_records_are_drawn_or_rejected_like_verdicts(path):
    for record in parse_records(path.read_text()):
        if not isinstance(record, Record):
            continue
        scene, error = scene_or_error(record)
        verdict = judge(record)
        if error is None:
            assert len(draw(scene, names=True, numbers=True).encode()) < LARGEST
            outcome = verdict.outcome if verdict.is_valid else scene.position.outcome()
            assert scene.outcome == outcome
        else:
            assert [(e.code, e.ply, e.move) for e in verdict.errors] == [error]


@pytest.mark.parametrize(
    ("game", "move", "arrived", "trails"),
    [
        ("penta-line", "S01-S91", ["S91"], [("S01", "S91")]),
        ("mini", "A21-T32", ["T32"], [("A21", "T32")]),
    ],
)
def test_a_move_is_drawn_from_its_start_to_its_end(game, move, arrived, trails):
    scene = scene_of_record(Record.parse(f'[Game "{game}"]\n[Board "10"]\n\n{move} *'))

    assert (list(scene.arrived), list(scene.trails)) == (arrived, trails)
    assert [e.tag for e in of_class(read(draw(scene)), "mark")] == [f"{SVG}path", f"{SVG}circle"]


@pytest.mark.parametrize("swap", ["", " swap"])
def test_the_sides_of_hex_follow_the_colour_through_a_swap(swap):
    picture = drawn(f'[Game "hex"]\n[Board "5"]\n\na1{swap} *')
    sides = [e.get("class") for e in picture.iter(f"{SVG}polygon")][1:5]

    assert sides == (["stone2", "stone1"] if swap else ["stone1", "stone2"]) * 2


def test_twixt_links_that_cross_enemy_links_are_not_drawn():
    scene = scene_of_record(Record.parse('[Game "twixt"]\n[Board "8"]\n\nc3 c4 d5 d2 *'))
    names = scene.board.names

    assert [
        [(names[one], names[other]) for one, other in links] for links in scene.highlights.links
    ] == [[("c3", "d5")], []]


def test_twixt_names_are_clear_of_links_and_of_each_other():
    scene = scene_of_record(find_sample("twixt"))
    names = [word for word in words_of(scene, names=True, numbers=False) if word.use == "name"]
    boxes = [word.box for word in names]

    assert len(names) == 69
    assert [
        (one, other)
        for (one, (start, end)), (other, (left, right)) in combinations(
            zip([word.text for word in names], boxes, strict=True), 2
        )
        if start.real < right.real
        and left.real < end.real
        and start.imag < right.imag
        and left.imag < end.imag
    ] == []
    assert not any(part_inside(link, box) for link in scene.links() for box in boxes)


@pytest.mark.parametrize(("board", "smaller"), [("4", 0), ("6", 1), ("8", 2), ("10", 2)])
def test_smaller_boards_have_heavy_lines(board, smaller):
    picture = read(draw(scene_of_board(conditions_of("star-star", board))))
    heavy = [e.get("d") for e in of_class(picture, "line") if e.get("stroke-width") == "3"]

    assert sum(data.count("z") for data in heavy) == smaller


def test_the_shapes_of_penta_hex_show_their_owners():
    scene = scene_of_record(find_sample("penta-hex"), 56)
    picture = read(draw_shapes(scene.position))

    assert picture.get("aria-label") == "4 of 22 shapes are on the board: first 0, second 4"
    uses = ("cell", "stone1", "stone2", "ring")
    assert [len(of_class(picture, use)) for use in uses] == [18, 0, 4, 4]


# --- the SVG file -----------------------------------------------------------------------------


def test_title_and_description_are_accessible():
    picture = drawn(SMALL + "S40 A40 S41 A30 S20 A20 *")
    title, description = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")

    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby") == title.get("id")
    assert picture.get("aria-describedby") == description.get("id")
    assert list(picture)[:2] == [title, description]
    assert title.text == "Ada – Ben, *Star, board 4"
    assert description.text == (
        "50 cells. After turn 6 of 6 · last A20. "
        "Ada (first, counted so far: 2 peries, 1 quark, 1 star): S20 S40 S41. "
        "Ben (second, counted so far: nothing): A20 A30 A40. "
        "A star of first: S40 S41."
    )
    alone = drawn('[Game "queens"]\n[Board "10"]\n\nC *').find(f"{SVG}desc").text
    assert alone == "276 cells. After turn 1 of 1 · last C. Player (1 stone): C."


@pytest.mark.parametrize(
    "name",
    [
        '</text><script>alert("1")</script>',
        "a\u202eb\u0000\ufffe\ud800",
        "王" * 1000,
    ],
)
def test_names_of_players_are_escaped(name):
    record = Record(
        conditions=conditions_of("star-star", "4"), moves=("S40",), tags={"First": name}
    )
    svg = draw(scene_of_record(record))
    picture = read(svg.encode())

    assert not [e for e in picture.iter() if e.tag in (f"{SVG}script", f"{SVG}b")]
    assert picture.find(f"{SVG}title").text.endswith(" – Second, *Star, board 4")
    assert max(map(len, words(picture))) < 80


@pytest.mark.parametrize("ply", [-1, 3, 10**9])
def test_a_ply_outside_the_record_is_rejected(ply):
    with pytest.raises(PlyOutOfRange, match="valid are 0 to 2") as caught:
        scene_of_record(Record.parse(SMALL + "S40 A40 resign"), ply)

    assert caught.value.plies == 2


def test_an_illegal_turn_has_its_place_and_earlier_plies_are_drawn():
    record = Record.parse(SMALL + "S40 A40 S40 *")
    with pytest.raises(IllegalMove) as caught:
        scene_of_record(record)

    assert (caught.value.code, caught.value.ply, caught.value.move) == (Code.OCCUPIED, 3, "S40")
    assert len(scene_of_record(record, 2).turns) == 2


@pytest.mark.parametrize(
    ("ending", "caption"),
    [
        ("S40 A40 *", "After turn 2 of 2 · last A40"),
        ("S40 A40 resign", "After turn 2 of 2 · last A40 · resigned · second wins"),
        ("S40 A40 agreed 11-10", "After turn 2 of 2 · last A40 · agreed 11-10 · first wins"),
        ("S40 A40 11-10", "After turn 2 of 2 · last A40 · claimed 11-10"),
    ],
)
def test_the_caption_states_the_result(ending, caption):
    assert caption in words(drawn(SMALL + ending))


@pytest.mark.parametrize(
    ("ending", "words_beside_bar", "tints"),
    [
        ("*", "open: 17", []),
        ("agreed 11-10", "agreed", ["tint1", "tint2"]),
        ("resign", "resigned", []),
        ("time", "time", []),
        ("11-10", "open: 17", []),
    ],
)
def test_the_bounds_bar_states_what_is_open_or_how_the_game_ended(ending, words_beside_bar, tints):
    picture = drawn(SMALL + f"S40 A40 {ending}")
    bar = [e.get("class") for e in picture.iter(f"{SVG}rect") if e.get("height") == "18"]

    assert words_beside_bar in words(picture)
    assert any("open: " in word for word in words(picture)) is words_beside_bar.startswith("open")
    assert bar == ["peri", *tints, "stone1", "stone2"]


@pytest.mark.parametrize("handicap", ["", "second 3 points"])
def test_the_bounds_bar_is_divided_as_agreed(handicap):
    tags = SMALL.replace("\n\n", f'\n[Handicap "{handicap}"]\n\n' if handicap else "\n\n")
    picture = drawn(tags + "S40 A40 agreed 14-7")
    widths = {e.get("class"): float(e.get("width")) for e in picture.iter(f"{SVG}rect")}

    assert widths["tint1"] / widths["peri"] == pytest.approx(14 / 21, abs=1e-3)
    assert widths["tint2"] / widths["peri"] == pytest.approx(7 / 21, abs=1e-3)


@pytest.mark.parametrize(
    ("tag", "line"),
    [
        ("second 3 stones", "Handicap: Ben has 3 stones before the first turn"),
        ("second 1 stones", "Handicap: Ben has 1 stone before the first turn"),
        ("second 2 points", "Handicap: Ben +2, Ada -2 points"),
        ("first 1 points", "Handicap: Ada +1, Ben -1 point"),
    ],
)
def test_the_caption_states_the_handicap(tag, line):
    picture = drawn(SMALL.replace("\n\n", f'\n[Handicap "{tag}"]\n\n') + "S40 A40 *")

    assert line in words(picture)
    assert line in picture.find(f"{SVG}desc").text
    heights = [float(drawing.get("height")) for drawing in (picture, drawn(SMALL + "S40 A40 *"))]
    assert heights[0] == heights[1] + 22


# --- colours ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "ground", "least"),
    [
        *(
            (stone, ground, 3)
            for stone in ("stone1", "stone2", "mark", "name")
            for ground in ("cell", "shade")
        ),
        ("stone1", "tint1", 3),
        ("stone2", "tint2", 3),
        ("stone1", "stone2", 3.6),
        ("on1", "stone1", 4.5),
        ("on2", "stone2", 4),
        ("ring", "stone2", 3),
        ("label", "page", 7),
        ("name", "cell", 4.5),
        ("name", "shade", 4.5),
        ("quark", "peri", 3),
        ("bridge", "ground", 3),
    ],
)
def test_marks_have_enough_contrast(mark, ground, least):
    colours = [DIAGRAM_PAINTS[use].light for use in (mark, ground)]

    assert contrast(*colours) >= least
