"""Serializers of casual games, and what their import answers."""

from datetime import date
from typing import Annotated, Literal, TypedDict

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.handicaps import HandicapField
from games.core.references import PlayerOfFile
from games.core.serializers import (
    BOARD_SIZE,
    PLAY,
    RULESET,
    DaysPerTurnField,
    IdField,
    IncrementSecondsField,
    MainMinutesField,
    OptionalText,
)
from games.models import Game
from games.play.types import Outcome
from games.players.serializers import SameAsLine
from games.rules.seat import Seat

GameOfLine = Annotated[int | None, "null in a dry run for a new game"]


class ImportedGamePlayer(TypedDict):
    player: PlayerOfFile
    action: Literal["created", "known"]
    same_as_line: SameAsLine


class SameRecord(TypedDict):
    game_id: GameOfLine
    line: Annotated[int | None, "null for a game that was known"]
    played_on: date | None


class ImportedGame(TypedDict):
    line: int
    action: Annotated[
        Literal["created", "repeated"],
        "repeated: a game of the two on this day or without one, or an earlier line has the record",
    ]
    game_id: GameOfLine
    same_record: Annotated[SameRecord | None, "of a new game: one of the two with the same moves"]
    first: ImportedGamePlayer
    second: ImportedGamePlayer
    played_on: date
    rated: bool
    outcome: Outcome
    digest: str


class ImportedGames(TypedDict):
    dry_run: bool
    rows: list[ImportedGame]


class ProposalSerializer(serializers.Serializer):
    opponent_id = IdField(help_text="the id of a player with an account")
    seat = serializers.ChoiceField(
        [*Seat], label=_("Your seat"), help_text="of the proposer", style={"help": ""}
    )
    ruleset = serializers.CharField(max_length=32, help_text=RULESET)
    board_size = serializers.CharField(max_length=12, help_text=BOARD_SIZE)
    options = serializers.ListField(
        child=serializers.CharField(max_length=40), default=list, max_length=10
    )
    swap = serializers.BooleanField(allow_null=True, default=None, help_text="null: as is usual")
    handicap = HandicapField(default=None, label=_("Handicap, such as second 3 stones"))
    main_minutes = MainMinutesField()
    increment_seconds = IncrementSecondsField()
    play = serializers.ChoiceField(
        Game.Play.choices,
        default=Game.Play.ANYWHERE,
        label=_("Where it is played"),
        help_text=PLAY,
        style={"help": ""},
    )
    days_per_turn = DaysPerTurnField()
    rated = serializers.BooleanField(default=False, label=_("Rated, if the opponent accepts"))
    pool = OptionalText(
        default="",
        max_length=40,
        help_text="its officers rule on a dispute; a rated game needs one that rates its game",
    )
