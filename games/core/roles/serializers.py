"""Serializers of roles."""

from rest_framework import serializers

from games.core.accounts.serializers import EmailSerializer
from games.core.permissions import OFFICIALS
from games.models import Role


class RoleRequestSerializer(EmailSerializer):
    role = serializers.ChoiceField([(str(role), Role.Name(role).label) for role in OFFICIALS])


class SecondFactorSerializer(serializers.Serializer):
    needed = serializers.BooleanField(help_text="whether owners and directors need one to act")
