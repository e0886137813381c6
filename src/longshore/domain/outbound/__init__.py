"""Documents to be sent: checked, put into an envelope, numbered and stored."""
