"""Corrections of results, byes and entries after the round is complete."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Account
from games.models.columns import Columns, Journalled
from tournament.models import former, references
from tournament.models.events import Tournament


class CorrectionQuerySet(models.QuerySet["Correction"]):
    def in_force(self) -> "CorrectionQuerySet":
        """Return the corrections that neither undo another one nor are undone, oldest first."""
        found = self.filter(undoes__isnull=True, undone_by__isnull=True)
        return found.order_by("number")

    def with_changes(
        self, is_counted: Callable[[Mapping[str, Any]], bool]
    ) -> dict["Correction", list[dict[str, Any]]]:
        """Return the corrections in force that have changes which count, with these; one query."""
        found = {
            correction: [change for change in correction.changes if is_counted(change)]
            for correction in self.in_force().defer("effect")
        }
        return {correction: changes for correction, changes in found.items() if changes}

    def by_game(self) -> dict[int, list["Correction"]]:
        """Return the corrections in force by the games that they changed; one query."""
        found: dict[int, list[Correction]] = {}
        for correction, changes in self.with_changes(lambda change: "game" in change).items():
            for game in {change["game"] for change in changes}:
                found.setdefault(game, []).append(correction)
        return found


class Correction(Journalled):
    """A correction as it was committed; an undo is a correction of its own.

    `changes` has each changed game, bye and entry with its values before and after, `effect` what
    the correction did to standings, pairings, prizes and ratings; both name entries by id.
    """

    class Scope(models.TextChoices):
        """What takes the corrected results into account; the ratings always do."""

        ALL = "standings_pairings", _("standings, prizes and later pairings")
        STANDINGS = "standings", _("standings and prizes, but no later pairing")
        RATING = "rating", _("only the ratings")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="corrections")
    number = models.PositiveIntegerField()
    scope = models.CharField(max_length=20, choices=Scope)
    reason = models.CharField(max_length=240)
    changes = models.JSONField()
    effect = models.JSONField()
    undoes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="undone_by"
    )
    by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    committed_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(
            "number", "scope", "reason", "changes", "effect", "undoes", "by", "committed_at",
        ),
        derived=(),
        technical=("id", "tournament"),
        personal=(),
        key=("number",),
        refers={"changes": references.changes, "effect": references.effect},
        former={
            "scope": former.SCOPES,
            "changes": former.COUNTED,
            "effect": former.COUNTED,
        },
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "number", name="one_correction_a_number")
        ]

    objects = CorrectionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"correction {self.number} of {self.tournament}"
