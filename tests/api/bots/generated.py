"""Play an event of 16 players over three rounds with the client that `make client` makes."""

import json
import os
import threading
import uuid
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from perihelion_client import AuthenticatedClient
from perihelion_client.api.entries import enter_player, issue_personal_token, list_entries
from perihelion_client.api.games import confirm_game, report_game
from perihelion_client.api.players import register_player
from perihelion_client.api.results import enter_results
from perihelion_client.api.rounds import complete_round, get_round, pair_round, publish_round
from perihelion_client.api.rules import list_rulesets
from perihelion_client.api.tournaments import (
    create_tournament,
    finalise_tournament,
    get_tournament,
    open_tournament,
    review_tournament,
    start_tournament,
)
from perihelion_client.api.webhooks import create_webhook
from perihelion_client.extras import WebhookVerificationError, events, verify_webhook
from perihelion_client.models import (
    BoardResultInput,
    ClaimedResultInput,
    ClaimedResultTerminationEnum,
    EntryInput,
    PlayerDetailsInput,
    ReportInput,
    ResultsInput,
    ResultsRequestBasisEnum,
    TournamentInput,
    WebhookInput,
)

SERVICE = os.environ["PERIHELION_URL"]
ROUNDS = 3
WAIT = "wait=10"


def client_of(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(SERVICE, token=token, timeout=60)


organiser = client_of(os.environ["PERIHELION_TOKEN"])


def done(response: Any) -> Any:
    """The content of a response that is a success."""
    assert response.status_code < 300, response.content
    return response.parsed


def key() -> str:
    """A new key of a POST, with which it acts once."""
    return str(uuid.uuid4())


def act(operation: Any, slug: str) -> Any:
    """Do what a director does with the tournament, as it is now."""
    tag = get_tournament.sync_detailed(slug, client=organiser).headers["ETag"]
    return done(
        operation.sync_detailed(slug, client=organiser, if_match=tag, idempotency_key=key())
    )


def act_in_round(operation: Any, slug: str, number: int) -> Any:
    """Do what a director does with a round, as it is now."""
    tag = get_round.sync_detailed(slug, number, client=organiser).headers["ETag"]
    return done(
        operation.sync_detailed(slug, number, client=organiser, if_match=tag, idempotency_key=key())
    )


def receive_webhooks(slug: str, seen: list[Any], is_final: threading.Event) -> None:
    """Receive what is published in the tournament."""
    secret = ""

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            try:
                message = verify_webhook(secret, self.headers, body)
            except WebhookVerificationError:
                self.send_response(401)
            else:
                self.send_response(204)
                if message["type"] == "game.confirmed":
                    seen.append([message["data"]["game_id"], message["data"]["result"]])
                if message["type"] == "tournament.finalised":
                    is_final.set()
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    url = f"http://127.0.0.1:{server.server_port}/"
    body = WebhookInput(tournament_slug=slug, receiver_url=url)
    secret = done(create_webhook.sync_detailed(client=organiser, body=body)).secret
    threading.Thread(target=server.serve_forever, daemon=True).start()


def create_event() -> str:
    game = done(list_rulesets.sync_detailed(client=organiser)).results[0]
    new = TournamentInput(
        name=f"Cup {uuid.uuid4().hex[:8]}",
        starts_on=date.today(),
        ends_on=date.today(),
        ruleset=game.code,
        board_size=game.board_sizes[0],
        system="dutch",
        rounds=ROUNDS,
    )
    created = create_tournament.sync_detailed(client=organiser, body=new, idempotency_key=key())
    slug: str = done(created).slug
    return slug


def enter_players(slug: str) -> None:
    for number in range(1, 17):
        new = PlayerDetailsInput(name=f"Generated {number}", seed_rating=2000 - number)
        player = done(register_player.sync_detailed(client=organiser, body=new))
        entry = EntryInput(player_id=player.id or 0)
        done(enter_player.sync_detailed(slug, client=organiser, body=entry, idempotency_key=key()))


def play_round(slug: str, number: int, players: dict[int, AuthenticatedClient]) -> None:
    act_in_round(pair_round, slug, number)
    pairings = act_in_round(publish_round, slug, number).rows

    slips = [BoardResultInput(board=row.board, result="1-0") for row in pairings[:6]]
    body = ResultsInput(results=slips, basis=ResultsRequestBasisEnum.SLIP)
    done(enter_results.sync_detailed(slug, number, client=organiser, body=body))
    for row in pairings[6:]:
        first, second = players[row.first.id], players[row.second.id]
        resigned = ClaimedResultTerminationEnum.RESIGNED
        report = ReportInput(claim=ClaimedResultInput("0-1", termination=resigned))
        done(report_game.sync_detailed(row.game_id, client=first, body=report, prefer=WAIT))
        done(confirm_game.sync_detailed(row.game_id, client=second, prefer=WAIT))
    act_in_round(complete_round, slug, number)


def main() -> None:
    webhook: list[Any] = []
    is_final = threading.Event()
    slug = create_event()
    receive_webhooks(slug, webhook, is_final)
    act(open_tournament, slug)
    enter_players(slug)
    act(start_tournament, slug)
    rows = done(list_entries.sync_detailed(slug, client=organiser)).results
    players = {
        row.id: client_of(
            done(issue_personal_token.sync_detailed(slug, row.id, client=organiser)).token or ""
        )
        for row in rows
    }
    for number in range(1, ROUNDS + 1):
        play_round(slug, number, players)
    act(review_tournament, slug)
    act(finalise_tournament, slug)

    stream = []
    for event in events(organiser.get_httpx_client(), slug, after=0):
        if event.data["type"] == "game.confirmed":
            stream.append([event.data["data"]["game_id"], event.data["data"]["result"]])
        if event.data["type"] == "tournament.finalised":
            break
    is_final.wait(60)
    print(json.dumps({"slug": slug, "stream": stream, "webhook": webhook}))


if __name__ == "__main__":
    main()
