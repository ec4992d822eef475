"""Lantern Masters, loaded as a finished event: proved games, standings, ratings.

It goes through the services, as an organiser and eight players would go through the API, so the
journal tells of it and every result rests on both sides' reports.
"""

from datetime import date

from django.db import transaction

from deploy.samples.event import PLAYERS, POOL, SAMPLES, SampleEvent, SampleRound, read_event
from games.accounts.tokens import issue_personal_token, revoke_token
from games.models import Account, Player
from games.services.players import import_players
from games.services.reports import submit_record
from games.services.settlement import settle_game
from ratings.models import Pool
from ratings.services import advance_pool
from tournament import queries
from tournament.models import Entry, Pairing, Tournament
from tournament.services.entries import enter_player
from tournament.services.pairings import pair_round
from tournament.services.rounds import complete_round, publish_round, schedule_round
from tournament.services.setup import create_tournament
from tournament.services.states import change_tournament_state

SLUG = "lantern-masters"
SYSTEM = {"system": "round-robin", "system_options": {"cycles": 1, "numbers": "lot"}}
"""The numbers of the report are the lots that were drawn; the Berger table does the rest."""
TIEBREAKS = ["PTS", "SB", "DE", "WIN"]


def load_lantern_masters(by: Account) -> Tournament:
    """The finished event, loaded if it is not there; all of it or nothing."""
    with transaction.atomic():
        known = Tournament.objects.filter(slug=SLUG).first()
        if known is not None:
            return known
        sample = read_event(SAMPLES / SLUG)
        import_players(PLAYERS.read_bytes(), by=by)
        tournament = create_tournament(
            by=by, slug=SLUG, tiebreaks=TIEBREAKS, **SYSTEM, **sample.set_up()
        )
        change_tournament_state(tournament, "open", by=by)
        entries = _enter(tournament, sample, by)
        change_tournament_state(tournament, "start", by=by)
        for this_round, day in zip(sample.rounds, sample.round_dates, strict=True):
            schedule_round(tournament, this_round.number, date.fromisoformat(day), by=by)
            _play(tournament, this_round, entries, by)
        change_tournament_state(tournament, "review", by=by)
        tournament = change_tournament_state(tournament, "finalise", by=by)
        for entry in entries.values():
            _forget_tokens(entry.player)
        advance_pool(Pool.objects.get(code=POOL).pk)
    return tournament


def _enter(tournament: Tournament, sample: SampleEvent, by: Account) -> dict[str, Entry]:
    """Enter everybody; each gets the account that a player needs to report games."""
    entries = {}
    for line in sample.lines:
        player = Player.objects.filter(name=line.name, country=line.country).order_by("pk")[0]
        entry = enter_player(tournament, player, by=by, seed_rating=line.rating, lot=line.number)
        issue_personal_token(player, tournament.stream, by=by)
        entry.player = Player.objects.select_related("account").get(pk=player.pk)
        entries[line.name] = entry
    return entries


def _play(
    tournament: Tournament, this_round: SampleRound, entries: dict[str, Entry], by: Account
) -> None:
    """Pair a round, report every game from both sides, complete it.

    Raises ValueError when the engine pairs it otherwise than it was played.
    """
    number = this_round.number
    pair_round(tournament, number, by=by)
    publish_round(tournament, number, by=by)
    pairings = queries.current_pairings(tournament).filter(round__number=number)
    lines = pairings.order_by("board_number").select_related("game__first", "game__second")
    for line, game in zip(lines, this_round.games, strict=True):
        if (line.first_id, line.second_id) != (entries[game.first].pk, entries[game.second].pk):
            raise ValueError(f"round {number}: {game.first} - {game.second} is paired otherwise")
        _report(line, game.proof.text, entries[game.first].player, entries[game.second].player)
    complete_round(tournament, number, by=by)


def _report(line: Pairing, record: str, *players: Player) -> None:
    """Send a record from both sides and settle the game."""
    game = line.game
    if game is None:
        raise ValueError(f"{line} is no game")
    for player in players:
        if player.account is not None:
            submit_record(game, record, by=player.account)
    settle_game(game.pk)


def _forget_tokens(player: Player) -> None:
    """Revoke what was issued on the way: nobody has seen these tokens."""
    account = player.account
    if account is None:
        return
    for key in account.auth_token_set.filter(stream=f"tournament/{SLUG}").values_list(
        "token_key", flat=True
    ):
        revoke_token(account, key)
