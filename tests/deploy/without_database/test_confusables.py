"""`python -m deploy.confusables`: the table of characters that look alike."""

from deploy.confusables import table_of

LINES = """\
# Version: 15.0.0
0430 ;\t0061 ;\tMA\t# CYRILLIC SMALL LETTER A → LATIN SMALL LETTER A\t#
FF41 ;\t0061 ;\tMA\t# FULLWIDTH LATIN SMALL LETTER A → LATIN SMALL LETTER A\t#

006D ;\t0072 006E ;\tMA\t# LATIN SMALL LETTER M → two letters\t#
217F ;\t0072 006E ;\tMA\t#* SMALL ROMAN NUMERAL ONE THOUSAND → two letters\t#
0146 ;\t0272 ;\tMA\t# LATIN SMALL LETTER N WITH CEDILLA → WITH LEFT HOOK\t#
2DE8 ;\t200E 036B 200E ;\tMA\t# CYRILLIC LETTER EM → LATIN SMALL LETTER M\t#
1DAC ;\t200E 036B 200E ;\tMA\t# MODIFIER LETTER SMALL M WITH HOOK → LATIN SMALL LETTER M\t#
""".splitlines()


def test_each_character_stands_for_the_one_that_it_looks_like() -> None:
    assert table_of(LINES) == {
        "a": ["\u0430", "\uff41"],
        "rn": ["m", "\u217f"],
        "\u0146": ["\u0272"],
        "\u036b": ["\u2de8", "\u1dac"],
    }
