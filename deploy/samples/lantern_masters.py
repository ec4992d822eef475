"""Lantern Masters, loaded as a finished event: proved games, standings, ratings.

The event is played through the services, as an organiser and eight players would play it through
the API, so the journal is complete and both players have reported every result.
"""

from datetime import date

from django.db import transaction

from deploy.samples.event import (
    PLAYERS_FILE,
    SAMPLE_POOL,
    SAMPLES,
    SampleEvent,
    SampleRound,
    read_event,
)
from games.core.accounts.tokens import issue_personal_token, revoke_token
from games.models import Account, Player
from games.play.services import state_record, submit
from games.play.settlement import settle_game
from games.players.imports import import_players
from ratings.models import Pool
from ratings.pools.services import decide_event
from ratings.runs.services import advance_pool
from tournament.core.queries import current_pairings
from tournament.entries.services import enter_player
from tournament.events.services import create_tournament
from tournament.events.transitions import change_tournament_state
from tournament.models import Entry, Pairing, Tournament
from tournament.rounds.pairing import pair_round
from tournament.rounds.services import complete_round, publish_round, schedule_round

LANTERN_SLUG = "lantern-masters"


def load_lantern_masters(by: Account) -> Tournament:
    """Return the event, after loading it completely or not at all if it does not exist."""
    with transaction.atomic():
        existing = Tournament.objects.filter(slug=LANTERN_SLUG).first()
        if existing is not None:
            return existing
        sample = read_event(SAMPLES / LANTERN_SLUG)
        import_players(PLAYERS_FILE.read_bytes(), by=by)
        settings = sample.as_json()
        settings["game"], settings["board"] = settings.pop("ruleset"), settings.pop("board_size")
        tournament = create_tournament(by=by, **settings)
        change_tournament_state(tournament, "open", by=by)
        entries = _enter_players(tournament, sample, by)
        change_tournament_state(tournament, "start", by=by)
        for sample_round, day in zip(sample.rounds, sample.round_dates, strict=True):
            schedule_round(tournament, sample_round.number, date.fromisoformat(day), by=by)
            _play_round(tournament, sample_round, entries, by)
        change_tournament_state(tournament, "review", by=by)
        pool = Pool.objects.get(code=SAMPLE_POOL)
        decide_event(pool, tournament.stream, approved=True, reason="a sample event", by=by)
        tournament = change_tournament_state(tournament, "finalise", by=by)
        for entry in entries.values():
            _revoke_tokens(entry.player)
        advance_pool(pool.pk)
    return tournament


def _enter_players(tournament: Tournament, sample: SampleEvent, by: Account) -> dict[str, Entry]:
    """Enter the players, each with the account that reports games; return the entries by name."""
    entries = {}
    for line in sample.players:
        player = Player.objects.filter(name=line.name, country=line.country).order_by("pk")[0]
        entry = enter_player(tournament, player, by=by, seed_rating=line.rating, lot=line.number)
        issue_personal_token(player, tournament.stream, by=by)
        entry.player = Player.objects.select_related("account").get(pk=player.pk)
        entries[line.name] = entry
    return entries


def _play_round(
    tournament: Tournament, sample_round: SampleRound, entries: dict[str, Entry], by: Account
) -> None:
    """Pair a round, report every game from both sides, complete the round.

    Raises ValueError if the pairings are not those of the sample.
    """
    number = sample_round.number
    pair_round(tournament, number, by=by)
    publish_round(tournament, number, by=by)
    pairings = (
        current_pairings(tournament)
        .filter(round__number=number)
        .order_by("board_number")
        .select_related("game__first", "game__second")
    )
    for pairing, game in zip(pairings, sample_round.games, strict=True):
        first, second = entries[game.first], entries[game.second]
        if (pairing.first_id, pairing.second_id) != (first.pk, second.pk):
            raise ValueError(f"round {number}: {game.first} - {game.second} is not paired")
        _report_game(pairing, game.record, first.player, second.player)
    complete_round(tournament, number, by=by)


def _report_game(pairing: Pairing, record: str, *players: Player) -> None:
    """Report a record from both sides and settle the game."""
    game = pairing.game
    if game is None:
        raise ValueError(f"{pairing} has no game")
    for player in players:
        if player.account is not None:
            submit(state_record(game, record, by=player.account))
    settle_game(game.pk)


def _revoke_tokens(player: Player) -> None:
    """Revoke the personal tokens, which have not been given to anyone."""
    account = player.account
    if account is None:
        return
    for key in account.auth_token_set.filter(stream=f"tournament/{LANTERN_SLUG}").values_list(
        "token_key", flat=True
    ):
        revoke_token(account, key)
