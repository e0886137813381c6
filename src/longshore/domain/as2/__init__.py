"""Our identities in AS2, and the receiving of AS2 messages."""
