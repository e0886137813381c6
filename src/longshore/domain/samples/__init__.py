"""The documents that come with Longshore, to try it with."""
