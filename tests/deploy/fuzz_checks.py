"""A check of schemathesis: the code of a problem is of any operation, or of the one that was sent.

schemathesis loads this file by its path, in a process without Django (SCHEMATHESIS_HOOKS).
"""

import re
from typing import Any

import schemathesis

OWN = re.compile(r"Codes of its own: (.+)")


@schemathesis.check
def declared_codes(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """Fail if the code of a problem is of other operations only."""
    (media_type,) = response.headers.get("content-type", [""])[:1]
    if not media_type.startswith("application/problem+json"):
        return
    code = response.json()["code"]
    if code in own_codes(case.operation.definition.raw):
        return
    paths = case.operation.schema.raw_schema["paths"].values()
    operations = (operation for path in paths for operation in path.values())
    others = [each["operationId"] for each in operations if code in own_codes(each)]
    assert not others, f"{code} is declared by {', '.join(others)} only"


def own_codes(operation: dict[str, Any]) -> set[str]:
    """Return the codes that the description of an operation names as its own."""
    found = OWN.search(operation["description"])
    return {*re.findall(r"`(\w+)`", found[1])} if found else set()
