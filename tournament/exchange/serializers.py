"""Serializers of imports, with the settings of a TRF file, and of the journal."""

import re
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.references import PlayerOfFile, TournamentReference
from games.core.requests import LONGEST_PARAMETER
from games.core.serializers import BOARD_SIZE, RULESET, FlagField
from games.core.wrong_values import WrongValue
from games.play.queries import boards_of
from games.players.matching import NEW
from games.rules.registry import TWO_PLAYER_GAMES
from games.rules.text import Text
from tournament.core.serializers import validate_date
from tournament.models import Tournament
from tournament.pairing.differences import PairedNumbers

OF_FILE = _("Empty: that of the file.")
FLAGS = {"true": True, "yes": True, "false": False, "no": False}
WHOLE = re.compile(r"[0-9]{1,9}", re.ASCII)
CHOSEN_PLAYER = re.compile(r"([0-9]{1,5}):([0-9]{1,18}|new)", re.ASCII)


class TrfSettingsSerializer(serializers.Serializer):
    """Settings in the query of a TRF import; they replace and complete those of the file."""

    ruleset = serializers.CharField(
        max_length=32,
        source="game",
        help_text=RULESET,
        style={"help": "", "valid": lambda _: TWO_PLAYER_GAMES},
    )
    board_size = serializers.CharField(
        max_length=12, source="board", help_text=BOARD_SIZE, style={"help": "", "valid": boards_of}
    )
    system = serializers.CharField(
        max_length=24,
        required=False,
        help_text="empty: that of the file, or `dutch`",
        style={"help": _("Empty: that of the file, or the Dutch system.")},
    )
    system_options = serializers.CharField(
        max_length=400,
        required=False,
        help_text=_("As groups=4, advance=1. Those of the file that are not named stay."),
    )
    slug = serializers.SlugField(
        max_length=80,
        required=False,
        label=_("Address"),
        help_text=_("The last part of the event's address. Empty: it follows from the name."),
    )
    name = serializers.CharField(max_length=120, required=False, help_text=OF_FILE)
    starts_on = serializers.DateField(required=False, validators=[validate_date], help_text=OF_FILE)
    ends_on = serializers.DateField(required=False, validators=[validate_date], help_text=OF_FILE)
    tiebreaks = serializers.CharField(max_length=200, required=False, help_text=OF_FILE)
    pool = serializers.CharField(
        max_length=40,
        required=False,
        help_text="the code of the pool that rates it",
        style={"help": ""},
    )
    players = serializers.CharField(
        max_length=LONGEST_PARAMETER,
        required=False,
        label=_("Players"),
        help_text=_("Who the players of ambiguous pairing numbers are, as 3:17,4:new."),
    )
    rated = FlagField(required=False, help_text="true by default", style={"help": ""})
    public = FlagField(required=False, help_text="true by default", style={"help": ""})

    def validate_tiebreaks(self, text: str) -> list[str]:
        return text.replace(",", " ").split()

    def validate_system_options(self, text: str) -> dict[str, int | str | bool]:
        """Return the values by name; the service checks that they are options of the system."""
        options: dict[str, int | str | bool] = {}
        for part in text.replace(";", ",").split(","):
            name, sign, word = (piece.strip() for piece in part.partition("="))
            if not (name and sign and word):
                raise WrongValue(
                    Text(
                        "%(word)s is not an option with its value, as band=100",
                        word=f"{part.strip()[:40]!r}",
                    )
                )
            options[name] = FLAGS.get(word, int(word) if WHOLE.fullmatch(word) else word)
        return options

    def validate_players(self, text: str) -> dict[int, int | str]:
        """Return player ids, or `new`, by pairing number."""
        chosen: dict[int, int | str] = {}
        for part in text.split(","):
            found = CHOSEN_PLAYER.fullmatch(part.strip())
            if found is None:
                raise WrongValue(
                    Text(
                        "%(word)s is not a pairing number with a player's id or new, as 3:17",
                        word=f"{part.strip()[:40]!r}",
                    )
                )
            chosen[int(found[1])] = NEW if found[2] == NEW else int(found[2])
        return chosen


class ImportedPlayer(TypedDict):
    """A player of a TRF file."""

    number: Annotated[int, "the pairing number"]
    player: PlayerOfFile
    action: Literal["created", "known"]


class ComparedRound(TypedDict):
    """A round of a file that the system has paired again."""

    round: int
    boards: int
    agrees: Annotated[bool, "true if the system pairs the round identically"]
    due: Annotated[list[PairedNumbers], "what only the system pairs"]
    held: Annotated[list[PairedNumbers], "those that only the file contains"]
    why: Annotated[str | None, "the error if the system cannot pair the round"]


class ComparedRank(TypedDict):
    """A rank of a file that differs from the computed one."""

    number: Annotated[int, "the pairing number"]
    trf: Annotated[int, "the rank in the file"]
    here: Annotated[int, "the computed rank"]


class ImportedTrf(TypedDict):
    """An event of a TRF file."""

    dry_run: bool
    tournament: TournamentReference
    state: Tournament.State
    players: list[ImportedPlayer]
    rounds: list[ComparedRound]
    ranks: Annotated[list[ComparedRank], "only ranks that differ"]
    edition: Annotated[str | None, "an earlier edition of FIDE's rules, by which it is compared"]
    left_out: Annotated[list[str], "what the service cannot store"]


class ShownLine(TypedDict):
    """A line of a journal, which is sealed as it was written."""

    stream: Annotated[str, "the name of the journal: `tournament/spring`"]
    sequence: Annotated[int, "the number of the line, from 1"]
    previous: Annotated[str, "the digest of the line before; empty for the first"]
    digest: Annotated[str, "of all other members but the payload"]
    actor: Annotated[str, "who did it: account/17, system"]
    at: Annotated[str, "the time, in UTC", {"format": "date-time"}]
    kind: Annotated[str, "what happened, such as `round.published`"]
    payload_digest: Annotated[str, "of what happened, with names and values"]
    rows_digest: Annotated[str, "of the columns that the bundle contains"]
    payload: NotRequired[
        Annotated[
            dict[str, Any] | None,
            "only for officials; null once it is erased. The reference of the journal lists its"
            " members by `kind`; values are as they were written, with ids and empty texts",
        ]
    ]
