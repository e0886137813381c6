"""Importers: definitions of users in other forms, written as text of the dictionary."""
