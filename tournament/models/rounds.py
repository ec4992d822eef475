"""Rounds, and their pairings in versions."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.models.columns import Columns, Journalled
from games.rules.records.handicaps import LONGEST_HANDICAP
from tournament.models import former, references
from tournament.models.events import Entry, Tournament


class Round(Journalled):
    class State(models.TextChoices):
        PLANNED = "planned", _("not paired yet")
        DRAFTED = "drafted", _("being paired")
        PUBLISHED = "published", _("being played")
        COMPLETE = "complete", _("complete")
        LOCKED = "locked", _("complete")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_set")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.PLANNED)
    version = models.PositiveSmallIntegerField(default=0)
    system = models.CharField(max_length=24, blank=True, help_text="the pairing system, or by_hand")
    reason = models.CharField(
        max_length=240, blank=True, help_text="why it was set by hand or relaxed"
    )
    notes = models.JSONField(
        default=list, blank=True, help_text="findings of the system for players, by entry"
    )
    relaxed = models.JSONField(
        default=list, blank=True, help_text="the rules that the organiser relaxed"
    )
    starts_on = models.DateField(null=True, blank=True)
    start_time = models.TimeField(
        null=True, blank=True, help_text="on that day, in the time zone of the event"
    )
    ends_at = models.DateTimeField(
        null=True, blank=True, help_text="when games without a result wait for the director"
    )
    published_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)

    columns = Columns(
        journalled=(
            "number", "state", "version", "system", "reason", "notes", "relaxed", "starts_on",
            "start_time", "ends_at", "published_at", "completed_at",
        ),
        derived=(),
        technical=("id", "tournament"),
        personal=(),
        later=("ends_at",),
        key=("number",),
        refers={"notes": references.notes},
        former={
            "system": former.SYSTEMS,
            "notes": former.FINDINGS,
            "relaxed": former.FINDINGS,
        },
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("tournament", "number", name="round_number")]

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"

    @property
    def starts_at(self) -> datetime | None:
        """Return the start, with the offset of the event's time zone; None without a time."""
        if self.starts_on is None or self.start_time is None:
            return None
        zone = ZoneInfo(self.tournament.time_zone)
        return datetime.combine(self.starts_on, self.start_time, zone)


IMPORTED = "imported"
"""The `system` of a round from a TRF file."""


class Pairing(Journalled):
    """Two entries at a board, or one entry and its bye; `free` without an opponent in a schedule.

    In an event with two games in each pairing, the seats are those of the first one, `game`; they
    are exchanged in the `return_game`. The versions of a round share the games of the boards that
    they have in common; a game that is not in the current version is void.

    An arbiter may award points that differ from those of the result, such as half a point to one
    side of a game that both lost. Awarded points are in units of the event's point system, and
    apply only to the result `awarded_for`: they lapse when it is corrected.

    A handicap is applied to the games that are created from the pairing, mirrored in the return
    game. `recommended` is what the event's table gave for the ratings when the pair was drafted.

    A forfeit of an imported file may have no colour for one player or both, `without_seat`.

    `counted` has the results of corrected games that count instead of the current ones, by purpose
    (`standings`, `pairings`) and id of the game, and the bye under `bye`; see services/corrections.
    """

    class Kind(models.TextChoices):
        GAME = "game", _("game")
        PAIRING_BYE = "pairing_bye", _("bye")
        HALF_BYE = "half_bye", _("half-point bye")
        ZERO_BYE = "zero_bye", _("absent")
        FULL_BYE = "full_bye", _("full-point bye")
        FREE = "free", _("free")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="pairings")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    version = models.PositiveSmallIntegerField()
    board_number = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.GAME)
    by_hand = models.BooleanField(default=False, help_text="different from the engine's pairing")
    first = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="pairings_as_first")
    second = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="pairings_as_second"
    )
    game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="pairings"
    )
    return_game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.PROTECT, related_name="return_pairings"
    )
    handicap = models.CharField(
        max_length=LONGEST_HANDICAP,
        blank=True,
        help_text="as second 3 stones, or first move; empty for none",
    )
    handicap_reason = models.CharField(
        max_length=240, blank=True, help_text="why a director chose the handicap"
    )
    recommended = models.JSONField(
        null=True, blank=True, help_text="the recommended handicap, and how it was computed"
    )
    counted = models.JSONField(null=True, blank=True, help_text="null: the current results count")
    awarded_for = models.CharField(
        max_length=30, blank=True, help_text="the result, as loss/loss or pairing_bye"
    )
    awarded_first = models.IntegerField(
        null=True, blank=True, help_text="null: the points of the result"
    )
    awarded_second = models.IntegerField(
        null=True, blank=True, help_text="null: the points of the result"
    )

    without_seat = models.CharField(
        max_length=6, blank=True, help_text="of a forfeit in a file: first, second or both"
    )

    columns = Columns(
        journalled=(
            "round", "version", "board_number", "kind", "by_hand", "first", "second", "game",
            "return_game", "handicap", "handicap_reason", "recommended", "counted", "awarded_for",
            "awarded_first", "awarded_second", "without_seat",
        ),
        derived=(),
        technical=("id", "tournament"),
        personal=(),
        key=("round", "version", "first"),
        later=("without_seat",),
        refers={"counted": references.counted},
        former={
            "kind": former.RESULTS,
            "counted": former.COUNTED,
            "awarded_for": former.RESULTS,
        },
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "tournament", "round", "version", "board_number", name="one_pairing_a_board"
            ),
            models.UniqueConstraint(
                "tournament", "round", "version", "first", name="first_seat_once_a_round"
            ),
            models.UniqueConstraint(
                "tournament", "round", "version", "second", name="second_seat_once_a_round"
            ),
            models.UniqueConstraint("round", "version", "game", name="game_once_a_version"),
            models.UniqueConstraint(
                "round", "version", "return_game", name="return_game_once_a_version"
            ),
            models.CheckConstraint(
                condition=Q(kind="game", second__isnull=False, board_number__isnull=False)
                | (~Q(kind="game") & Q(second__isnull=True)),
                name="two_at_a_board_one_at_a_bye",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first.player} – {self.second.player if self.second else self.kind}"
