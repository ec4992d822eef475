"""What a record or a claim of a game comes to: its conditions compared, the outcome it gives.

Everything is read and replayed by the rules; nothing is written here.
"""

from typing import Any

from games.http.errors import Unprocessable
from games.models import Game
from games.rules import find_game
from games.rules.errors import RecordError
from games.rules.records.record import Record

CLAIMED_ENDINGS = ("agreed", "resigned", "time")


def conditions_of(game: Game) -> dict[str, Any]:
    """What a record must agree with, in the JSON form of a record.

    A game that knows several starts has the usual one in an event.
    """
    read_setup = find_game(game.game).read_setup
    setup = read_setup(None) if read_setup else None
    return {
        "game": game.game,
        "board": game.board,
        "options": list(game.options),
        "swap": game.swap,
        "handicap": game.handicap,
        "advice": game.advice or None,
        "setup": setup and {"first": list(setup[0]), "second": list(setup[1])},
    }


def check_conditions(game: Game, record: Record) -> None:
    """Raise `conditions_differ` naming each tag in which the record is of another game."""
    wanted, found = conditions_of(game), record.conditions()
    errors = [
        {
            "code": "conditions_differ",
            "pointer": f"/record/{name}",
            "detail": f"the record has {name} {found[name]!r}, the game was set with {value!r}",
        }
        for name, value in wanted.items()
        if found[name] != value
    ]
    names = (record.tags.get("First"), record.tags.get("Second"))
    if names == (game.second.name, game.first.name) and names[0] != names[1]:
        errors.append(
            {
                "code": "conditions_differ",
                "pointer": "/record/tags/First",
                "detail": f"{game.first.name} has the first seat of this game, not the second",
            }
        )
    if errors:
        listed = ", ".join(error["pointer"].rsplit("/", 1)[1] for error in errors)
        raise Unprocessable(
            "conditions_differ", f"the record is not of this game: {listed} differ", errors
        )


def read_record(content: str | dict[str, Any]) -> tuple[Record, dict[str, Any]]:
    """A record, text or JSON, with its verdict; raises Unprocessable at its first error."""
    try:
        record = Record.parse(content) if isinstance(content, str) else Record.from_json(content)
        return record, record.replay().as_dict()
    except RecordError as error:
        raise Unprocessable(
            error.code,
            f"the record is refused: {error.detail}",
            [{**error.as_dict(), "pointer": "/record"}],
        ) from error


def outcome_of(verdict: dict[str, Any]) -> dict[str, Any]:
    """The part of a verdict that says who won, how and with what score."""
    return {
        "winner": verdict.get("winner"),
        "draw": bool(verdict.get("draw", False)),
        "score": verdict.get("score"),
        "termination": verdict.get("termination"),
    }


def proven_outcome(verdict: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a record, with what its verdict counts on the board by seat (`detail`)."""
    detail = verdict.get("detail")
    return outcome_of(verdict) | ({"detail": detail} if detail else {})


def claimed_outcome(game: Game, result: str, termination: str = "agreed") -> dict[str, Any]:
    """The outcome that a claim such as `26-25`, `1-0` or `1/2` stands for, checked by the rules.

    A score must be one that a full board can give; a bare `1-0` in a game that counts scores
    needs `resigned` or `time`. Raises Unprocessable.
    """
    if termination not in CLAIMED_ENDINGS:
        raise Unprocessable(
            "unknown_termination", f"a claim's termination is one of {', '.join(CLAIMED_ENDINGS)}"
        )
    if result in ("1-0", "0-1") and termination != "agreed":
        winner = "first" if result == "1-0" else "second"
        return {"winner": winner, "draw": False, "score": None, "termination": termination}
    claim = {**conditions_of(game), "moves": ["agreed"], "result": result}
    try:
        verdict = Record.from_json(claim).replay().as_dict()
    except RecordError as error:
        raise Unprocessable(
            "claim_refused",
            f"the claim {result[:20]!r} cannot be: {error.detail}",
            [{**error.as_dict(), "pointer": "/claim/result"}],
        ) from error
    return outcome_of(verdict)
