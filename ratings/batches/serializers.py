"""The body that moves a batch in time."""

from games.core.serializers import MomentField
from ratings.core.serializers import ReasonSerializer


class BackdateSerializer(ReasonSerializer):
    effective_at = MomentField(help_text="not in the future")
