"""Tests of programs and files that read no database, or one of their own: they run once."""
