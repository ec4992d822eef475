"""Correct results, byes and entries of complete rounds: preview, commit, undo.

`changes` and `undo` gather what is corrected, `effects` computes what follows from it, on values
in memory, and `commit` writes. Nothing that was played changes: later rounds keep their pairings,
except drafts.
"""
