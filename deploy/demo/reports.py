"""The players' requests: each player reports a game with a personal token, as text or as JSON."""

from typing import Any

from deploy.demo.client import JSON, TEXT_TYPE, DemoError, DemoResponse
from deploy.demo.event import Event
from deploy.samples.event import SampleGame, SampleRecord


def send_record(
    event: Event, game_id: int, name: str, record: SampleRecord, *, as_text: bool
) -> dict[str, Any]:
    """Report a game by its record as the player `name`; return the report and its task."""
    body: Any = record.text if as_text else {"record": record.as_json()}
    content_type = TEXT_TYPE if as_text else JSON
    accepted: dict[str, Any] = event.client.post(
        f"/games/{game_id}/reports", body, token=event.tokens[name], content_type=content_type
    )
    return accepted


def report_game(event: Event, game_id: int, game: SampleGame, *, number: int) -> None:
    """Report a game from both sides; `number` counts the games of the event from 0.

    In every second game both players send the record, one as text and one as JSON. In the others
    one player sends it, the first and the second seat in turn, and the opponent confirms. Raises
    DemoError if the game is not confirmed then.
    """
    record = game.proof
    players = [game.first, game.second]
    if number // 2 % 2:
        players.reverse()
    response = send_record(event, game_id, players[0], record, as_text=number % 4 < 2)
    if number % 2 == 0:
        response = send_record(event, game_id, players[1], record, as_text=number % 4 >= 2)
    else:
        body = {"version": response["report"]["version"]}
        path = f"/games/{game_id}/confirm"
        response = event.client.post(path, body, token=event.tokens[players[1]])
    state = response["task"]["result"]["state"]
    if state != "confirmed":
        raise DemoError(f"{game.first} - {game.second} is {state} after both sides reported")


def forfeit_game(event: Event, game_id: int, game: SampleGame) -> None:
    """Rule a game that was not played, as its director."""
    absent = game.second if game.result == "1-0" else game.first
    body = {
        "result": game.result,
        "termination": "forfeit",
        "reason": f"{absent} did not appear",
    }
    event.client.post(f"/games/{game_id}/rule", body)


def try_record(event: Event, game_id: int, name: str, record: SampleRecord) -> DemoResponse:
    """Send a record that may be rejected; return the response."""
    body = {"record": record.as_json()}
    return event.client.send("POST", f"/games/{game_id}/reports", body, token=event.tokens[name])
