-- name: take_turn^
-- Waits for all who asked for the same key before, and keeps it until the unit ends. Who waits for
-- the row alone waits for luck: whoever comes by when it is let go has it first.
SELECT pg_advisory_xact_lock(hashtextextended(:key, 0));
