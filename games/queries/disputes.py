"""What the reports of a game disagree about: a code in the row, in words where it is read."""

from typing import Final

from games.rules.text import Text

CONTESTED: Final = "contested"
RECORDS: Final = "records"
"""The two records differ; with the ply of the first difference, `records 17`."""
CLAIMS: Final = "claims"
RECORD_AND_CLAIM: Final = "record and claim"

WORDS: Final = {
    CONTESTED: Text("one side disputes what the other reported"),
    RECORDS: Text("the two records differ"),
    CLAIMS: Text("%(detail)s give different results", detail=Text("the two claims")),
    RECORD_AND_CLAIM: Text(
        "%(detail)s give different results", detail=Text("a record and a claim")
    ),
}


def dispute_in_words(dispute: str) -> str:
    """Return what a dispute is about; empty without one."""
    ply = dispute.removeprefix(f"{RECORDS} ")
    if ply != dispute:
        return Text("the two records differ first at ply %(ply)s", ply=ply)
    return WORDS.get(dispute, dispute)
