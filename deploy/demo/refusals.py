"""What the service must refuse, tried on the way: each refusal has its status and its code."""

from collections.abc import Iterator
from dataclasses import replace
from textwrap import shorten

from deploy.demo.event import Event, set_up
from deploy.demo.rest import Answer, DemoError
from deploy.demo.sides import report, send_record, try_record
from deploy.samples.event import SampleGame, SampleRound

LONGEST = 120
"""Letters that are shown of an answer."""


def expect(answer: Answer, status: int, code: str, what: str) -> str:
    """The sentence about a refusal; raises DemoError when it is not the one that is due."""
    found = answer.body.get("code") if isinstance(answer.body, dict) else None
    if (answer.status, found) != (status, code):
        raise DemoError(f"{what}: {status} {code} was due, the answer is {answer}")
    return f"refused, as it must be: {what}: {shorten(str(answer), LONGEST, placeholder=' …')}"


def unknown_tiebreak(event: Event) -> str:
    """Try to make an event that ranks by a tie-break nobody knows."""
    body = set_up(event) | {"slug": f"{event.slug}-x"}
    answer = event.service.ask("POST", "/tournaments", body | {"tiebreaks": ["PTS", "LUCK"]})
    return expect(answer, 422, "unknown_tiebreak", "an event ranked by LUCK")


def in_first_round(event: Event, this_round: SampleRound, games: list[int]) -> Iterator[str]:
    """Try what is not allowed while the first round's games are open; a sentence each."""
    one, other = this_round.games[:2]
    moves = one.proof.moves
    ply = len(moves) // 2
    twice = (*moves[:ply], moves[0], *moves[ply + 1 :])
    answer = try_record(event, games[0], one.first, replace(one.proof, moves=twice))
    said = expect(answer, 422, "occupied", f"a record whose ply {ply + 1} fills a cell again")
    if answer.body["errors"][0].get("ply") != ply + 1:
        raise DemoError(f"the refusal names another ply than {ply + 1}: {answer.body['errors']}")
    yield said

    answer = try_record(event, games[0], other.first, one.proof)
    yield expect(answer, 403, "role_missing", f"{other.first} reports somebody else's game")

    number = this_round.number + 1
    answer = event.service.ask("POST", f"{event.path}/rounds/{number}/pair")
    yield expect(answer, 409, "round_open", f"round {number} paired too early")


def contradiction(event: Event, game_id: int, game: SampleGame) -> str:
    """Let two sides contradict each other, and put it right: the last word of each side counts."""
    send_record(event, game_id, game.first, game.proof, as_text=True)
    wrong = {"claim": {"result": "-".join(reversed(game.result.split("-")))}}
    path = f"/games/{game_id}/reports"
    claimed = event.service.post(path, wrong, token=event.tokens[game.second]).body
    state = claimed["task"]["result"]["state"]
    if state != "disputed":
        raise DemoError(f"two sides that contradict each other leave the game {state}")
    report(event, game_id, game, number=0)
    return f"{game.first} - {game.second} was disputed until both sides sent the same record"
