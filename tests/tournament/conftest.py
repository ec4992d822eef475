"""The people and events of the tests in this folder."""

from tests.events import event
from tests.people import ada, anonymous, ben, everyone, officer, organiser, staff, stranger

__all__ = [
    "ada", "anonymous", "ben", "event", "everyone", "officer", "organiser", "staff", "stranger",
]  # fmt: skip
