"""Serializers for relaxations, the pre-flight check, certificates and explanations."""

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.serializers.tasks import TaskSerializer
from tournament.core.serializers import FindingSerializer
from tournament.pairing.relaxations import RELAXATIONS

HIGHEST_NUMBER = 100_000


class PairRequestSerializer(serializers.Serializer):
    relax = serializers.ListField(
        child=serializers.ChoiceField([code.value for code in RELAXATIONS]),
        required=False,
        default=list,
        max_length=len(RELAXATIONS),
        help_text="rules that may give way if there is no legal pairing, as few as possible",
    )
    reason = serializers.CharField(
        max_length=240, required=False, allow_blank=True, default="", help_text="why they may"
    )


class CheckItemSerializer(serializers.Serializer):
    code = serializers.CharField(
        help_text="Blocking: wrong_state, round_open, result_open, no_legal_pairing, "
        "forbidden_pair, cannot_pair. For information: unnumbered, absent, odd_number, "
        "preference_given_up, advance_changes, broken_rule (of a draft set by hand)."
    )
    blocks = serializers.BooleanField()
    detail = serializers.CharField()
    round = serializers.IntegerField(required=False)
    board = serializers.IntegerField(required=False)
    players = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="pairing numbers"
    )
    rule = serializers.CharField(
        required=False, help_text="the code that `publish` needs in `accept`"
    )
    entries = serializers.ListField(child=serializers.IntegerField(), required=False)
    counts = serializers.DictField(child=serializers.IntegerField(), required=False)


class CheckSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    ready = serializers.BooleanField(help_text="whether `pair` would succeed")
    items = CheckItemSerializer(many=True)
    bye = serializers.IntegerField(
        allow_null=True, help_text="the pairing number of the player who would have the bye"
    )
    relax = serializers.ListField(
        child=serializers.CharField(),
        help_text="the `relax` that `pair` needs, the least important rule first",
    )
    relaxations = FindingSerializer(many=True, help_text="the rules that would be broken then")


class CertificateSerializer(serializers.Serializer):
    """A certificate; the response, saved as a file, is the input of `verify_certificate`."""

    system = serializers.CharField()
    edition = serializers.CharField()
    engine = serializers.CharField()
    round = serializers.IntegerField()
    seed = serializers.IntegerField()
    codes = serializers.ListField(child=serializers.CharField())
    options = serializers.DictField()
    preferences = serializers.ListField(child=serializers.ListField())
    exempt = serializers.ListField(child=serializers.ListField())
    exempt_byes = serializers.ListField(child=serializers.IntegerField())
    balance_seats = serializers.BooleanField()
    input = serializers.CharField(help_text="everything that the system reads, as TRF26")
    input_digest = serializers.CharField(help_text="of everything but the output")
    output = serializers.CharField(help_text="a line `first second` for each board, the bye last")
    output_digest = serializers.CharField()


class ExplainRequestSerializer(serializers.Serializer):
    a = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_NUMBER, label=_("Pairing number of one player")
    )
    c = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_NUMBER, label=_("Pairing number of the other")
    )


class ExplanationSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    a = serializers.IntegerField()
    c = serializers.IntegerField()
    reason = FindingSerializer(required=False, help_text="once it is computed")
    numbers = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="the entries by the pairing numbers in the reasons, number 1 first",
    )
    task = TaskSerializer(required=False, help_text="for a large round")
