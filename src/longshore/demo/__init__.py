"""Sample traffic for the sandbox of an account, created through the services of the product."""
