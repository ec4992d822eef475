"""Responses to requests with an `Idempotency-Key`, for a caller who sends the request again."""

from django.db import models
from django.utils import timezone

from games.models.columns import Columns
from games.models.people import Account


class StoredResponse(models.Model):
    """The response to a write, stored in the transaction of the write.

    `account` is None if the caller had none. `key_digest` is that of the caller and the key,
    `request_digest` that of the address, the body and the token. `content` is compressed and
    encrypted (games/core/idempotency.py), because it may contain a token.
    """

    account = models.ForeignKey(Account, on_delete=models.CASCADE, null=True, related_name="+")
    key_digest = models.CharField(max_length=64, unique=True)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    content = models.BinaryField(default=bytes)
    size = models.PositiveIntegerField(default=0, help_text="bytes of the content")
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    columns = Columns(
        journalled=(),
        derived=(),
        technical=(
            "id", "account", "key_digest", "request_digest", "status", "headers", "content", "size",
            "created_at",
        ),
        personal=(),
    )  # fmt: skip

    def __str__(self) -> str:
        return f"response {self.status} for {self.account}"
