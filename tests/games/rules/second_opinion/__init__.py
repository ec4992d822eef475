"""A second referee, slow and plain, that shares no code with the first.

It works on sets of names and looks at the whole board after every turn; it was written from the
rule texts alone, to be compared with `games.rules` on very many positions.
"""
