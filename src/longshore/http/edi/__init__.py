"""Operations for partners' machines: no key and no session, the address itself is the secret."""
