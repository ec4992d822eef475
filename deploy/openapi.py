"""The settings of the OpenAPI description, which deploy/settings.py completes by its address."""

import json
from pathlib import Path
from typing import Any

from games.core.openapi.components import COMPONENTS, PARTS, operations_of
from tournament.pairing.findings import FindingCode

MODEL_CHOICES = {
    "games": "Game.State Game.Basis Report.Kind Claim.State",
    "ratings": "Batch.State Batch.Kind Analysis.Kind",
    "tournament": "Tournament.State Entry.State Round.State Pairing.Kind Bye.Kind"
    " WebhookDelivery.State",
}
"""Choices for members whose names others have, too: `GameState` is a component."""

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
        name.replace(".", ""): f"{app}.models.{name}"
        for app, names in MODEL_CHOICES.items()
        for name in names.split()
    }
    | {
        "ByeEnum": ["pairing_bye", "half_bye", "zero_bye", "full_bye", "free"],
        "AcceptedChange": ["pairings_change", "ranks_change", "prizes_change"],
        "AcceptedRule": "tournament.rounds.acceptance.BROKEN_RULES",
        "AcceptedAdvance": ["advance_changes"],
        "AnalysisState": "ratings.analyses.queries.AnalysisState",
        "FindingCode": [code.value for code in FindingCode],
        "ImportedPlayerAction": ["created", "known"],
        "Seat": ["first", "second"],
        "TimeClass": ["bullet", "blitz", "rapid", "standard"],
        "WebhookFeed": ["tournament", "pool", "account", "site"],
    },
}


def add_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Give the successes of each operation the examples in `examples.json`.

    They are what a service has answered, with one or two rows of each list.
    """
    examples = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
    for operation in operations_of(result):
        is_empty = "204" in operation["responses"]
        found = (
            {"200": {"dry_run": True}} if is_empty else examples.get(operation["operationId"], {})
        )
        for status, example in found.items():
            operation["responses"][status]["content"]["application/json"]["example"] = example
    return result
