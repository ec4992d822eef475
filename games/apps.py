from django.apps import AppConfig
from django.core.checks import register


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks of the models."""
        from games.models.columns import check_columns

        register(check_columns)
