"""Records: text and JSON, conditions, endings and claims."""

import json

import pytest

from games.rules.conditions import Conditions, Handicap
from games.rules.records.notation import Comment
from games.rules.records.record import Record, first_difference
from games.rules.records.streams import judge
from games.rules.samples import find_sample
from games.rules.seat import Seat
from tests.games.rules.sample_records import FULL, text


def test_a_complete_record():
    record = Record.parse(
        '[Round "3"]\n[Board "10"]\n[First "Ada \\"the rim\\" \\\\ L."]\n[Game "star-star"]\n'
        '[Handicap "first 2 points"]\n[Advice "second"]\n\n'
        "{opening} 1. s60 SWAP 2. T07 ; sharp\n *00 Agreed 026-25 {done}\n"
    )

    assert record.conditions == Conditions(
        game="star-star", board="10", handicap=Handicap(Seat.FIRST, points=2), advice=Seat.SECOND
    )
    assert record.moves == ("S60", "swap", "T07", "*00", "agreed")
    assert record.result == "26-25"
    assert record.tags == {"Round": "3", "First": 'Ada "the rim" \\ L.'}
    assert record.comments == (
        Comment(0, "opening"),
        Comment(3, " sharp", to_line_end=True),
        Comment(6, "done"),
    )
    assert str(record) == (
        '[Game "star-star"]\n[Board "10"]\n[Swap "yes"]\n[Handicap "first 2 points"]\n'
        '[Advice "second"]\n[Round "3"]\n[First "Ada \\"the rim\\" \\\\ L."]\n\n'
        "{opening} 1. S60 swap 2. T07 ; sharp\n*00 agreed 26-25 {done}\n"
    )
    assert Record.parse(str(record)) == record == Record.from_json(record.as_json())


@pytest.mark.parametrize(
    ("tags", "conditions"),
    [
        ([], {"swap": True, "handicap": None, "advice": None, "setup": None}),
        (['[Swap "no"]'], {"swap": False}),
        (['[Handicap "second 2 stones"]'], {"swap": False}),
        (['[Handicap "second 2 points"]'], {"swap": True}),
        (['[Handicap "second 10 stones"]'], {"handicap": {"seat": "second", "stones": 10}}),
        (['[Handicap "second 9999 points"]'], {"handicap": {"seat": "second", "points": 9999}}),
        (['[Advice "first"]'], {"advice": "first"}),
        (['[Options ""]'], {"options": []}),
    ],
)
def test_conditions_are_filled_with_defaults(tags, conditions):
    found = Record.parse(text("", *tags)).conditions.as_json()

    assert list(found) == ["game", "board", "options", "swap", "handicap", "advice", "setup"]
    assert found == {**found, **conditions}


@pytest.mark.parametrize(
    ("moves", "state", "termination", "winner", "claim"),
    [
        ("", "unfinished", None, None, None),
        ("*", "unfinished", None, None, None),
        ("S10", "unfinished", None, None, None),
        ("S10 1-0", "unfinished", None, None, "1-0"),
        ("S10 1/2", "unfinished", None, None, "1/2"),
        ("S10 011-10", "unfinished", None, None, "11-10"),
        ("resign", "finished", "resigned", "second", None),
        ("S10 resign", "finished", "resigned", "first", None),
        ("S10 resign 1-0", "finished", "resigned", "first", None),
        ("S10 swap time", "finished", "time", "second", None),
        ("S10 swap T10 TIME 1-0", "finished", "time", "first", None),
        ("S10 agreed 11-10", "finished", "agreed", "first", None),
        ("S10 agreed 2-19", "finished", "agreed", "second", None),
        (FULL, "finished", "full", "second", None),
        (FULL + " 0-1", "finished", "full", "second", None),
    ],
)
def test_the_state_of_a_record(moves, state, termination, winner, claim):
    verdict = judge(text(moves))

    assert verdict.errors == ()
    found = verdict.state, verdict.outcome.termination, verdict.outcome.winner, verdict.claim
    assert found == (state, termination, winner, claim)
    assert (verdict.to_move is None) == (state == "finished")


@pytest.mark.parametrize(
    ("moves", "code"),
    [
        ("S10 resign 0-1", "claim_contradicts"),
        ("S10 resign *", "claim_contradicts"),
        ("S10 resign 11-10", "claim_contradicts"),
        ("S10 time 1/2", "claim_contradicts"),
        ("S10 agreed", "claim_contradicts"),
        ("S10 agreed *", "claim_contradicts"),
        ("S10 agreed 1-0", "claim_contradicts"),
        ("S10 agreed 1/2", "claim_contradicts"),
        ("S10 agreed 10-10", "claim_contradicts"),
        ("S10 agreed 121-100", "claim_contradicts"),
        ("S10 agreed 60--39", "claim_out_of_bounds"),
        ("S10 agreed +99", "claim_out_of_bounds"),
        ("S10 agreed +2", "claim_contradicts"),
        (FULL + " 1-0", "claim_contradicts"),
        (FULL + " *", "claim_contradicts"),
        (FULL + " 1/2", "claim_contradicts"),
        (FULL + " 11-10", "claim_contradicts"),
    ],
)
def test_false_claims_are_rejected(moves, code):
    errors = judge(text(moves)).errors
    assert [error.code for error in errors] == [code]
    assert code != "claim_out_of_bounds" or errors[0].detail.endswith(
        ("; not 60 and -39", "+17 here, not +99")
    )


@pytest.mark.parametrize(
    ("lead", "score"),
    [("+1", "11-10"), ("−1", "10-11"), ("–3", "9-12"), ("-003", "9-12"), ("+13", "17-4")],
)
@pytest.mark.parametrize("tag", ["", '[Handicap "second 2 points"]'])
def test_an_agreed_lead_is_read_as_its_score(lead, score, tag):
    written = Record.parse(text(f"S10 {{all}} agreed {lead} ; counted", tag))
    sent = Record.from_json(
        Record.parse(text("S10 agreed 11-10", tag)).as_json() | {"result": lead}
    )

    assert (written.result, sent.result) == (score, score)


@pytest.mark.parametrize(
    ("moves", "code"),
    [("S10 +1", "unreadable"), ("S10 -1", "unknown_cell"), ("S10 agreed +", "unreadable")],
)
def test_a_lead_is_agreed(moves, code):
    assert [error.code for error in judge(text(moves)).errors] == [code]


@pytest.mark.parametrize(
    ("tag", "lead", "detail"),
    [
        ("", "+999", "the first seat's lead is from -17 to +17 here, not +999"),
        (
            '[Handicap "first 2 points"]',
            "-27",
            "the first seat's lead is from -13 to +21 here, not -27",
        ),
        ("", "+2", "the scores of this board add up to 21, an odd number, so no lead is +2"),
    ],
)
def test_a_lead_that_the_board_does_not_have_is_named(tag, lead, detail):
    (error,) = judge(text(f"S10 agreed {lead}", tag)).errors
    assert error.detail == detail


def test_a_lead_in_a_game_without_leads_names_a_score():
    (error,) = judge('[Game "star"]\n[Board "3x4"]\n\nagreed +1').errors
    assert error.detail.endswith("which add up to 19 here, as in agreed 10-9")


def test_a_typographic_dash_is_a_hyphen():
    assert judge(text("S10 agreed 11–10")).digest == judge(text("S10 agreed 11-10")).digest


def test_a_proved_score_has_its_terms():
    sample = find_sample("star-star")
    assert (
        sample.replay().as_json()
        | {
            "terms": {
                "first": {"peries": 13, "quark_peri": 0, "reward": 6},
                "second": {"peries": 17, "quark_peri": 1, "reward": -6},
            },
            "alternative": {
                "score": 7,
                "bounds": [7, 7],
                "peries": {"first": 13, "second": 18},
                "reward": 12,
            },
        }
        == sample.replay().as_json()
    )


@pytest.mark.parametrize("moves", ["S10 T10 *", "S10 agreed 11-10", "S10 resign", "S10 11-10"])
def test_what_is_counted_so_far_is_no_sum(moves):
    assert "terms" not in judge(text(moves)).as_json()


@pytest.mark.parametrize(
    ("handicap", "moved"),
    [("first 3 points", 3), ("second 30 points", -30), ("first 40 points", 40)],
)
def test_handicap_points_move_from_one_seat_to_the_other(handicap, moved):
    plain = judge(text(FULL))
    with_points = judge(text(FULL, f'[Handicap "{handicap}"]'))
    score = plain.outcome.score[0] + moved, plain.outcome.score[1] - moved

    assert with_points.outcome.score == score
    open_bounds = [judge(text("S10", tags)).as_json() for tags in ("", f'[Handicap "{handicap}"]')]
    (first, second), (moved_first, moved_second) = [
        [found["bounds"][seat] for seat in Seat] for found in open_bounds
    ]
    assert moved_first == [bound + moved for bound in first]
    assert moved_second == [bound - moved for bound in second]
    leads = [found["alternative"]["bounds"] for found in open_bounds]
    assert leads[1] == [lead + 2 * moved for lead in leads[0]]
    terms = with_points.as_json()["terms"]
    assert (terms["first"]["handicap"], terms["second"]["handicap"]) == (moved, -moved)
    assert tuple(sum(terms[seat].values()) for seat in Seat) == score
    assert with_points.as_json()["alternative"]["score"] == score[0] - score[1]
    assert with_points.outcome.winner == ("first" if score[0] > score[1] else "second")
    assert judge(text(f"{FULL} {score[0]}-{score[1]}", f'[Handicap "{handicap}"]')).is_valid


def test_a_certain_winner_is_stated_while_the_score_is_open():
    verdict = judge(text("S10", '[Handicap "second 60 points"]'))

    assert (verdict.state, verdict.outcome.winner, verdict.outcome.winner_decided) == (
        "unfinished",
        None,
        "second",
    )


def test_the_json_form_of_a_verdict():
    assert json.loads(json.dumps(judge(text("S10 swap T10")).as_json())) == {
        "valid": True,
        "game": "star-star",
        "board": "4",
        "plies": 3,
        "to_move": "second",
        "state": "unfinished",
        "termination": None,
        "winner": None,
        "score": None,
        "bounds": {"first": [2, 19], "second": [2, 19]},
        "detail": {
            "first": {"peries": 0, "quarks": 0, "stars": 0},
            "second": {"peries": 0, "quarks": 0, "stars": 0},
        },
        "digest": judge(text("s10 swap t10 *")).digest,
        "alternative": {
            "score": None,
            "bounds": [-17, 17],
            "peries": {"first": 0, "second": 0},
            "reward": 0,
        },
    }


@pytest.mark.parametrize(
    ("one", "other", "ply"),
    [
        ("S10 T10", "S10 T10", None),
        ("S10 T10", "1. s10 {x} t10 *", None),
        ("S10 T10", "S10 T20", 2),
        ("S10 T10", "S10", 2),
        ("S10 T10 resign", "S10 T10", 3),
        ("S10 T10 resign", "S10 T10 resign 0-1", None),
        ("S10 T10 resign", "S10 T10 time", 3),
        ("S10 agreed 11-10", "S10 agreed 10-11", 2),
        ("S10 1-0", "S10 0-1", 2),
    ],
)
def test_the_first_difference_of_two_records(one, other, ply):
    assert first_difference(Record.parse(text(one)), Record.parse(text(other))) == ply
