"""The settings of the OpenAPI description, which deploy/settings.py completes by its address."""

import json
from pathlib import Path
from typing import Any

from games.core.openapi.components import COMPONENTS, PARTS, operations_of
from tournament.pairing.findings import FindingCode

OPENAPI: dict[str, Any] = {
    "TITLE": "Perihelion",
    "DESCRIPTION": Path(__file__).with_name("introduction.md").read_text(encoding="utf-8"),
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "TAGS": [{"name": name, "description": text} for name, text in PARTS["tags"].items()],
    "WEBHOOKS": "tournament.webhooks.serializers.WEBHOOKS",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SORT_OPERATION_PARAMETERS": "games.core.openapi.schema.place_of",
    "SCHEMA_PATH_PREFIX": "/api/v1/?",
    "PATH_CONVERTER_OVERRIDES": {"number": int, "day": {"type": "string", "format": "date"}},
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "AUTHENTICATION_WHITELIST": [
        "games.core.authentication.BearerAuthentication",
        "games.core.authentication.PasswordAuthentication",
    ],
    "PREPROCESSING_HOOKS": ["drf_spectacular.hooks.preprocess_exclude_path_format"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.core.openapi.schema.simplify_alternatives",
        "games.core.openapi.codes.list_codes",
        "games.core.openapi.schema.name_inputs",
        "games.core.openapi.schema.complete_webhooks",
        "games.core.openapi.schema.share_parameters",
        "deploy.openapi.add_examples",
    ],
    "APPEND_COMPONENTS": COMPONENTS,
    "ENUM_NAME_OVERRIDES": {
        "GameState": "games.models.Game.State",
        "GameBasis": "games.models.Game.Basis",
        "ReportKind": "games.models.Report.Kind",
        "TournamentState": "tournament.models.Tournament.State",
        "ClaimState": "games.models.Claim.State",
        "EntryState": "tournament.models.Entry.State",
        "RoundState": "tournament.models.Round.State",
        "PairingKind": "tournament.models.Pairing.Kind",
        "ByeKind": "tournament.models.Bye.Kind",
        "ByeEnum": ["pairing_bye", "half_bye", "zero_bye", "full_bye", "free"],
        "CorrectedBye": "tournament.corrections.gathering.CORRECTED_BYES",
        "AcceptedChange": ["pairings_change", "ranks_change", "prizes_change"],
        "AcceptedRule": "tournament.rounds.acceptance.BROKEN_RULES",
        "AcceptedAdvance": ["advance_changes"],
        "FindingCode": [code.value for code in FindingCode],
        "Relaxation": ["forbidden_pairs", "same_seats", "second_bye", "rematch"],
        "Seat": ["first", "second"],
        "WebhookFeed": ["tournament", "pool", "account", "site"],
        "OwnFeed": "tournament.webhooks.serializers.FEEDS",
        "WebhookFormat": "tournament.models.Webhook.Format",
        "TimeClass": ["bullet", "blitz", "rapid", "standard"],
        "ImportedPlayerAction": ["created", "known"],
        "ImportedGameAction": ["created", "repeated"],
        "PoolPolicy": "ratings.models.Pool.Policy",
        "BatchState": "ratings.models.Batch.State",
        "AnalysisKind": "ratings.models.Analysis.Kind",
        "AnalysisState": "ratings.analyses.queries.AnalysisState",
        "BatchKind": "ratings.models.Batch.Kind",
        "RatingState": "tournament.events.rating.RATING_STATES",
        "GameRatingState": ["pending", "rated", "excluded"],
        "ClubGrouping": ["club", "federation"],
        "DeliveryState": "tournament.models.WebhookDelivery.State",
        "TaskKind": "games.core.uploads.tasks.TASK_KINDS",
        "TaskState": ["waiting", "running", "done", "refused", "failed"],
    },
}


def add_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Give the successes of each operation the examples in `examples.json`.

    They are what a service has answered, with one or two rows of each list.
    """
    examples = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
    for operation in operations_of(result):
        is_empty = "204" in operation["responses"]
        found = {"200": {"dry_run": True}} if is_empty else examples.get(operation["operationId"], {})
        for status, example in found.items():
            operation["responses"][status]["content"]["application/json"]["example"] = example
    return result
