"""The documentation: Markdown pages, and what builds a site of them (`make docs`)."""
