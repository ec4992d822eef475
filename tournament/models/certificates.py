"""The certificates of paired rounds, and the explanations computed from them."""

from django.db import models
from django.utils import timezone

from games.models import Account
from games.models.columns import Columns, Journalled
from games.models.fields import TextsField
from tournament.models import references
from tournament.models.events import Tournament
from tournament.models.rounds import Round


class Certificate(Journalled):
    """The certificate of one version of a round that the pairing system paired.

    `entries` are the ids of the entries by pairing number at that time; a late entry changes the
    numbers.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="certificates"
    )
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="certificates")
    version = models.PositiveSmallIntegerField()
    text = models.TextField()
    input_digest = models.CharField(max_length=71)
    output_digest = models.CharField(max_length=71)
    entries = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(
            "round", "version", "input_digest", "output_digest", "entries", "made_at",
        ),
        derived=("text",),
        technical=("id", "tournament"),
        personal=(),
        key=("round", "version"),
        refers={"entries": references.entries},
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "round", "version", name="one_certificate")
        ]

    def __str__(self) -> str:
        return f"certificate of {self.round}, version {self.version}"


class Explanation(models.Model):
    """Why a round is paired as it is, or why two players do not meet; due while `body` is null.

    `lower` and `higher` are pairing numbers of the certificate; both are 0 for the whole round.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="+")
    certificate = models.ForeignKey(
        Certificate, on_delete=models.CASCADE, related_name="explanations"
    )
    lower = models.PositiveIntegerField(default=0)
    higher = models.PositiveIntegerField(default=0)
    body = TextsField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    requested_at = models.DateTimeField(default=timezone.now)
    requested_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "tournament", "certificate", "lower", "higher", "body", "attempts",
            "requested_at", "requested_by",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "tournament", "certificate", "lower", "higher", name="explained_once"
            )
        ]

    def __str__(self) -> str:
        return f"explanation {self.pk} of {self.certificate}"
