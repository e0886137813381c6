-- name: take_turn(key)^
-- There is one writer, so it is the unit's turn.
SELECT :key;
