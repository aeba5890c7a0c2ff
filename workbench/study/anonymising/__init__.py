"""Replaces the names of users, machines, domains and paths in studies, so a customer's data can be shown."""
