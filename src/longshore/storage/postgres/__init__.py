"""PostgreSQL through asyncpg: a pool, row security, an application role."""
