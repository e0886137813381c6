-- name: take_turn^
-- There is one writer, so it is the unit's turn.
SELECT :key;
