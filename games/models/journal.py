"""The journal's rows: the head of each stream, its lines, and what they tell."""

from django.db import models


class JournalHead(models.Model):
    """The end of a stream's chain; its row is the lock that puts writers in order."""

    stream = models.CharField(max_length=120, primary_key=True)
    sequence = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.stream} at {self.sequence}"


class JournalLine(models.Model):
    """One link: what happened, when, by whom, and the digest of what was told."""

    stream = models.CharField(max_length=120)
    sequence = models.PositiveBigIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    actor = models.CharField(max_length=80)
    at = models.DateTimeField()
    kind = models.CharField(max_length=48)
    payload_digest = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint("stream", "sequence", name="journal_sequence")]

    def __str__(self) -> str:
        return f"{self.stream} {self.sequence}: {self.kind}"


class JournalPayload(models.Model):
    """What a line tells, kept apart so that it can be erased without breaking the chain."""

    line = models.OneToOneField(
        JournalLine, primary_key=True, on_delete=models.CASCADE, related_name="payload"
    )
    body = models.JSONField()

    def __str__(self) -> str:
        return f"payload of {self.line_id}"
