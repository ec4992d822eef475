"""Files that a task imports: what was sent, by whom, and what came of it."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.people import Account


class Upload(models.Model):
    """A file on its way in; until it is finished, with an answer or a problem, it is due.

    `task` is the name of the task that imports it, `action` what the account must be allowed in
    the stream. An answer that is there before the end says that all is written. The content goes
    at the end.
    """

    task = models.CharField(max_length=80)
    action = models.CharField(max_length=40)
    stream = models.CharField(max_length=120, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    content = models.BinaryField()
    by = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="uploads")
    asked_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    answer = models.JSONField(null=True, blank=True)
    location = models.CharField(max_length=160, blank=True)
    problem = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="finished_with_one_outcome",
                condition=Q(finished_at__isnull=True, problem__isnull=True)
                | Q(finished_at__isnull=False, answer__isnull=False, problem__isnull=True)
                | Q(finished_at__isnull=False, answer__isnull=True, problem__isnull=False),
            )
        ]
        indexes = [
            models.Index(
                fields=["asked_at"], name="uploads_due", condition=Q(finished_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"upload {self.pk} by {self.by}"
