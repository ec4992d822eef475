"""OpenAPI: the problems that each operation may return, each under its own status.

Most follow from the operation: a body can be too large, a path can name nothing, a write can be
forbidden. A view names in `problems` what only its service raises.
"""

from typing import Any

from deploy.schema_components import PROBLEMS

ALWAYS = (400, 429, 503, 507)
"""Any request may have an unreadable host or query, come too often, or meet a full disk."""


def problem_statuses(view: Any, method: str, path: str, operation: dict[str, Any]) -> set[int]:
    """Return the statuses of the problems that an operation may return."""
    parameters = operation.get("parameters", ())
    queries = {parameter["name"] for parameter in parameters if parameter["in"] == "query"}
    is_public = {} in operation.get("security", [{}])
    statuses = {*ALWAYS, *getattr(view, "problems", {}).get(method, ())}
    if view.authentication_classes:
        statuses.add(401)
    if not is_public:
        statuses.add(403)
    if "{" in path or "cursor" in queries:
        statuses.add(404)
    if method != "GET" or queries:
        statuses.add(422)
    if "requestBody" in operation:
        statuses |= {411, 413, 415}
    has_precondition = getattr(view, "has_precondition", False)
    if method != "GET" and not getattr(view, "is_read_only", False) and not is_public:
        statuses |= {409} if method == "POST" or has_precondition else set()
    if has_precondition and method not in ("GET", "DELETE"):
        statuses |= {412, 428}
    return statuses


def problem_references(statuses: set[int]) -> dict[str, dict[str, str]]:
    """Return references to the responses of the statuses, by status."""
    return {
        str(status): {"$ref": f"#/components/responses/{PROBLEMS[status][0]}"}
        for status in sorted(statuses)
    }


def problem_components() -> dict[str, dict[str, Any]]:
    """Return the responses that the references mean, by name."""
    return dict(PROBLEMS.values())
