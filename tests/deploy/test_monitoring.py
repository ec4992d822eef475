"""The rules for Prometheus and the dashboard for Grafana name only what `/health/metrics` has."""

import json
import re
from collections import defaultdict
from typing import Any, Final

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from deploy.health import LONGEST_WITHOUT_TICK
from deploy.schedule import LONGEST
from deploy.tasks import tick
from games.core.broker import connect
from games.core.checks import note_check
from tests.processes import ROOT, Broker, celery_with_broker_at

FOLDER: Final = ROOT / "deploy" / "monitoring"
OPERATORS: Final = {"and", "or", "unless", "bool", "offset"}
OF_PROMETHEUS: Final = {"job", "instance"}
"""The labels that Prometheus adds to each value; it stores `up` for each job itself."""


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "grafana.json").read_text())["panels"]
    return found


def variables() -> list[dict[str, Any]]:
    board = json.loads((FOLDER / "grafana.json").read_text())
    found: list[dict[str, Any]] = board["templating"]["list"]
    return found


EXPRESSIONS: Final = [
    *(rule["expr"] for rule in rules()),
    *(target["expr"] for panel in panels() for target in panel["targets"]),
]


def names_of(expression: str) -> tuple[set[str], set[str]]:
    """Return the names of metrics and of labels in an expression of PromQL."""
    text = re.sub(r'"[^"]*"', '""', expression)
    labels = set(re.findall(r'(\w+)\s*(?:=~|!~|!=|=)\s*""', text))
    lists = r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)"
    for names in re.findall(lists, text):
        labels |= {name.strip() for name in names.split(",")} - {""}
    text = re.sub(lists, " ", re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", text))
    words = set(re.findall(r"\b[a-z_:][\w:]*\b(?!\s*\()", text))
    return words - OPERATORS, labels


@pytest.fixture
def exposed(db: None, client: Client, broker: Broker, settings: Any) -> dict[str, dict[str, set]]:
    """What the service returns after a request and a tick: labels and their values by name."""
    settings.REDIS_URL = broker.address
    with celery_with_broker_at(broker.address) as sender:
        sender.send_task(tick.name, queue="results")
    for queue in settings.CELERY_TASK_QUEUES:
        tick(queue)
    for name in ("journal", "state", "ratings", "backup"):
        note_check(name, is_ok=True)
    client.get("/api/v1/pools")
    text = client.get("/health/metrics").content.decode()
    connect().flushall()
    found: dict[str, dict[str, set]] = defaultdict(lambda: defaultdict(set))
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            for label, value in sample.labels.items():
                found[sample.name][label].add(value)
            found[sample.name]["job"].add("perihelion")
    found["up"]["job"].add("perihelion")
    return found


@pytest.mark.processes
def test_every_metric_and_label_exists(exposed: dict[str, dict[str, set]]) -> None:
    for expression in EXPRESSIONS:
        names, labels = names_of(expression)
        assert names, expression
        assert names <= exposed.keys(), expression
        assert labels <= OF_PROMETHEUS.union(*(exposed[name] for name in names)), expression
        for name, matchers in re.findall(r"(\w+)\{([^}]*)\}", expression):
            for label, operator, value in re.findall(r'(\w+)(=~|!=|=)"([^"]*)"', matchers):
                if label not in OF_PROMETHEUS and operator != "=~":
                    assert value in exposed[name][label], expression
    for variable in variables():
        if found := re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]):
            assert found[2] in exposed[found[1]] | {"job": set()}


def test_each_metric_of_the_service_has_a_rule_or_a_panel() -> None:
    source = (ROOT / "deploy" / "metrics.py").read_text()
    ours = {f"perihelion_{name}" for name in re.findall(r'gauge\(\s*"(\w+)"', source)}
    watched = set().union(*(names_of(expression)[0] for expression in EXPRESSIONS))

    assert len(ours) == 12
    assert ours - watched == {"perihelion_webhook_oldest_due_seconds"}  # also that of the queue


def test_no_rule_is_there_twice() -> None:
    """promtool takes two of one name and severity for one rule."""
    names = [(rule["alert"], rule["labels"]["severity"]) for rule in rules()]

    assert sorted(names) == sorted(set(names))


def test_a_rule_says_what_has_happened_and_what_to_do() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}, rule
        assert rule["annotations"].keys() == {"summary", "action"}, rule
        assert all(text.endswith(".") for text in rule["annotations"].values()), rule


def test_rules_and_health_agree_when_a_scheduler_or_a_worker_is_late() -> None:
    limits = {
        float(rule["expr"].rpartition(">")[2])
        for rule in rules()
        if rule["alert"].startswith(("PerihelionBeat", "PerihelionWorker"))
    }

    assert limits == {LONGEST_WITHOUT_TICK + more for more in (0, *LONGEST.values())}
