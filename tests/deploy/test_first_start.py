"""The first start: what it creates appears together."""

from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from deploy.samples.first_start import create_organiser
from tests.people import Person


@pytest.mark.django_db(transaction=True)
def test_the_organisers_token_appears_when_it_is_valid(settings: Any, tmp_path: Path) -> None:
    settings.STATE_DIR = tmp_path
    path = tmp_path / "organiser-token"
    with transaction.atomic():
        assert create_organiser()
        assert not path.exists()
    organiser = Person("organiser", secret=path.read_text().strip())
    assert organiser.get("me").status_code == 200

    path.rename(tmp_path / "organiser-token.new")  # killed between the commit and this

    assert create_organiser() is None
    assert path.read_text().strip() == organiser.secret
