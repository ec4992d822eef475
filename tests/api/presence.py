"""Which members the objects of real responses have, by the component that describes them."""

from collections import Counter, defaultdict
from typing import Any


class Presence:
    """Counts of the objects of each component, and of their members."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schemas = schema["components"]["schemas"]
        self.objects: Counter[str] = Counter()
        self.members: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, value: Any, described: dict[str, Any], name: str = "") -> None:
        """Count a value that a schema describes, and all that it contains."""
        if "$ref" in described:
            name = described["$ref"].rpartition("/")[2]
            base = name.removesuffix("Made").removesuffix("Written")
            self.add(value, self.schemas[name], base if base in self.schemas else name)
        for part in (*described.get("allOf", ()), *self._alternative(value, described)):
            self.add(value, part, name)
        if isinstance(value, list):
            for item in value:
                self.add(item, described.get("items", {}))
        properties = described.get("properties")
        if not isinstance(value, dict) or properties is None:
            return
        self.objects[name] += 1
        self.members[name].update(value.keys() & properties.keys())
        for member in value.keys() & properties.keys():
            self.add(value[member], properties[member])

    def _alternative(self, value: Any, described: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the alternative that describes the value, if it is the only one with members."""
        found = [each for each in described.get("oneOf", ()) if "$ref" in each]
        return found if len(found) == 1 and value is not None else []

    def always_there(self) -> list[str]:
        """Return the optional members that every object has."""
        return sorted(
            f"{name}.{member}"
            for name, count in self.objects.items()
            if name and not name.endswith("Input")
            for member in self.schemas[name]["properties"]
            if member not in self.schemas[name].get("required", ())
            and self.members[name][member] == count
        )
