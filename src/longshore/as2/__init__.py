"""The AS2 protocol without connections: MIME, CMS, receipts (RFC 4130, 5402, 5652, 8098)."""
