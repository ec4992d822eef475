"""Files that a task imports."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.columns import Columns
from games.models.fields import TextsField
from games.models.people import Account


class Upload(models.Model):
    """A file to import; it is due until it is finished, with a result or a problem.

    `task` is the name of the task that imports it, `action` what the account must be allowed in
    the stream. A result before the end means that everything is saved. The content is deleted at
    the end.
    """

    task = models.CharField(max_length=80)
    action = models.CharField(max_length=40)
    stream = models.CharField(max_length=120, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    content = models.BinaryField()
    by = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="uploads")
    created_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    finished_at = models.DateTimeField(null=True, blank=True)
    result = TextsField(null=True, blank=True)
    location = models.CharField(max_length=160, blank=True)
    problem = TextsField(null=True, blank=True)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "task", "action", "stream", "parameters", "content", "by", "created_at",
            "attempts", "finished_at", "result", "location", "problem",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="finished_with_one_outcome",
                condition=Q(finished_at__isnull=True, problem__isnull=True)
                | Q(finished_at__isnull=False, result__isnull=False, problem__isnull=True)
                | Q(finished_at__isnull=False, result__isnull=True, problem__isnull=False),
            )
        ]
        indexes = [
            models.Index(
                fields=["created_at"], name="uploads_due", condition=Q(finished_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"upload {self.pk} by {self.by}"
