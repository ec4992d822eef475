"""OpenAPI: what cannot be derived from the views.

This is how a client authenticates, and which problems every operation may return, each under its
own status. The setting DEFAULT_SCHEMA_CLASS names `ApiSchema`, so this module and its extensions
are always loaded first.

A resource is described once, with all its media types; its suffixes are in its description and in
`x-suffixes`. Media types other than JSON follow from the renderers of the view.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.mixins import ListModelMixin

from games.core.actions import ACCEPTED, Action
from games.core.filters import MOST_VALUES
from games.core.openapi import objects  # noqa: F401  # registers its extensions
from games.core.openapi.components import (
    FIELD_REFERENCES,
    PARTS,
    fields,
    operations_of,
    problem_references,
)
from games.core.openapi.tags import tag_of
from games.core.permissions import EVENT_SCOPE_PATTERN, EVENT_SCOPE_TEXT, MATRIX, SCOPES, ActionRule
from games.core.preconditions import TYPES_WITHOUT_ETAG
from games.core.requests import LONGEST_PARAMETER
from games.core.views import DRY_RUN, ApiView, action_of
from games.core.waits import PREFER

HeaderField = partial(OpenApiParameter, location=OpenApiParameter.HEADER)
IDEMPOTENCY_KEY = HeaderField(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255},
    description="the request acts once with this key (see the introduction)",
)
"""The parameter of every POST that writes."""
IF_NONE_MATCH = HeaderField(
    "If-None-Match",
    description="the `ETag` of an earlier response; 304 without a body if it is still current",
)
"""The parameter of every read that has a tag."""


def if_match(address: str) -> OpenApiParameter:
    """Return the parameter of directors' writes, which names the object whose tag it is."""
    text = f"the `ETag` of `{address}` as it was read, or `*` (see the introduction)"
    return HeaderField("If-Match", description=text)


DRY_RUN_OF_NOTHING = OpenApiParameter(
    "dry_run", bool, description="as of every POST; it has no effect, because this writes nothing"
)

WORDS_OF_ROLES = {
    "account": "any account",
    "custodian": "custodians of the registration",
    "player": "the player",
    "rating_officer": "rating officers",
}
"""Who has a role, where that is not its plural."""

OCTETS = "application/octet-stream"
JSON = "application/json"
EVENT_STREAM = "text/event-stream"


def content_type(media_type: str) -> str:
    """Return the type of a response, with the charset of texts."""
    is_text = media_type.startswith("text/") and media_type != EVENT_STREAM
    is_text |= media_type in ("application/x-ndjson", "image/svg+xml")
    return f"{media_type}; charset=utf-8" if is_text else media_type


def describe_formats(operation: dict[str, Any], renderers: list[Any]) -> None:
    """Describe the formats of a read besides JSON as texts or files, and their suffixes."""
    for status, found in operation["responses"].items():
        content = found.pop("content", {})
        described = {name: body for name, body in content.items() if name == JSON}
        for each in renderers if status == "200" else ():
            if each.media_type != JSON:
                binary = {"format": "binary"} if each.render_style == "binary" else {}
                body = content.get(each.media_type, {}) | {"schema": {"type": "string"} | binary}
                described[content_type(each.media_type)] = body
        if described:
            found["content"] = described
    suffixes = [f".{each.format}" for each in renderers if each.format]
    if suffixes and suffixes != [".json"]:
        types = [f"`.{each.format}` ({each.media_type})" for each in renderers]
        text = f"Formats, by `Accept` or by a suffix of the address: {', '.join(types)}."
        operation["description"] = f"{operation.get('description', '')}\n\n{text}".strip()
        operation["x-suffixes"] = suffixes


ALWAYS = (400, 406, 422, 429, 503, 507)
"""Any request may have an unreadable host, accept no format, have a parameter that is given twice,
come too often, or meet a full disk."""


def problem_statuses(view: Any, method: str, path: str, operation: dict[str, Any]) -> set[int]:
    """Return the statuses of the problems that an operation may return.

    Most follow from the operation: a body can be too large, a path can name nothing, a write can be
    forbidden. An action, or the view of a read, names in `problems` what only its service raises;
    codes that name the operation come later (`list_codes`).
    """
    action = action_of(view, method)
    is_public = {} in operation.get("security", [{}])
    statuses = {*ALWAYS, *(action or view).problems}
    if view.authentication_classes:
        statuses.add(401)
    if not is_public:
        statuses.add(403)
    if "{" in path:
        statuses.add(404)
    if "requestBody" in operation:
        statuses |= {411, 413, 415}
    if action and not action.is_read_only and not is_public and method == "POST":
        statuses.add(409)
    if action and action.has_precondition:
        statuses |= {409, 412, 428}
    return statuses


class ApiSchema(AutoSchema):
    """The description of DRF views, including the problems that each may return."""

    view: Any

    def get_operation_id(self) -> str:
        """Return the name of an operation that has none: `open_tournament`, `list_games`.

        An action is a word after the object that it changes; a read is a list or one object.
        """
        words = [word for word in self.path.replace("-", "_").split("/") if word]
        names = [word for word in words if "{" not in word]
        if self.method == "POST" and len(words) > 1 and "{" in words[-2]:
            return f"{words[-1]}_{singular(names[-2])}"
        if self.method != "GET":
            return super().get_operation_id()
        if isinstance(self.view, ListModelMixin) or is_list(self.get_response_serializers()):
            return f"list_{names[-1]}"
        return f"get_{singular(names[-1]) if '{' in words[-1] else names[-1]}"

    def get_tags(self) -> list[str]:
        return [tag_of(type(self.view).__module__, self.path)]

    def get_summary(self) -> str:
        """Return the first sentence of the docstring, without what follows a semicolon."""
        return self.summary_and_rest()[0]

    def get_description(self) -> str:  # type: ignore[override]  # drf-spectacular's own form
        """Return what follows the summary, who may do this, and the scopes: a token needs one."""
        _, text = self.summary_and_rest()
        if (rule := self.rule()) is None:
            return text
        names = " or ".join(f"`{name}`" for name in rule.scopes)
        for_player = "".join(f"; the player: `{name}`" for name in rule.player_scopes)
        who = f"For: {', '.join(those_with(rule.roles))}. Scope: {names}{for_player}."
        return f"{text}\n\n{who}".strip()

    def summary_and_rest(self) -> tuple[str, str]:
        """Return the first sentence of the docstring, or its first half, and what follows it."""
        text: str = super().get_description()
        first, *rest = re.split(r"(?<=[.:;])\s+", text, maxsplit=1)
        following = rest[0] if rest else ""
        return " ".join(first.split()).rstrip(".:;"), following[:1].upper() + following[1:]

    def rule(self) -> ActionRule | None:
        """Return the roles and the scopes that the operation needs; None if it needs none.

        A message of a webhook has neither.
        """
        permission = getattr(action_of(self.view, self.method) or self.view, "permission", "")
        return MATRIX[permission] if permission else None

    def get_auth(self) -> list[dict[str, Any]]:
        """Return how a caller may authenticate; the empty object marks what is public."""
        required: list[dict[str, Any]] = super().get_auth()
        action = action_of(self.view, self.method)
        is_public = (
            not self.view.permission and self.view.is_public
            if action is None
            else (not action.permission)
        )
        return [{}, *required] if is_public else required

    def get_override_parameters(self) -> list[Any]:
        parameters: list[Any] = super().get_override_parameters()
        action = action_of(self.view, self.method)
        if not isinstance(self.view, ApiView):  # a message of a webhook
            return parameters
        if action is None:
            return [*parameters, *self.view.parameters, *[IF_NONE_MATCH] * has_tag(self.view)]
        if action.is_read_only:
            return [*parameters, DRY_RUN_OF_NOTHING]
        key = [IDEMPOTENCY_KEY] if self.method == "POST" else []
        match = [if_match(action.tag_of)] if action.has_precondition else []
        wait = [PREFER] if ACCEPTED in action.responses else []
        return [*parameters, DRY_RUN, *key, *match, *wait]

    def get_operation(self, path: str, *args: Any) -> dict[str, Any] | None:
        """Return an operation, None for one that is not described."""
        operation = super().get_operation(path, *args)
        if operation is None:
            return None
        for item in operation.get("parameters", ()):
            if item["in"] == "path":
                item["description"] = describe_part(item["name"], path)
            elif item["in"] == "query":
                item["schema"] = with_limits(item["schema"])
        responses = operation["responses"]
        if self.method == "GET":
            describe_formats(operation, self.view.get_renderers())
        action = action_of(self.view, self.method)
        for status, found in responses.items():
            own = found.get("headers", {}) | fields(*self.fields_of(action, status))
            found["headers"] = own | FIELD_REFERENCES
        if self.method == "GET" and has_tag(self.view):
            name = "NotModifiedWithLinks" if has_links(self.view) else "NotModified"
            responses["304"] = {"$ref": f"#/components/responses/{name}"}
        if body := operation.get("requestBody"):
            if action and action.example is not None:
                body["content"][JSON]["example"] = action.example
            needed = self.method in ("PUT", "PATCH") or is_file(body["content"])
            body["required"] = body.get("required", False) or needed
            body["content"] = octets_first(body["content"])
        statuses = problem_statuses(self.view, self.method, path, operation)
        # A client sends as `Accept` the first type whose name has JSON: not that of a problem.
        operation["responses"] = {**responses, **problem_references(statuses), **responses}
        return operation

    def fields_of(self, action: Action | None, status: str) -> Iterator[str]:
        """Yield the header fields of a response, besides those of every response.

        A response after the wait for a task has the address of the task.
        """
        if action is not None:
            yield from fields_of_write(action, self.method, status)
        elif status == str(ACCEPTED):
            yield from ("Location", "Retry-After")
        elif PREFER in self.view.parameters:
            yield from ("Retry-After", "Preference-Applied")
        if action is None and status == "200":
            yield from ["Link"] * has_links(self.view) + ["ETag"] * has_tag(self.view)


def is_list(response: Any) -> bool:
    """Return True if the type of a response is that of a list (`list_of`)."""
    return "results" in getattr(getattr(response, "hint", None), "__annotations__", {})


def those_with(roles: Sequence[str]) -> list[str]:
    """Return the words for who has one of the roles, or needs none."""
    words = [WORDS_OF_ROLES.get(role, f"{role}s") for role in roles]
    return words if roles in (("player",), ("account",)) else [*words, "site staff"]


def fields_of_write(action: Action, method: str | None, status: str) -> Iterable[str]:
    """Yield the header fields of a response of a write, besides those of every response.

    A response after the wait for a task has the address of the task.
    """
    is_tried = action.responses.get(200) == action.responses.get(201)
    if status == "200" and is_tried and {201, 204} & {*(action.responses or [action.status])}:
        return  # of a dry run
    if action.location:
        yield "Location"
    if ACCEPTED in action.responses:
        yield from ("Preference-Applied", *(("Location", "Retry-After") if status != "201" else ()))
    made = (type(action).made_target, type(action).made_tag)
    is_made = made != (Action.made_target, Action.made_tag) and status != str(ACCEPTED)
    if action.has_precondition or is_made:
        yield "ETag"
    if method == "POST" and not action.is_read_only:
        yield "Idempotent-Replayed"


def has_links(view: Any) -> bool:
    """Return True if a read names other addresses in `Link`: pages, or the notes of a table."""
    return isinstance(view, ListModelMixin) or getattr(view, "has_links", False)


def has_tag(view: Any) -> bool:
    """Return True if a read is answered with a tag, in one of its formats."""
    types = [each.media_type for each in view.get_renderers()]
    return not (view.is_streamed or all(each.startswith(TYPES_WITHOUT_ETAG) for each in types))


def is_file(content: dict[str, Any]) -> bool:
    """Return True if every form of a body is a file, which a request cannot omit."""
    return all(form["schema"].get("format") == "binary" for form in content.values())


def place_of(parameter: dict[str, Any]) -> int:
    """Return the place of a parameter: path, query, header; those of the path are in its order."""
    return ("path", "query", "header").index(parameter["in"])


def describe_part(name: str, path: str) -> str:
    """Return what a part of a path is."""
    word = path.partition(f"/{{{name}}}")[0].rpartition("/")[2]
    known = PARTS["parts"].get(f"{word}/{name}") or PARTS["parts"].get(name)
    return known or f"the id of the {name.removesuffix('_id')}"


def with_limits(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter of the query with the limits of every parameter."""
    if schema.get("type") == "array":
        return {"maxItems": MOST_VALUES} | schema
    is_text = schema.get("type") == "string" and not {"enum", "format"} & schema.keys()
    return {"maxLength": LONGEST_PARAMETER} | schema if is_text else schema


def octets_first(content: dict[str, Any]) -> dict[str, Any]:
    """Return the media types of a body: bytes of any file before its own types.

    Every generator knows them. JSON is the first, because some know only the first.
    """
    first = {name: content[name] for name in (JSON, OCTETS) if name in content}
    return first | content


def singular(collection: str) -> str:
    """Return the name of one row of a collection: `entry` of `entries`."""
    endings = {"ies": "y", "ches": "ch", "s": ""}
    ending = next(ending for ending in endings if collection.endswith(ending))
    return collection.removesuffix(ending) + endings[ending]


EMPTY = {"type": "string", "maxLength": 0}
NONE = {"$ref": "#/components/schemas/NullEnum"}
CHOICE = re.compile(r"\n*^\* `(.+)` - (.+)$", re.MULTILINE)
"""The line of a choice in a description: its value and its label."""


def simplify_alternatives(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe a text that may be empty, and a choice that may be null, without an own type.

    Some generators make an object of alternatives. Where null unsets a choice, so does an empty
    text, which is not described. Choices whose labels are their values are not described again.
    """
    schemas = result["components"]["schemas"]
    for name in ("BlankEnum", "NullEnum"):
        schemas.pop(name, None)
    for schema in schemas.values():
        members = schema.get("properties", {}).values()
        for described in (schema, *members):
            if text := without_same_labels(described.pop("description", "")):
                described["description"] = text
        for member in members:
            first, *others = member.get("oneOf", [{}])
            if others == [EMPTY]:
                del member["oneOf"]
                member |= first | {"pattern": f"^$|{first['pattern']}"}
            elif NONE in others:
                member["oneOf"] = [first, {"type": "null"}]
    return result


def without_same_labels(text: str) -> str:
    """Return a description without the lines of its choices, unless one of them says something."""
    choices = CHOICE.findall(text)
    return text if any(value != label for value, label in choices) else CHOICE.sub("", text)


own_name = partial(re.compile("(Request)+$").sub, "Input")


def name_inputs(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name the content of requests `TournamentInput`, of whatever class its serializer is.

    A generator calls the parameters of the operation `tournament` `TournamentRequest`.
    """
    schemas = result["components"]["schemas"]
    result["components"]["schemas"] = {own_name(name): schemas[name] for name in sorted(schemas)}
    for each in references(result):
        each["$ref"] = own_name(each["$ref"])
    return result


def share_parameters(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Make components of the parameters that several operations have.

    One has its own name; another of the same name has that of the first operation, too.
    """
    places = defaultdict(list)
    for operation in operations_of(result):
        for item in operation.get("parameters", ()):
            form = json.dumps(item, sort_keys=True, default=str)
            places[form].append((operation["operationId"], item))
    shared: dict[str, Any] = {}
    for found in sorted(places.values(), key=len, reverse=True):
        name = found[0][1]["name"]
        if name in shared:
            name += f"_of_{found[0][0]}"
        if len(found) > 1:
            shared[name] = {**found[0][1]}
            for _operation, item in found:
                item.clear()
                item["$ref"] = f"#/components/parameters/{name}"
    result["components"]["parameters"] = dict(sorted(shared.items()))
    return result


WEBHOOKS_PATH: Final = "/api/v1/webhooks"
WEBHOOK_URL: Final = "{$request.body#/receiver_url}"
"""Where the messages of a webhook are sent, as OpenAPI 3.1 writes it (Runtime Expressions)."""


def complete_webhooks(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe the messages of webhooks as callbacks of the operation that creates one.

    They are signed, and have no token. Of `webhooks` of OpenAPI 3.1, openapi-generator makes a
    client in TypeScript that does not compile.
    """
    callbacks = {}
    for kind, path in result.pop("webhooks").items():
        path["post"] |= {"operationId": f"receive_{kind.replace('.', '_')}", "security": []}
        callbacks[kind] = {WEBHOOK_URL: path}
    result["paths"][WEBHOOKS_PATH]["post"]["callbacks"] = callbacks
    return result


def references(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the references to components in a part of the description."""
    if isinstance(part, dict) and "$ref" in part:
        yield part
    elif isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from references(inner)


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Authentication with a token of the account, or with the access token of an app."""

    target_class = "games.core.authentication.BearerAuthentication"
    name = ["token", "oauth2"]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[str]]]:
        """Return the ways to authenticate: a token, or an app with one of the scopes."""
        assert isinstance(auto_schema, ApiSchema)
        rule = auto_schema.rule()
        if rule and not rule.by_app:
            return [{"token": []}]
        alternatives = [[scope] for scope in rule.all_scopes] if rule else [[]]
        return [{"token": []}, *({"oauth2": scopes} for scopes in alternatives)]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:
        flow = {
            "authorizationUrl": f"{settings.PUBLIC_URL}/oauth/authorize",
            "tokenUrl": f"{settings.PUBLIC_URL}/oauth/token",
            "refreshUrl": f"{settings.PUBLIC_URL}/oauth/token",
            "scopes": SCOPES | {EVENT_SCOPE_PATTERN: EVENT_SCOPE_TEXT},
        }
        return [
            {"type": "http", "scheme": "bearer", "bearerFormat": "peri_..."},
            {
                "type": "oauth2",
                "description": "For apps of others, with PKCE (S256).",
                "flows": {"authorizationCode": flow},
            },
        ]


class PasswordScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Authentication with email and password, to create a token."""

    target_class = "games.core.authentication.PasswordAuthentication"
    name = "password"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "basic"}
