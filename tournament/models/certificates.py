"""How a round was paired, for anyone to pair again, and why, once somebody has asked."""

from django.db import models
from django.utils import timezone

from tournament.models.events import Tournament
from tournament.models.rounds import Round


class Certificate(models.Model):
    """The certificate of one version of a round that the engine paired.

    `entries` are the ids of the entries by pairing number, as the numbers were then; a late entry
    changes them.
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

    class Meta:
        constraints = [
            models.UniqueConstraint("tournament", "round", "version", name="one_certificate")
        ]

    def __str__(self) -> str:
        return f"certificate of {self.round}, version {self.version}"


class Explanation(models.Model):
    """Why a round is paired so, or why two do not meet in it; without a body it is still due.

    `one` and `other` are pairing numbers of the certificate, 0 and 0 for all the boards.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="+")
    certificate = models.ForeignKey(
        Certificate, on_delete=models.CASCADE, related_name="explanations"
    )
    one = models.PositiveIntegerField(default=0)
    other = models.PositiveIntegerField(default=0)
    body = models.JSONField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "tournament", "certificate", "one", "other", name="explained_once"
            )
        ]

    def __str__(self) -> str:
        return f"explanation {self.pk} of {self.certificate}"
