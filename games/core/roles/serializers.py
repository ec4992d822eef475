"""Serializers of roles, and of the invitations that offer them."""

from rest_framework import serializers

from games.core.accounts.mail import MOST_SENDS
from games.core.accounts.serializers import EmailSerializer
from games.core.permissions import OFFICIALS
from games.core.serializers import AccountField
from games.models import Role


class RoleRequestSerializer(EmailSerializer):
    role = serializers.ChoiceField([(str(role), Role.Name(role).label) for role in OFFICIALS])


class SecondFactorSerializer(serializers.Serializer):
    needed = serializers.BooleanField(
        help_text="whether owners and directors need a second factor to act in the tournament"
    )


class HeldRoleSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    account = AccountField()
    role = serializers.CharField()
    needs_second_factor = serializers.BooleanField(
        source="second_factor", help_text="whether owners and directors need one; scorers do not"
    )


class InvitationSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    email = serializers.EmailField()
    role = serializers.CharField()
    expires_at = serializers.DateTimeField()
    sends = serializers.IntegerField(
        help_text=f"messages requested, at most {MOST_SENDS}; 0 if the address has had too many"
        " today: the account sees the invitation when it logs in"
    )
    sent_at = serializers.DateTimeField(allow_null=True, help_text="null while no message is sent")
