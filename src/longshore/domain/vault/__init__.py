"""The vault: documents kept for an account, sealed at rest, until their retention ends."""
