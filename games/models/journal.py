"""The rows of the journal: the head of each stream, its lines, and their payloads."""

from django.db import models

from games.models.columns import Columns


class JournalHead(models.Model):
    """The last line of a stream's chain; its row is the lock that orders writers."""

    stream = models.CharField(max_length=120, primary_key=True)
    sequence = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)

    columns = Columns(
        journalled=(), derived=(), technical=("stream", "sequence", "digest"), personal=()
    )

    def __str__(self) -> str:
        return f"{self.stream} at {self.sequence}"


class JournalLine(models.Model):
    """What happened, when, by whom, and the digest of the payload; see `games.core.journal`."""

    stream = models.CharField(max_length=120)
    sequence = models.PositiveBigIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    actor = models.CharField(max_length=80)
    at = models.DateTimeField()
    kind = models.CharField(max_length=48)
    payload_digest = models.CharField(max_length=64)
    rows_digest = models.CharField(max_length=64, blank=True, help_text="empty without rows")

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "stream", "sequence", "previous", "digest", "actor", "at", "kind",
            "payload_digest", "rows_digest",
        ),
        personal=(),
    )  # fmt: skip

    class Meta:
        constraints = [models.UniqueConstraint("stream", "sequence", name="journal_sequence")]
        indexes = [models.Index(fields=["actor", "id"])]  # what an account has done

    def __str__(self) -> str:
        return f"{self.stream} {self.sequence}: {self.kind}"


class JournalPayload(models.Model):
    """The payload of a line, in its own row so that erasing it does not break the chain.

    `body` is for readers, `rows` are the changed columns of each row (games/core/journal/rows.py).
    """

    line = models.OneToOneField(
        JournalLine, primary_key=True, on_delete=models.CASCADE, related_name="payload"
    )
    body = models.JSONField()
    rows = models.JSONField(null=True, blank=True)

    columns = Columns(journalled=(), derived=(), technical=("line", "body", "rows"), personal=())

    def __str__(self) -> str:
        return f"payload of {self.line_id}"
