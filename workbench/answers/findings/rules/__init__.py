"""The rules that turn each answer into findings."""
