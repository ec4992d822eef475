"""Read what a report states: check a record or a claim against its game, return the outcome.

Nothing is written here.
"""

import re
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from games.core.errors import Unprocessable, named_member
from games.core.serializers import DRAWS
from games.models import Game
from games.rules.conditions import Conditions
from games.rules.errors import BadConditions, Code, RecordError
from games.rules.game_outcome import FORFEITS, AnyTermination, GameOutcome, RulingTermination
from games.rules.messages import gettext_noop
from games.rules.outcome import Termination
from games.rules.records import claims
from games.rules.records.claims import BOTH_LOSE_TOKEN, DRAW_TOKEN, WIN_TOKENS
from games.rules.records.handicaps import with_points
from games.rules.records.record import Record
from games.rules.records.verdict import Verdict
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.text import Text, Word

CLAIM_TERMINATIONS = (Termination.AGREED, Termination.RESIGNED, Termination.TIME)
MEMBERS = {"Game": "ruleset", "Board": "board_size"}
"""The members of a body, or parameters, whose names are not those of the tags of a record."""
MEMBER_CODES = {
    Code.UNKNOWN_GAME: "unknown_ruleset",
    Code.UNKNOWN_BOARD: "unknown_board_size",
}


FORFEIT_MARK: Final = "f"
"""The last letter of the result of a forfeited game."""
SHORT_RESULTS: Final = {
    "1": "1-0",
    "0": "0-1",
    **dict.fromkeys(DRAWS, "1/2"),
    "+": "1-0f",
    "-": "0-1f",
    **dict.fromkeys(("+-", "+--", "+:-", "+/-"), "1-0f"),
    **dict.fromkeys(("-+", "--+", "-:+", "-/+"), "0-1f"),
    **dict.fromkeys(("--", "---", "-:-", "-/-"), "0-0f"),
}
"""Results as people type them, by the result as the API reads it."""
RESULT: Final = re.compile(r"-?\d{1,4}--?\d{1,4}|1/2|(1-0|0-1|0-0)f", re.ASCII)
"""A score or a token, `f` for a forfeit."""
TYPED_SCORE: Final = re.compile(r"(-?\d{1,4})\s*[\s:–;,-]\s*(-?\d{1,4})")


def refused_conditions(error: BadConditions) -> Unprocessable:
    """Return the problem of conditions in a body."""
    name = MEMBERS.get(error.tag, error.tag.lower())
    code = MEMBER_CODES.get(error.code, error.code)
    return Unprocessable(code, error.detail, at=f"/{name}", valid=error.valid)


def conditions_as_json(game: Game) -> dict[str, Any]:
    """Return what a record must agree with, in the JSON form of a record.

    A game with several starting positions is played from the usual one.
    """
    parse_setup = find_game(game.game).parse_setup
    setup = parse_setup(None) if parse_setup else None
    return {
        "game": game.game,
        "board": game.board,
        "options": list(game.options),
        "swap": game.swap,
        "handicap": game.handicap,
        "advice": game.advice or None,
        "setup": setup and {"first": list(setup[0]), "second": list(setup[1])},
    }


def conditions_as_columns(conditions: Conditions) -> dict[str, Any]:
    """Return the columns of a game with these conditions."""
    values = conditions.as_json()
    columns = ("game", "board", "options", "swap", "handicap")
    return {name: values[name] for name in columns} | {"advice": conditions.advice or ""}


def possible_results(game: Game) -> list[str]:
    """Return the results that a claim on a game can state as agreed."""
    return claims.possible_results(find_game(game.game), conditions_of(game))


def final_result(game: Game, counted: str) -> str:
    """Return the result of a score that was counted on the board, with the handicap's points."""
    return with_points(counted, conditions_of(game).points_for_first)


def conditions_of(game: Game) -> Conditions:
    """Return what a record must agree with."""
    return Record.from_json({**conditions_as_json(game), "moves": []}).conditions


def check_conditions(game: Game, record: Record) -> None:
    """Raise `conditions_differ` with each tag in which the record differs from the game."""
    found = record.conditions.as_json()
    differences = {
        f"/record/{name}": Text(
            "the record has %(name)s %(value)s, the game has %(other)s",
            name=named_member(name),
            value=_shown(found[name]),
            other=_shown(value),
        )
        for name, value in conditions_as_json(game).items()
        if found[name] != value
    }
    if "/record/advice" in differences:
        differences["/record/advice"] = _advice_differs(game, record)
    names = (record.tags.get("First"), record.tags.get("Second"))
    if names == (game.second.name, game.first.name) and names[0] != names[1]:
        differences["/record/tags/First"] = Text(
            "%(name)s has the first seat of this game, not the second", name=game.first.name
        )
    if differences:
        listed = [named_member(pointer.rsplit("/", 1)[1]) for pointer in differences]
        raise Unprocessable(
            "conditions_differ",
            Text("the record is not of this game: %(names)s differ", names=listed),
            [
                {"code": "conditions_differ", "pointer": pointer, "detail": detail}
                for pointer, detail in differences.items()
            ],
        )


def _shown(value: object) -> str:
    """Return a condition in an error, as it was sent; pages say yes, no or none."""
    words = {True: gettext_noop("yes"), False: gettext_noop("no"), None: gettext_noop("none")}
    if value is None or isinstance(value, bool):
        return Word(repr(value), words[value])
    return f"{value!r}"


def _advice_differs(game: Game, record: Record) -> Text:
    """Return a sentence for a record with other advice than the game, which names the setting."""
    names = {Seat.FIRST: game.first.name, Seat.SECOND: game.second.name}
    if game.advice:
        return Text(
            "%(name)s may be advised in this game, so its record has [Advice %(seat)s]",
            name=names[Seat(game.advice)],
            seat=f'"{game.advice}"',
        )
    assert record.conditions.advice is not None, "the record has other advice than the game"
    return Text(
        "the record has advice to %(name)s, the game has none: an event allows it by its setting"
        " “The stronger player may advise the other”, between players of different ratings",
        name=names[record.conditions.advice],
    )


def read_record(content: str | dict[str, Any]) -> tuple[Record, Verdict]:
    """Return a record, given as text or JSON, and its verdict; raise Unprocessable if illegal."""
    try:
        record = Record.parse(content) if isinstance(content, str) else Record.from_json(content)
        return record, record.replay()
    except RecordError as error:
        detail = Text("the record is rejected: %(detail)s", detail=error.detail)
        raise record_error(error.code, detail, error, "/record") from error


def full_result(text: str) -> str:
    """Return a result as the API reads it: `1` is `1-0`, `14:7` is `14-7`."""
    text = text.strip()
    if text in SHORT_RESULTS:
        return SHORT_RESULTS[text]
    score = TYPED_SCORE.fullmatch(text)
    return f"{score[1]}-{score[2]}" if score else text


def require_result(
    game: Game,
    result: str,
    *,
    at: str,
    is_claim: bool = False,
    is_ruled: bool = False,
    is_corrected: bool = False,
) -> None:
    """Raise Unprocessable, with the forms that the game takes, for a text that is no result.

    Officials may enter that players did not appear; by a ruling, that both lose; and a correction
    may annul the game.
    """
    if RESULT.fullmatch(result):
        return
    rules = find_game(game.game)
    example, _ = claims.example_results(rules, conditions_of(game))
    score = [Text("a score such as %(score)s", score=example)] if example else []
    draw = [Text("1/2 for a draw")] if rules.draws else []
    forfeit = [] if is_claim else [Text("1-0f, 0-1f, 0-0f for a forfeit")]
    both_lose = [Text("0-0 for a played game that both lose")] if is_ruled else []
    annulled = [Text("%(state)s if it does not count", state=Game.State.ANNULLED)] * is_corrected
    win = Text("1-0 for a win of the first seat, 0-1 of the second")
    forms = reduce(
        lambda detail, other: Text("%(detail)s; %(other)s", detail=detail, other=other),
        [*score, win, *draw, *forfeit, *both_lose, *annulled],
    )
    raise Unprocessable("invalid", Text("a result of this game is %(forms)s", forms=forms), at=at)


def claimed_outcome(
    game: Game,
    result: str,
    termination: Termination = Termination.AGREED,
    *,
    at: str = "/claim/result",
) -> GameOutcome:
    """Return the outcome of a claim such as `26-25`, `1-0` or `1/2`.

    A score must be possible on a full board; in a game that is scored, a bare `1-0` must say
    `resigned` or `time`. Raises Unprocessable with the pointer `at`.
    """
    require_result(game, result, at=at, is_claim=True)
    if result in WIN_TOKENS and termination != Termination.AGREED:
        return GameOutcome.from_result(result, termination)
    try:
        return GameOutcome.from_agreement(conditions_as_json(game), result)
    except RecordError as error:
        reason = error.detail
        if result in WIN_TOKENS:
            reason = Text(
                "a game that was played to the end has a score; without one, state that it was"
                " resigned or lost on time (termination)"
            )
        detail = Text(
            "the result %(result)s is impossible: %(detail)s",
            result=f"{result[:20]!r}",
            detail=reason,
        )
        wrong = {"pointer": at, "code": error.code, "detail": detail}  # a claim has no ply
        raise Unprocessable("impossible_result", detail, [wrong]) from error


def ruled_outcome(
    game: Game, result: str, termination: AnyTermination, *, at: str = "/result"
) -> GameOutcome:
    """Return the outcome of a result that an arbiter enters: a score, `1-0`, `0-1`, `1/2`, `0-0`.

    Raises Unprocessable, with the pointer `at`, for a score that is impossible on a full board, for
    one of a game that was not played, for a draw in a game that has none, and for `0-0` on which
    the players agree.
    """
    require_result(game, result, at=at, is_ruled=termination not in CLAIM_TERMINATIONS)
    if result == BOTH_LOSE_TOKEN and termination not in (*FORFEITS, RulingTermination.RULED):
        detail = Text("both lose a played game only by a ruling; if neither appeared, it is 0-0f")
        raise Unprocessable("impossible_result", detail, at=at)
    if result in (*WIN_TOKENS, BOTH_LOSE_TOKEN):
        return GameOutcome.from_result(result, termination)
    if result == DRAW_TOKEN and termination in FORFEITS:
        detail = Text("a forfeited game was not played, so it is not drawn")
        raise Unprocessable("impossible_result", detail, at=at)
    if result == DRAW_TOKEN:
        rules = find_game(game.game)
        if not rules.draws:
            detail = Text("a game of %(game)s cannot end in a draw", game=rules.name)
            error = {"pointer": at, "code": Code.CLAIM_CONTRADICTS, "detail": detail}
            raise Unprocessable("impossible_result", detail, [error])
        return GameOutcome.from_result(result, termination)
    if termination in FORFEITS:
        detail = Text("a forfeit has no score; the score is %(score)s", score=result)
        raise Unprocessable("impossible_result", detail, at=at)
    return replace(claimed_outcome(game, result, at=at), termination=termination)


def record_error(code: str, detail: str, error: RecordError, pointer: str) -> Unprocessable:
    """Return the problem of a turn or a claim that the referee rejects."""
    return Unprocessable(code, detail, [{**error.as_json(), "pointer": pointer + error.pointer}])
