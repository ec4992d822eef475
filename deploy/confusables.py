"""Make the table of characters that look alike from Unicode's confusables.txt.

python -m deploy.confusables confusables.txt >games/unicode/confusables.txt

The file is at https://www.unicode.org/Public/security/. Each line has what the characters in it
stand for, and these characters, as numbers. Two that look only like each other stand for the one
with the lower number, which both have in what is stored. Marks of the direction of writing are left
out.
"""

import sys
from collections import defaultdict
from itertools import takewhile
from pathlib import Path

LEFT_TO_RIGHT = "\u200e"


def table_of(lines: list[str]) -> dict[str, list[str]]:
    """Return the single characters that stand for a text, by this text."""
    similar = defaultdict(list)
    for line in lines:
        data, _, _ = line.partition("#")
        if data.strip():
            letter, prototype = (_text_of(numbers) for numbers in data.split(";")[:2])
            similar[prototype].append(letter)
    found = {}
    for prototype, letters in similar.items():
        first = min(prototype, *letters) if len(letters) == 1 else prototype
        others = [text.strip(LEFT_TO_RIGHT) for text in (prototype, *letters) if text != first]
        if alike := [text for text in others if len(text) == 1]:
            found[first.strip(LEFT_TO_RIGHT)] = alike
    return found


def main() -> None:
    """Print the table, after the head of Unicode's file."""
    lines = Path(sys.argv[1]).read_text("utf-8-sig").splitlines()
    for line in takewhile(lambda line: line.startswith("#"), lines):
        print(line.replace("©", "(c)").replace("®", "(R)"))
    print("# Made by deploy/confusables.py; the licence is in the file LICENSE")
    for prototype, letters in sorted(table_of(lines).items()):
        print(f"{_numbers_of(prototype)}:", " ".join(map(_numbers_of, letters)))


def _text_of(numbers: str) -> str:
    return "".join(chr(int(number, 16)) for number in numbers.split())


def _numbers_of(text: str) -> str:
    return " ".join(f"{ord(letter):04X}" for letter in text)


if __name__ == "__main__":
    main()
