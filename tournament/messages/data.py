"""What is public of a journal line: the data of its messages, as JSON.

A function for each kind of data takes the payload of a line and the rows that it is about, and
returns None for what has been withdrawn: a round that is not published, a game that is not in the
current pairings, an entry that the list of entries does not show. The data says what is public now:
the boards of a round are its current ones, and a name is that of the player today, so nothing that
was erased comes back. The result of a game is the one that its line states. An application says
that there is one, and who it is of only once the list shows the entry. Addresses are absolute.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from games.core.journal.chain import format_time
from games.core.references import PlayerReference, TournamentReference, absolute_url, page_url
from games.models import Game
from games.play.queries import game_page, result_text
from games.play.types import Seated
from games.rules.text import Moment
from tournament.core.queries import FINISHED_ROUND_STATES, current_pairings
from tournament.core.references import EntryReference, entry_reference
from tournament.models import Pairing, Round, Tournament
from tournament.rounds.games import games_of


class BoardData(TypedDict):
    """A board with its games, and the players by the seats of the first game."""

    board: int
    game_ids: list[int]
    first: EntryReference
    second: EntryReference


class OfTournament(TypedDict):
    """What the messages of a tournament begin with."""

    tournament: TournamentReference
    url: str


class TournamentData(OfTournament):
    """The tournament, and its state where the line states it."""

    state: NotRequired[str]


class RoundData(OfTournament):
    """A round of a tournament."""

    round: int


class ScheduledData(RoundData):
    """A round with its day, and its time in UTC if it has one."""

    starts_on: Annotated[str | None, {"format": "date"}]
    starts_at: Annotated[str | None, {"format": "date-time"}]


class PairingsData(RoundData):
    """A round with its current boards, and the players with a pairing-allocated bye."""

    boards: list[BoardData]
    byes: list[EntryReference]


class GameData(TypedDict):
    """A game with the result that the line states, and the players by its seats.

    A casual game has no tournament.
    """

    tournament: TournamentReference | None
    round: int | None
    board: int | None
    game_id: int
    return_game: bool
    first: Seated
    second: Seated
    state: str
    adjourned: bool
    basis: str | None
    result: str | None
    winner: str | None
    termination: str | None
    url: str
    page_url: str


class EntryData(OfTournament):
    """An entry and its card."""

    entry: EntryReference
    page_url: str


class WithdrawnData(EntryData):
    """An entry with the last round that it plays, null if it has left at once."""

    last_round: int | None


class ApplicationData(OfTournament):
    """An application; only officials see yet of whom, if `entry` is null."""

    entry: EntryReference | None
    page_url: str


class CorrectionData(OfTournament):
    """A correction, the number of the one that it undoes, and the games that it changes."""

    number: int
    scope: str
    undoes: int | None
    game_ids: list[int]


class WithdrawnAnnouncementData(OfTournament):
    """An announcement that is shown no more."""

    number: int
    page_url: str


class AnnouncementData(WithdrawnAnnouncementData):
    """What the directors have announced."""

    text: str


class TieData(RoundData):
    """A tie after a round, and how it was decided."""

    by: str


class RunData(TypedDict):
    """A run of the ratings of a pool, and how many batches and players it has rated."""

    pool: str
    run_number: int
    batches: int
    players: int
    input_digest: str
    url: str


class RatingData(TypedDict):
    """The rating of a player in a pool before and after a run; null while there is none."""

    pool: str
    run_number: int
    player: PlayerReference
    before: float | None
    after: float | None
    url: str
    page_url: str


class ListData(TypedDict):
    """A published list of a pool."""

    pool: str
    published_on: Annotated[str, {"format": "date"}]
    run_number: int
    players: int
    url: str


@dataclass(frozen=True, slots=True)
class FeedBoard:
    """A board of a published round: its games, and the players by the seats of the first game.

    `places` name the games in the journal. A casual game has a board without round and number.
    """

    round: int | None
    board: int | None
    games: tuple[int, ...]
    places: tuple[str, ...]
    first: Any
    second: Any

    def as_json(self) -> BoardData:
        """Return the board as JSON; a second game has exchanged seats."""
        return {
            "board": self.board or 0,
            "game_ids": list(self.games),
            "first": self.first,
            "second": self.second,
        }

    def players_of(self, game: int) -> tuple[Seated, Seated]:
        """Return the players of one game of the board by its own seats."""
        first: Seated = {"player": self.first["player"]}
        second: Seated = {"player": self.second["player"]}
        return (first, second) if game == self.games[0] else (second, first)


def load_boards(
    tournament: Tournament, rounds: Collection[int], places: Collection[str]
) -> list[FeedBoard]:
    """Load the boards of these rounds and games by round and board; those of drafts are left out.

    A pairing-allocated bye is one without a second player. One query.
    """
    wanted = (
        Q(round__number__in=rounds) | Q(game__place__in=places) | Q(return_game__place__in=places)
    )
    is_told = Q(kind=Pairing.Kind.GAME, game__isnull=False) | Q(kind=Pairing.Kind.PAIRING_BYE)
    is_public = Q(round__state__in=(*FINISHED_ROUND_STATES, Round.State.PUBLISHED))
    found = current_pairings(tournament).filter(wanted, is_public, is_told)
    players = ("first__player__merged_into", "second__player__merged_into")
    rows: QuerySet[Any] = found.select_related("round", "game", "return_game", *players)
    return [
        FeedBoard(
            round=row.round.number,
            board=row.board_number,
            games=tuple(game.pk for game in games_of([row])),
            places=tuple(game.place for game in games_of([row])),
            first=entry_reference(row.first),
            second=row.second and entry_reference(row.second),
        )
        for row in rows.order_by("round__number", "board_number")
    ]


Data = Mapping[str, Any]
Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FeedRows:
    """The rows that the data of some lines of a stream is taken from, and its name for readers.

    `boards` are those of the published rounds, by the number of the round; `games` has each game
    with its board, by the place that names it in the journal: ids in lines can be those of another
    installation. `published` are the rounds and versions that have been public at some time.
    `entries` are those of the list that all see, by their number in order of entry. `ratings` are
    those of the reader by the run that changed them. `starts` are those of the published rounds.
    `announced` are the announcements that are not withdrawn.
    """

    name: str
    rounds: Mapping[int, int] = field(default_factory=dict)
    boards: Mapping[int, Sequence[FeedBoard]] = field(default_factory=dict)
    games: Mapping[str, tuple[int, FeedBoard]] = field(default_factory=dict)
    published: frozenset[tuple[int, int]] = frozenset()
    entries: Mapping[int, EntryReference] = field(default_factory=dict)
    ratings: Mapping[int, RatingData] = field(default_factory=dict)
    starts: Mapping[int, Moment] = field(default_factory=dict)
    announced: frozenset[int] = frozenset()
    title: str = ""
    place: str = "e"
    zone: str = "UTC"

    @property
    def tournament(self) -> TournamentReference:
        """The tournament, for readers."""
        return {"slug": self.name, "name": self.title}

    @property
    def url(self) -> str:
        """The address of the tournament in the API."""
        return absolute_url(f"tournaments/{self.name}")

    @property
    def page(self) -> str:
        """The address of the page of the tournament or of the pool."""
        return page_url(f"{self.place}/{self.name}")


def tournament_data(payload: Payload, rows: FeedRows) -> TournamentData:
    """Return the tournament, and its state where the line states it."""
    data: TournamentData = {"tournament": rows.tournament, "url": rows.url}
    if "state" in payload:
        data["state"] = payload["state"]
    return data


def scheduled_data(payload: Payload, rows: FeedRows) -> ScheduledData:
    """Return the day and the time of a round."""
    return {
        "tournament": rows.tournament,
        "round": payload["round"],
        "starts_on": payload["starts_on"],
        "starts_at": _starts_at(payload, rows.zone),
        "url": f"{rows.url}/rounds/{payload['round']}",
    }


def _starts_at(payload: Payload, zone: str) -> str | None:
    """Return the start of a round in UTC; None without a time, which a line has as a local one."""
    if payload["starts_on"] is None or payload.get("start_time") is None:
        return None
    local = datetime.fromisoformat(f"{payload['starts_on']}T{payload['start_time']}")
    return format_time(local.replace(tzinfo=ZoneInfo(zone)))


def _data_of_round(payload: Payload, rows: FeedRows) -> RoundData:
    number = payload["round"]
    url = f"{rows.url}/rounds/{number}"
    return {"tournament": rows.tournament, "round": number, "url": url}


def round_data(payload: Payload, rows: FeedRows) -> RoundData | None:
    """Return a round; None for one that is not published."""
    return _data_of_round(payload, rows) if payload["round"] in rows.rounds else None


def pairings_data(payload: Payload, rows: FeedRows) -> PairingsData | None:
    """Return a round with its current boards; None for a draft."""
    data = round_data(payload, rows)
    if data is None or payload.get("state", Round.State.PUBLISHED) != Round.State.PUBLISHED:
        return None
    lines = rows.boards[payload["round"]]
    return {
        **data,
        "boards": [board.as_json() for board in lines if board.second],
        "byes": [board.first for board in lines if not board.second],
        "url": f"{data['url']}/pairings",
    }


def unpaired_data(payload: Payload, rows: FeedRows) -> RoundData | None:
    """Return a round whose pairings were withdrawn after they had been public."""
    was_public = (payload["round"], payload["unpaired"]) in rows.published
    return _data_of_round(payload, rows) if was_public else None


def game_data(payload: Payload, rows: FeedRows) -> GameData | None:
    """Return a game with the result that the line states; None if it is not in a current round."""
    place = payload.get("place", "")
    if place not in rows.games:
        return None
    (game, board), state = rows.games[place], payload["state"]
    first, second = board.players_of(game)
    done = payload if state == Game.State.CONFIRMED else {}
    score, draw = done.get("score") or (None, None), done.get("draw", False)
    winner, termination = done.get("winner", ""), done.get("termination", "")
    return {
        "tournament": rows.tournament if rows.name else None,
        "round": board.round,
        "board": board.board,
        "game_id": game,
        "return_game": game != board.games[0],
        "first": first,
        "second": second,
        "state": state,
        "adjourned": payload.get("adjourned", False),
        "basis": payload.get("basis") or None,
        "result": result_text(state, winner, draw, score, termination),
        "winner": winner or None,
        "termination": termination or None,
        "url": absolute_url(f"games/{game}"),
        "page_url": game_page(game),
    }


def entry_data(payload: Payload, rows: FeedRows) -> EntryData | None:
    """Return an entry and its card; None if the list of entries does not show it."""
    entry = rows.entries.get(payload["ordinal"])
    if entry is None:
        return None
    number = entry["number"]
    return {
        "tournament": rows.tournament,
        "entry": entry,
        "url": f"{rows.url}/entries/{entry['id']}",
        "page_url": f"{rows.page}/players" if number is None else f"{rows.page}/players/{number}",
    }


def withdrawn_data(payload: Payload, rows: FeedRows) -> WithdrawnData | None:
    """Return an entry with the last round that it plays, null if it has left at once."""
    data = entry_data(payload, rows)
    return None if data is None else {**data, "last_round": payload["last_round"]}


def application_data(payload: Payload, rows: FeedRows) -> ApplicationData:
    """Return the entry of an application; only that there is one while the list hides it."""
    data = entry_data(payload, rows)
    return {
        "tournament": rows.tournament,
        "entry": None if data is None else data["entry"],
        "url": f"{rows.url}/entries" if data is None else data["url"],
        "page_url": f"{rows.page}/players" if data is None else data["page_url"],
    }


def correction_data(payload: Payload, rows: FeedRows) -> CorrectionData:
    """Return a correction and the games that it changes."""
    number = payload["correction"]
    return {
        "tournament": rows.tournament,
        "number": number,
        "scope": payload["scope"],
        "undoes": payload["undoes"],
        "game_ids": [rows.games[place][0] for place in payload["places"] if place in rows.games],
        "url": f"{rows.url}/corrections/{number}",
    }


def announcement_data(payload: Payload, rows: FeedRows) -> AnnouncementData | None:
    """Return what the directors have announced; None if it is withdrawn."""
    if payload["number"] not in rows.announced:
        return None
    return {
        "tournament": rows.tournament,
        "number": payload["number"],
        "text": payload["text"],
        "url": f"{rows.url}/announcements",
        "page_url": rows.page,
    }


def withdrawn_announcement_data(payload: Payload, rows: FeedRows) -> WithdrawnAnnouncementData:
    """Return which announcement the directors have withdrawn."""
    return {
        "tournament": rows.tournament,
        "number": payload["number"],
        "url": f"{rows.url}/announcements",
        "page_url": rows.page,
    }


def tie_data(payload: Payload, rows: FeedRows) -> TieData:
    """Return how a tie was decided."""
    return {
        "tournament": rows.tournament,
        "round": payload["after"],
        "by": payload["by"],
        "url": f"{rows.url}/ties",
    }


def run_data(payload: Payload, rows: FeedRows) -> RunData:
    """Return what a run has rated."""
    return {
        "pool": rows.name,
        "run_number": payload["run"],
        "batches": payload["batches"],
        "players": payload["players"],
        "input_digest": payload["input_digest"],
        "url": absolute_url(f"pools/{rows.name}/runs/{payload['run']}"),
    }


def rating_data(payload: Payload, rows: FeedRows) -> RatingData | None:
    """Return the rating of the reader; None if the run has not changed it."""
    return rows.ratings.get(payload["run"])


def list_data(payload: Payload, rows: FeedRows) -> ListData:
    """Return a published list."""
    return {
        "pool": rows.name,
        "published_on": payload["published_on"],
        "run_number": payload["run"],
        "players": payload["players"],
        "url": absolute_url(f"pools/{rows.name}/lists/{payload['published_on']}"),
    }
