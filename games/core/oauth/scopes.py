"""The scopes that an app may ask for: those of tokens, and the event to which it is limited."""

from typing import Any

from oauth2_provider.scopes import BaseScopes

from games.core.permissions import EVENT_SCOPE_PATTERN, EVENT_SCOPE_TEXT, SCOPES


class Scopes(BaseScopes):
    """The scopes of the metadata; `Validator.validate_scopes` decides, for it knows the events."""

    def get_all_scopes(self) -> dict[str, str]:
        return SCOPES | {EVENT_SCOPE_PATTERN: EVENT_SCOPE_TEXT}

    def get_available_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        """Return the scopes, with the pattern of the one that names an event."""
        return [*self.get_all_scopes()]

    def get_default_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        """Return none: an app says what it needs."""
        return []
