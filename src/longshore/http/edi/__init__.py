"""What partners' machines call: no key and no session, the address itself is the secret."""
