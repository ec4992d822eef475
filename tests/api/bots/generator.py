"""Play a round with the client that openapi-generator makes for Python."""

import json
import os
import uuid
from datetime import date
from typing import Any

from client import (
    ApiClient,
    ApiException,
    ClaimedResultInput,
    Configuration,
    EntriesApi,
    EntryInput,
    GamesApi,
    PlayerDetailsInput,
    PlayersApi,
    ReportInput,
    RoundsApi,
    RulesApi,
    TablesApi,
    TournamentInput,
    TournamentsApi,
)

WAIT = "wait=10"


def client_of(token: str) -> ApiClient:
    return ApiClient(Configuration(host=os.environ["PERIHELION_URL"], access_token=token))


organiser = client_of(os.environ["PERIHELION_TOKEN"])
tournaments, rounds = TournamentsApi(organiser), RoundsApi(organiser)
entries = EntriesApi(organiser)


def tag(slug: str) -> str:
    return tournaments.get_tournament_with_http_info(slug).headers["etag"]


def tag_of_round(slug: str) -> str:
    return rounds.get_round_with_http_info(slug, 1).headers["etag"]


def player(slug: str, entry: int) -> GamesApi:
    return GamesApi(client_of(entries.issue_personal_token(slug, entry).token or ""))


def create_event() -> str:
    rules = RulesApi(organiser).list_rulesets().results[0]
    new: dict[str, Any] = {
        "name": f"Generated {uuid.uuid4().hex[:8]}",
        "starts_on": date.today(),
        "ends_on": date.today(),
        "ruleset": rules.code,
        "board_size": rules.board_sizes[0],
        "system": "dutch",
        "rounds": 1,
    }
    tried = tournaments.create_tournament(TournamentInput(**new), dry_run=True)
    slug = tournaments.create_tournament(TournamentInput(**new)).slug
    assert (tried.dry_run, tried.slug) == (True, slug)
    code = ""
    try:
        tournaments.create_tournament(TournamentInput(**new, slug=slug))
    except ApiException as error:
        code = error.data.code
    assert code == "slug_taken"
    return str(slug)


def main() -> None:
    slug = create_event()
    tournaments.open_tournament(slug, if_match=tag(slug))
    for name in ("Ada", "Ben"):
        new = PlayerDetailsInput(name=f"{name} Generated", seed_rating=1800)
        entry = EntryInput(player_id=PlayersApi(organiser).register_player(new).id or 0)
        entries.enter_player(slug, entry)
    tournaments.start_tournament(slug, if_match=tag(slug))
    rounds.pair_round(slug, 1, if_match=tag_of_round(slug))
    (board,) = rounds.publish_round(slug, 1, if_match=tag_of_round(slug)).rows

    claim = ClaimedResultInput(result="1-0", termination="resigned")
    first, second = (player(slug, seat.id) for seat in (board.first, board.second))
    first.report_game(board.game_id, prefer=WAIT, report_input=ReportInput(claim=claim))
    second.confirm_game(board.game_id, prefer=WAIT)
    rounds.complete_round(slug, 1, if_match=tag_of_round(slug))
    tournaments.review_tournament(slug, if_match=tag(slug))
    tournaments.finalise_tournament(slug, if_match=tag(slug))
    names = [row.player.name for row in TablesApi(organiser).get_standings(slug).rows]
    print(json.dumps({"slug": slug, "names": names}))


if __name__ == "__main__":
    main()
