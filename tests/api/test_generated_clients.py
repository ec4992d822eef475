"""Linters find no error in the schema, and code generators create every operation of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from deploy.views import describe
from tests.api.node import run_in
from tests.processes import ROOT

if TYPE_CHECKING:  # it is large, and each process of a test run collects this file
    from openapi_python_client.parser import GeneratorData

METHODS = ("get", "post", "put", "patch", "delete")
CONFIG = ROOT / "deploy" / "client" / "generator.yaml"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The schema as the service sends it."""
    path = tmp_path / "schema.json"
    path.write_bytes(describe())
    return path


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


@pytest.mark.long
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
def test_openapi_typescript_generates_every_operation(file: Path, node: Path) -> None:
    done = run_in(node, "npx", "openapi-typescript", file, "-o", "schema.d.ts")
    assert done.returncode == 0, done.stderr
    assert "warn" not in (done.stdout + done.stderr).lower()
    text = (node / "schema.d.ts").read_text()
    operations = text[text.index("export interface operations {") :]
    schema = json.loads(file.read_text())
    assert [name for name in names(schema) if f"\n    {name}: {{" not in operations] == []
    compiled = run_in(node, "npx", "tsc", "--noEmit", "--strict", "schema.d.ts")
    assert (compiled.returncode, compiled.stdout) == (0, "")


@pytest.mark.long
def test_openapi_spec_validator_finds_no_error(schema: dict[str, Any]) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    described = json.loads(json.dumps(schema, default=str))
    assert [error.message for error in OpenAPIV31SpecValidator(described).iter_errors()] == []


@pytest.mark.long
def test_spectral_finds_no_error_and_no_warning(file: Path, node: Path) -> None:
    (node / "ruleset.yaml").write_text("extends: ['spectral:oas']\n")
    options = ("--ruleset", "ruleset.yaml", "-f", "json", "-o", "found.json")
    linted = run_in(node, "npx", "spectral", "lint", file, *options)
    assert linted.returncode == 0, linted.stdout
    assert json.loads((node / "found.json").read_text()) == []


@pytest.mark.long
def test_redocly_finds_no_error(file: Path, node: Path) -> None:
    """Its one warning is about the address in the tests, which is no server."""
    linted = run_in(node, "npx", "redocly", "lint", file, "--format=json")
    problems = json.loads(linted.stdout)["problems"]
    assert linted.returncode == 0
    assert {found["ruleId"] for found in problems} <= {"no-server-example.com"}
