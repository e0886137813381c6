"""PostgreSQL through asyncpg (next issue); the port is the one SQLite implements."""
