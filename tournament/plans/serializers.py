"""Serializers of plans: what an account asks for, and the formats compared."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import EstimateField, RatingField
from games.core.text import translated
from games.core.uploads.tasks import TaskSerializer
from games.rules.text import Text
from tournament.core.serializers import SystemOptionsField
from tournament.plans.queries import STATES
from tournament.simulation.comparison import Reason
from tournament.simulation.formats import (
    LEAST_SIMULATIONS,
    MOST_FIRST_SEAT,
    MOST_SEEDS,
    MOST_SIMULATED_PLAYERS,
    MOST_SIMULATED_ROUNDS,
    MOST_SIMULATIONS,
    USUAL_SIMULATIONS,
)
from tournament.simulation.measures import MEASURES
from tournament.simulation.player_lines import HIGHEST_ERROR

SOURCES = ("ratings", "lines", "tournament")
LONGEST_LINES = 40_000
AIM = (
    "`winner`: the strongest player wins; `order`: the final order follows the true strengths,"
    " by Kendall's tau"
)

AIM_NAMES = [("winner", _("The strongest player wins")), ("order", _("The final order is right"))]


class NewPlanSerializer(serializers.Serializer):
    """The players, one of `ratings`, `lines` and `tournament`, and the formats to compare."""

    ratings = serializers.ListField(
        child=RatingField(allow_null=True),
        max_length=MOST_SIMULATED_PLAYERS,
        required=False,
        help_text="in whole points; null is an unrated player",
    )
    lines = serializers.CharField(
        max_length=LONGEST_LINES,
        required=False,
        help_text="a line for each player: the rating, after it the error of the rating if it is"
        " known, before it a name, separated by tabs, semicolons or commas",
    )
    tournament = serializers.SlugField(
        max_length=80, required=False, help_text="the accepted entries of a tournament of yours"
    )
    systems = serializers.ListField(
        child=serializers.CharField(max_length=40),
        min_length=1,
        max_length=12,
        default=lambda: ["dutch"],
        help_text="codes of pairing systems",
    )
    rounds = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_SIMULATED_ROUNDS),
        min_length=1,
        max_length=12,
        default=lambda: [5, 6, 7],
        label=_("Numbers of rounds"),
        style={
            "help": _(
                "As 5-7 or 5, 7, 9. A round robin and a knockout have the number that they need."
            )
        },
        help_text="numbers of rounds; a round robin and a knockout have the number they need",
    )
    system_options = serializers.DictField(
        child=SystemOptionsField(), default=dict, help_text="options by code of the system"
    )
    tiebreaks = serializers.ListField(
        child=serializers.CharField(max_length=20),
        max_length=20,
        default=list,
        label=_("Tie-breaks"),
        help_text=_("Empty: the usual ones of each system."),
    )
    simulations = serializers.IntegerField(
        min_value=LEAST_SIMULATIONS,
        max_value=MOST_SIMULATIONS,
        default=USUAL_SIMULATIONS,
        label=_("Simulations of each format"),
        help_text=_("More simulations have smaller errors and take longer."),
    )
    seed = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SEEDS,
        required=False,
        label=_("Seed"),
        help_text=_("Empty: it follows from the form, so that the same form has the same result."),
    )
    error = serializers.IntegerField(
        min_value=0,
        max_value=HIGHEST_ERROR,
        required=False,
        label=_("Error of a rating, in points"),
        help_text=_("Empty: 100, or what follows from the rated games of each player."),
    )
    draws = serializers.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        label=_("Draw rate of equal players, from 0 to 1"),
        help_text=_("Empty: none, or 0.3 in a game with draws."),
    )
    first_seat = serializers.IntegerField(
        min_value=-MOST_FIRST_SEAT,
        max_value=MOST_FIRST_SEAT,
        default=0,
        label=_("Value of the first move, in rating points"),
    )
    top = serializers.IntegerField(
        min_value=1,
        max_value=MOST_SIMULATED_PLAYERS,
        default=3,
        label=_("Number of best players to find"),
    )
    minutes = serializers.IntegerField(
        min_value=1, max_value=100_000, default=60, label=_("Minutes of a round")
    )
    pause = serializers.IntegerField(
        min_value=0, max_value=100_000, default=10, label=_("Minutes between two rounds")
    )
    aim = serializers.ChoiceField(
        AIM_NAMES, default="winner", label=_("What matters"), help_text=AIM, style={"help": ""}
    )

    def validate(self, body: dict[str, Any]) -> dict[str, Any]:
        """Require one source of players."""
        named = [source for source in SOURCES if source in body]
        if len(named) != 1:
            detail = Text(
                "send one of %(names)s, not %(count)s of them",
                names=", ".join(SOURCES),
                count=len(named),
            )
            raise serializers.ValidationError(
                {named[-1] if named else "ratings": translated(detail)}
            )
        return body


class FigureSerializer(serializers.Serializer):
    """A mean over the simulations, and the ends of its interval of 95 %."""

    value = EstimateField()
    low = EstimateField()
    high = EstimateField()


class PlannedPlayerSerializer(serializers.Serializer):
    rating = serializers.IntegerField()
    error = serializers.IntegerField(help_text="the standard deviation, in points")


MEANINGS = {
    "winner": "how often the strongest player wins; equal winners share it",
    "strongest_rank": "the rank of the strongest player",
    "top_share": "the share of the best `top` players among the first `top`",
    "tau": "Kendall's tau-b between the true order and the final one: 1 equal, 0 unrelated",
    "rematches": "games of two players who had met before",
    "imbalance": "games with one seat minus games with the other, mean over the players",
    "largest_imbalance": "the largest such difference",
    "downfloats": "games against a player with fewer points, and pairing-allocated byes;"
    " null for a schedule",
    "upfloats": "games against a player with more points; null for a schedule",
    "byes": "pairing-allocated and full-point byes; in a round robin, free rounds",
    "games": "games played",
    "blocked": "how often a round had no legal pairing",
}


class ComparedFormatSerializer(serializers.Serializer):
    system = serializers.CharField()
    rounds = serializers.IntegerField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    options = SystemOptionsField()
    name = serializers.CharField(help_text="of the pairing system")
    minutes = serializers.IntegerField(help_text="the length of the day")
    boards = serializers.IntegerField(help_text="boards needed in a round")

    def get_fields(self) -> dict[str, Any]:
        """Add the measures."""
        figures = {
            name: FigureSerializer(allow_null=True, help_text=MEANINGS[name]) for name in MEASURES
        }
        return {**super().get_fields(), **figures}


class PlanReasonSerializer(serializers.Serializer):
    reason = serializers.ChoiceField(
        [reason.value for reason in Reason],
        help_text="equal: so many simulations cannot tell it apart from the recommended one with"
        " certainty, and with another seed it may be recommended; worse: it is clearly less",
    )
    longer = serializers.IntegerField(help_text="minutes more than the recommended format")
    sentence = serializers.CharField()


class PlanRecommendationSerializer(serializers.Serializer):
    """The shortest of the formats that are as good as the best; empty until the plan is done."""

    aim = serializers.ChoiceField(AIM_NAMES, help_text=AIM)
    formats = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="indices of `formats`: the recommended one, then the others, the best first",
    )
    reasons = PlanReasonSerializer(many=True, help_text="in the same order")


class PlanSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    state = serializers.ChoiceField(STATES, help_text="failed: given up; request it again")
    task = TaskSerializer(help_text="the task that simulates it")
    done = serializers.IntegerField(help_text="simulations done so far")
    simulations = serializers.IntegerField(help_text="of each format")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(help_text="when it is deleted")
    tournament = serializers.CharField(allow_null=True, help_text="the slug of its tournament")
    players = PlannedPlayerSerializer(many=True)
    seed = serializers.IntegerField()
    draws = serializers.FloatField()
    first_seat = serializers.IntegerField()
    top = serializers.IntegerField()
    minutes = serializers.IntegerField()
    pause = serializers.IntegerField()
    aim = serializers.ChoiceField(AIM_NAMES, help_text=AIM)
    formats = ComparedFormatSerializer(many=True)
    recommendation = PlanRecommendationSerializer()


class RequestedPlanSerializer(PlanSerializer):
    """A plan as it was requested."""

    id = serializers.IntegerField(required=False, help_text="not in a dry run")
    task = TaskSerializer(required=False, help_text="not in a dry run")
