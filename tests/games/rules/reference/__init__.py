"""A reference referee, slow and simple, that shares no code with `games.rules`.

It works on sets of names and examines the whole board after every turn. It was written from the
rule texts alone, for comparison with `games.rules` on very many positions.
"""
