"""Claims of accounts to be the person that a player registration is about."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.columns import Columns
from games.models.journalled import Journalled
from games.models.people import Account, Player


class Claim(Journalled):
    """An account states that it is a player; an owner of an event, or site staff, decides."""

    class State(models.TextChoices):
        OPEN = "open", _("not decided yet")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="claims")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    reason = models.CharField(max_length=240, blank=True, help_text="of the decision")
    decided_by = models.ForeignKey(
        Account, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    columns = Columns(
        journalled=(
            "player", "account", "state", "reason", "decided_at", "created_at",
        ),
        derived=(),
        technical=("id", "decided_by"),
        personal=("reason",),
        key=("player", "account", "created_at"),
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "account"], condition=Q(state="open"), name="one_open_claim"
            )
        ]

    def __str__(self) -> str:
        return f"{self.account} is {self.player}: {self.state}"
