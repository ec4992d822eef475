"""What the API answers about games: the types of the functions that build it."""

from datetime import date, datetime
from typing import Annotated, Any, NotRequired, Required, TypedDict

from games import models
from games.core.handicaps import HANDICAP_TEXT, Handicap
from games.core.references import PlayerReference, TournamentReference
from games.core.serializers import (
    BOARD_SIZE,
    DAYS_PER_TURN,
    INCREMENT_SECONDS,
    MAIN_MINUTES,
    PLAY,
    RULESET,
    TIME_CLASS,
    AllowedAction,
)
from games.models.time_controls import TimeClass
from games.rules.records.verdict import State
from games.rules.seat import Seat


class Seated(TypedDict):
    """Who has a seat of a game."""

    player: PlayerReference


Score = Annotated[dict[str, int], "by seat: `first` and `second`"]


class GamePlace(TypedDict):
    """Where a game was played; null for a casual game."""

    tournament: TournamentReference | None
    round: int | None
    board: Annotated[int | None, "the number of the board"]


class GameReference(GamePlace):
    """A game, with its place in its tournament."""

    id: int
    url: str
    page_url: str


class Game(GameReference):
    """A game: its players, its conditions, its result."""

    ruleset: Annotated[str, RULESET]
    board_size: Annotated[str, BOARD_SIZE]
    options: list[str]
    swap: bool
    handicap: Handicap | None
    handicap_text: Annotated[str | None, HANDICAP_TEXT]
    advice: Seat | None
    main_minutes: Annotated[int | None, MAIN_MINUTES]
    increment_seconds: Annotated[int, INCREMENT_SECONDS]
    time_class: Annotated[TimeClass | None, TIME_CLASS]
    play: Annotated[models.Game.Play, PLAY]
    days_per_turn: Annotated[int | None, DAYS_PER_TURN]
    first: Seated
    second: Seated
    rated: bool
    pool: Annotated[str | None, "the code of the pool that rates it or, by event or proposal, will"]
    played_on: Annotated[date | None, "the day of the round or of an imported record"]
    state: models.Game.State
    proposed_by: Annotated[Seat | None, "the seat that proposed a casual game"]
    answer_by: Annotated[datetime | None, "when an open proposal expires"]
    report_by: Annotated[datetime | None, "when an accepted casual game without a report expires"]
    basis: models.Game.Basis | None
    termination: str | None
    winner: Seat | None
    draw: bool
    score: Score | None
    result: Annotated[
        str | None,
        "26-25, with the points of the handicap; 1-0, 0-1, 1/2; a forfeit 1-0f, 0-1f, 0-0f",
    ]
    digest: Annotated[str | None, "of the record that proves the result; null without one"]
    record_url: Annotated[str | None, "the address of this record"]
    dispute: str | None
    adjourned: Annotated[bool, "to be continued; without a result so far"]
    confirm_by: datetime | None
    confirmed_at: datetime | None
    created_at: datetime
    updated_at: datetime


class LiveOffer(TypedDict):
    """A result that a side of a game offers to agree on."""

    seat: Annotated[Seat, "of the side that offers it"]
    result: str


class LiveRecord(TypedDict):
    """The record of a game while it is kept at the board, or played here.

    Spectators see the turns after the delay of the event; `version`, `next_number` and all that is
    computed is then that of the turns that they see.
    """

    url: str
    game_id: int
    way: models.LiveRecord.Way
    kept_as: Annotated[str | None, "`first`, `second`, or `official`; null: it is played here"]
    version: Annotated[
        int, "counts all changes, also a turn that is taken back; a further record goes on from it"
    ]
    turns: Annotated[list[str], "as a record writes them"]
    next_number: int
    to_move: Annotated[Seat | None, "null if it is over, and in a solitaire"]
    over: bool
    winner: Seat | None
    score: Score | None
    bounds: Annotated[dict[str, list[int]] | None, "by seat: the least and largest possible score"]
    started_at: datetime
    turn_since: Annotated[datetime, "since when the side to move is to move"]
    deadline: Annotated[datetime | None, "then the other side can claim the time; null: no limit"]
    offer: Annotated[LiveOffer | None, "an offer that stands, for the players; else null"]


class GameWithActions(Game):
    """A game, with what the caller can do."""

    allowed_actions: NotRequired[
        Annotated[list[AllowedAction], "with `actions`, for its players and the event's officials"]
    ]


class Outcome(TypedDict):
    """How a game ended."""

    winner: Seat | None
    draw: bool
    score: Score | None
    termination: str | None
    detail: NotRequired[
        Annotated[
            dict[str, Any],
            "what is counted on the board of a record, by seat; it depends on the game, and adds"
            " up to the score unless the players agreed on one that the board does not prove",
        ]
    ]


TAG_GAME = "the tag `Game` of the record: the code that is `ruleset` elsewhere"
TAG_BOARD = "the tag `Board` of the record: the size that is `board_size` elsewhere"


class GameRecord(TypedDict):
    """A record, with the names of its tags in lower case; it can be sent as a record.

    These are names of the format of records: `game` is what the API calls `ruleset`, `board` is
    `board_size`.
    """

    game: Annotated[str, TAG_GAME]
    board: Annotated[str, TAG_BOARD]
    options: list[str]
    swap: bool
    handicap: Handicap | None
    advice: Seat | None
    setup: dict[str, list[str]] | None
    moves: list[str]
    result: str | None
    tags: dict[str, str]
    comments: NotRequired[list[dict[str, Any]]]


class AlternativeScore(TypedDict):
    """The lead of the first seat: its peries less the second seat's, and REWARD."""

    score: Annotated[int | None, "the difference of both scores; null while there is no score"]
    bounds: Annotated[list[int], "the least and the largest on a full board, with a handicap"]
    peries: Annotated[Score, "counted so far, with one more for three or more of the five quarks"]
    reward: Annotated[int, "REWARD: four for each star that the second seat has more, so far"]
    handicap_part: NotRequired[Annotated[int, "twice the points of the first seat, if it has some"]]


class Verdict(TypedDict, total=False):
    """The verdict on one record, as `manage.py referee` prints it; with `errors` only if not valid.

    `game` and `board` are names of the format of records, for `ruleset` and `board_size`.
    """

    valid: Required[bool]
    game: Annotated[str, TAG_GAME]
    board: Annotated[str, TAG_BOARD]
    plies: int
    to_move: Annotated[Seat | None, "null if finished, and in a solitaire"]
    state: State
    termination: str | None
    winner: Seat | None
    score: Score | None
    bounds: Annotated[
        dict[str, list[int]] | None, "by seat: the least and largest score, with the handicap"
    ]
    detail: Annotated[dict[str, Any] | None, "what is counted on the board so far"]
    terms: Annotated[dict[str, dict[str, int]], "adding up to each score, if the board proves it"]
    alternative: Annotated[AlternativeScore, "in the games of *Star, those that go on too"]
    digest: Annotated[str | None, "identifies the game; null if nothing ended it"]
    draw: Annotated[bool, "only if it is true"]
    winner_decided: Annotated[Seat, "who wins however an unfinished game goes on"]
    claim: Annotated[str, "a result that nothing proves"]
    errors: list[dict[str, Any]]


class Verdicts(TypedDict):
    """The verdicts on several records."""

    results: list[Verdict]


class RecordLimits(TypedDict):
    """The limits of a record."""

    characters: int
    words: int
    word_characters: int
    comments: int
    tags: int
    tag_characters: Annotated[int, "in the value of a tag"]
    handicap_stones: int
    handicap_points: int
