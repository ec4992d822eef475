"""Code generators create every operation of the schema, without a warning."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.processes import ROOT

if TYPE_CHECKING:  # it is large, and each process of a test run collects this file
    from openapi_python_client.parser import GeneratorData

METHODS = ("get", "post", "put", "patch", "delete")
CONFIG = ROOT / "deploy" / "client" / "generator.yaml"
NPX = shutil.which("npx")
TYPESCRIPT = "openapi-typescript@7.13.0"
NETWORK = (
    "ENOTFOUND",
    "EAI_AGAIN",
    "ETIMEDOUT",
    "ECONNREFUSED",
    "ENOTCACHED",
    "E404",
    "SELF_SIGNED",
)


def names(schema: dict[str, Any]) -> list[str]:
    """Return the names of all operations."""
    operations = (item for path in schema["paths"].values() for item in path.items())
    return sorted(operation["operationId"] for method, operation in operations if method in METHODS)


def parse(schema: dict[str, Any], path: Path | None = None) -> GeneratorData:
    """Return what openapi-python-client would generate, with the configuration at the path."""
    from openapi_python_client.config import Config, ConfigFile, MetaType
    from openapi_python_client.parser import GeneratorData

    file = ConfigFile.load_from_path(path) if path else ConfigFile()
    config = Config.from_sources(file, MetaType.NONE, Path("schema"), "utf-8", False, None)
    data = GeneratorData.from_dict(json.loads(json.dumps(schema)), config=config)
    assert isinstance(data, GeneratorData), data
    return data


def generated_names(data: GeneratorData) -> list[str]:
    """Return the names of the generated operations; `round` becomes `round_`."""
    collections = data.endpoint_collections_by_tag.values()
    return sorted(item.name.rstrip("_") for found in collections for item in found.endpoints)


def test_openapi_python_client_generates_every_operation(schema: dict[str, Any]) -> None:
    data = parse(schema, CONFIG)
    collections = data.endpoint_collections_by_tag.values()

    assert [error for found in collections for error in found.parse_errors] == []
    assert list(data.errors) == []
    assert generated_names(data) == names(schema)
    warnings = [error for found in collections for item in found.endpoints for error in item.errors]
    assert warnings == []


@pytest.mark.long
def test_no_operation_and_no_file_needs_the_configuration(schema: dict[str, Any]) -> None:
    data = parse(schema)
    assert generated_names(data) == names(schema)
    files = {
        operation["operationId"]
        for path in schema["paths"].values()
        for operation in path.values()
        if any(
            name != "application/json"
            for name in operation.get("requestBody", {"content": ()})["content"]
        )
    }
    found = {
        item.name.rstrip("_")
        for collection in data.endpoint_collections_by_tag.values()
        for item in collection.endpoints
        if any(
            body.content_type.get_untrusted_value() == "application/octet-stream"
            for body in item.bodies
        )
    }
    assert (found, len(found)) == (files, 8)


@pytest.mark.long
@pytest.mark.skipif(NPX is None, reason="node is not installed: openapi-typescript cannot run")
def test_openapi_typescript_generates_every_operation(
    schema: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(schema))
    command = [str(NPX), "--yes", TYPESCRIPT, "schema.json", "-o", "schema.d.ts"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode and any(word in done.stderr for word in NETWORK):
        pytest.skip(f"the registry of npm cannot be reached: {TYPESCRIPT} cannot run")
    assert done.returncode == 0, done.stderr
    assert "warn" not in (done.stdout + done.stderr.partition("npm warn")[0]).lower()
    text = (tmp_path / "schema.d.ts").read_text()
    operations = text[text.index("export interface operations {") :]
    assert [name for name in names(schema) if f"\n    {name}: {{" not in operations] == []
