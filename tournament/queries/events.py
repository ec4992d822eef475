"""Events and their rows: who sees them, who is in them, which rounds are done."""

from django.db.models import F, Max, Q, QuerySet

from games.http.errors import NotFound
from games.models import Account, Game
from games.queries import plain
from tournament.models import Bye, Entry, Pairing, Round, Tournament

DONE = (Round.State.COMPLETE, Round.State.LOCKED)
UNSETTLED = (Game.State.OPEN, Game.State.WAITING, Game.State.DISPUTED)


def visible_tournaments(account: Account | None, stream: str = "") -> "QuerySet[Tournament]":
    """Public tournaments past their draft, and those in which the account has a part.

    With a `stream` (that of a token good for one event) what is not public is seen there only.
    """
    public = Q(public=True) & ~Q(state=Tournament.State.DRAFT)
    if account is None:
        return Tournament.objects.filter(public)
    if account.is_staff and not stream:
        return Tournament.objects.all()
    names = account.roles.filter(stream__startswith="tournament/").values_list("stream", flat=True)
    slugs = [name.removeprefix("tournament/") for name in names if stream in ("", name)]
    own = Q(slug__in=slugs)
    plays = Q(entries__player__account=account) & ~Q(state=Tournament.State.DRAFT)
    if stream:
        plays &= Q(slug=stream.removeprefix("tournament/"))
    return Tournament.objects.filter(public | own | plays).distinct()


def find_tournament(stream: str) -> Tournament:
    """The tournament that keeps its journal under this name; raises NotFound."""
    slug = stream.removeprefix("tournament/")
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise NotFound("not_found", f"there is no tournament {slug!r} any more")
    return tournament


def last_complete_round(tournament: Tournament) -> int:
    """The number of the last round whose results are all in; 0 before the first."""
    done = tournament.round_set.filter(state__in=DONE).aggregate(last=Max("number"))
    return done["last"] or 0


def numbered_entries(tournament: Tournament) -> "QuerySet[Entry]":
    """The entries that have a pairing number, in its order."""
    return tournament.entries.filter(pairing_number__isnull=False).order_by("pairing_number")


def numbers_of_players(tournament: Tournament) -> dict[int, int]:
    """The pairing number of each player by the player's id."""
    rows = plain(numbered_entries(tournament), "player_id", "pairing_number")
    return {row["player_id"]: row["pairing_number"] for row in rows}


def entries_by_number(tournament: Tournament) -> dict[int, int]:
    """The id of each entry by its pairing number."""
    rows = plain(numbered_entries(tournament), "pairing_number", "pk")
    return {row["pairing_number"]: row["pk"] for row in rows}


def current_pairings(tournament: Tournament) -> "QuerySet[Pairing]":
    """The pairings of each round's current version."""
    return Pairing.objects.filter(tournament=tournament, version=F("round__version"))


def absent_numbers(tournament: Tournament, round_number: int) -> dict[int, str]:
    """Who is not to be paired in a round, by pairing number, and the kind of bye; two queries.

    Withdrawn entries get no line at all, which every reader of a table takes as a zero-point bye.
    """
    asked = Bye.objects.filter(tournament=tournament, round=round_number)
    away = {
        row["entry__pairing_number"]: row["kind"]
        for row in plain(asked, "entry__pairing_number", "kind")
        if row["entry__pairing_number"]
    }
    gone = numbered_entries(tournament).filter(
        ~Q(state=Entry.State.ACCEPTED) | Q(first_round__gt=round_number)
    )
    return away | dict.fromkeys(
        (row["pairing_number"] for row in plain(gone, "pairing_number")), ""
    )


def unsettled_boards(tournament: Tournament, round_number: int | None = None) -> list[int]:
    """The boards whose results are not in yet, of one round or of all."""
    waiting = current_pairings(tournament).filter(game__state__in=UNSETTLED)
    if round_number is not None:
        waiting = waiting.filter(round__number=round_number)
    ordered = waiting.order_by("round__number", "board_number")
    return [row["board_number"] for row in plain(ordered, "board_number")]
