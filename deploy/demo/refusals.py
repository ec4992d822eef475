"""Requests that the service must reject, each with a known status and code."""

from collections.abc import Iterator
from dataclasses import replace
from textwrap import shorten

from deploy.demo.client import DemoError, DemoResponse
from deploy.demo.event import Event, event_body
from deploy.demo.reports import report_game, send_record, try_record
from deploy.samples.event import SampleGame, SampleRound

LONGEST_RESPONSE = 120
"""Characters of a response that are printed."""


def expect(response: DemoResponse, status: int, code: str, request: str) -> str:
    """Return a sentence about a rejection; raises DemoError if the response is another one."""
    found = response.body.get("code") if isinstance(response.body, dict) else None
    if (response.status, found) != (status, code):
        raise DemoError(f"{request}: expected {status} {code}, the response is {response}")
    text = shorten(str(response), LONGEST_RESPONSE, placeholder=" …")
    return f"rejected as expected: {request}: {text}"


def unknown_tiebreak(event: Event) -> str:
    """Try to create an event with a tie-break that does not exist."""
    body = event_body(event) | {"slug": f"{event.slug}-x", "tiebreaks": ["PTS", "LUCK"]}
    response = event.client.send("POST", "/tournaments", body)
    return expect(response, 422, "unknown_tiebreak", "an event with the tie-break LUCK")


def in_first_round(event: Event, sample_round: SampleRound, games: list[int]) -> Iterator[str]:
    """Try what is not allowed while the first round's games are open; yield a sentence each."""
    game, other_game = sample_round.games[:2]
    moves = game.proof.moves
    ply = len(moves) // 2
    occupied = (*moves[:ply], moves[0], *moves[ply + 1 :])
    response = try_record(event, games[0], game.first, replace(game.proof, moves=occupied))
    line = expect(response, 422, "occupied", f"a record whose ply {ply + 1} is on an occupied cell")
    if response.body["errors"][0].get("ply") != ply + 1:
        raise DemoError(f"the error is not at ply {ply + 1}: {response.body['errors']}")
    yield line

    response = try_record(event, games[0], other_game.first, game.proof)
    yield expect(response, 403, "role_missing", f"{other_game.first} reports another player's game")

    number = sample_round.number + 1
    response = event.client.send("POST", f"{event.path}/rounds/{number}/pair")
    yield expect(response, 409, "round_open", f"round {number} is paired too early")


def contradiction(event: Event, game_id: int, game: SampleGame) -> str:
    """Report a game with contradicting results, then with the same record from both sides."""
    send_record(event, game_id, game.first, game.proof, as_text=True)
    wrong = {"claim": {"result": "-".join(reversed(game.result.split("-")))}}
    path = f"/games/{game_id}/reports"
    claimed = event.client.post(path, wrong, token=event.tokens[game.second])
    state = claimed["task"]["result"]["state"]
    if state != "disputed":
        raise DemoError(f"after two contradicting reports the game is {state}, not disputed")
    report_game(event, game_id, game, number=0)
    return f"{game.first} - {game.second} was disputed until both sides sent the same record"
