"""The shapes of what surrounds a pairing: relaxations, pre-flight, certificates, explanations."""

from rest_framework import serializers

from games.serializers.tasks import TaskSerializer
from tournament.pairing.relaxations import Relaxation

HIGHEST_NUMBER = 100_000


class PairRequest(serializers.Serializer):
    relax = serializers.ListField(
        child=serializers.ChoiceField([one.value for one in Relaxation]),
        required=False,
        default=list,
        max_length=len(Relaxation),
        help_text="rules that may give way, where there is no legal pairing and only as they must",
    )
    reason = serializers.CharField(
        max_length=240, required=False, allow_blank=True, default="", help_text="why they may"
    )


class BreachSerializer(serializers.Serializer):
    relaxation = serializers.ChoiceField([one.value for one in Relaxation])
    players = serializers.ListField(child=serializers.IntegerField(), help_text="pairing numbers")
    detail = serializers.CharField()


class CheckItem(serializers.Serializer):
    code = serializers.CharField(
        help_text="wrong_state, round_open, result_open, no_legal_pairing, forbidden_pair, "
        "cannot_pair block; unnumbered, absent, odd_number, wish_given_up are told"
    )
    blocks = serializers.BooleanField()
    detail = serializers.CharField()
    round = serializers.IntegerField(required=False)
    board = serializers.IntegerField(required=False)
    players = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="pairing numbers"
    )
    entries = serializers.ListField(child=serializers.IntegerField(), required=False)
    counts = serializers.DictField(child=serializers.IntegerField(), required=False)


class CheckSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    ready = serializers.BooleanField(help_text="whether `pair` would do it")
    items = CheckItem(many=True)
    bye = serializers.IntegerField(
        allow_null=True, help_text="the pairing number of who would have the bye"
    )
    relax = serializers.ListField(
        child=serializers.CharField(), help_text="what `pair` needs to be told, the lightest first"
    )
    relaxations = BreachSerializer(many=True, help_text="what would give way then")


class CertificateSerializer(serializers.Serializer):
    """A certificate; saved as it is answered, it is a file for `verify_certificate`."""

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
    balances_seats = serializers.BooleanField()
    input = serializers.CharField(help_text="a TRF26 report of all that pairing looks at")
    input_digest = serializers.CharField()
    output = serializers.CharField(help_text="`first second` a board, the bye last")
    output_digest = serializers.CharField()


class ReasonSerializer(serializers.Serializer):
    code = serializers.CharField()
    players = serializers.ListField(child=serializers.IntegerField())
    values = serializers.DictField()
    sentence = serializers.CharField()


class ExplainRequest(serializers.Serializer):
    a = serializers.IntegerField(min_value=1, max_value=HIGHEST_NUMBER)
    c = serializers.IntegerField(min_value=1, max_value=HIGHEST_NUMBER)


class ExplainedSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    a = serializers.IntegerField()
    c = serializers.IntegerField()
    reason = ReasonSerializer(required=False, help_text="once it is computed")
    numbers = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="the entries by the pairing numbers that the reasons use, number 1 first",
    )
    task = TaskSerializer(required=False, help_text="of a large round")
