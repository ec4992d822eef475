"""The players' side: each reports the own game with the own token, as text or as JSON."""

from typing import Any

from deploy.demo.event import Event
from deploy.demo.rest import JSON, TEXT, Answer, DemoError
from deploy.samples.event import SampleGame, SampleRecord


def send_record(
    event: Event, game_id: int, name: str, record: SampleRecord, *, as_text: bool
) -> dict[str, Any]:
    """Report a game by its record as the player of that name; the accepted report and its task."""
    body: Any = record.text if as_text else {"record": record.as_json()}
    form = TEXT if as_text else JSON
    path = f"/games/{game_id}/reports"
    accepted: dict[str, Any] = event.service.post(
        path, body, token=event.tokens[name], form=form
    ).body
    return accepted


def report(event: Event, game_id: int, game: SampleGame, *, number: int) -> None:
    """Bring a played game to its proof; `number` counts the games from 0.

    In every other game both sides send the record, one as text and one as JSON; in the rest one
    side sends it, first and second seat in turn, and the other confirms. Raises DemoError for a
    game that does not end confirmed.
    """
    record = game.proof
    sides = [game.first, game.second]
    if number // 2 % 2:
        sides.reverse()
    sent = send_record(event, game_id, sides[0], record, as_text=number % 4 < 2)
    if number % 2 == 0:
        sent = send_record(event, game_id, sides[1], record, as_text=number % 4 >= 2)
    else:
        said = {"version": sent["report"]["version"]}
        path = f"/games/{game_id}/confirm"
        sent = event.service.post(path, said, token=event.tokens[sides[1]]).body
    state = sent["task"]["result"]["state"]
    if state != "confirmed":
        raise DemoError(f"{game.first} - {game.second} is {state} after both sides reported")


def forfeit(event: Event, game_id: int, game: SampleGame) -> None:
    """Rule a game that was not played, as its director."""
    absent = game.second if game.result == "1-0" else game.first
    body = {
        "result": game.result,
        "termination": "forfeit",
        "reason": f"{absent} did not come to the board",
    }
    event.service.post(f"/games/{game_id}/rule", body)


def try_record(event: Event, game_id: int, name: str, record: SampleRecord) -> Answer:
    """Send a record that may be refused; the answer, whatever it is."""
    body = {"record": record.as_json()}
    return event.service.ask("POST", f"/games/{game_id}/reports", body, token=event.tokens[name])
