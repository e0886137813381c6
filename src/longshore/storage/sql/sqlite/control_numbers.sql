-- name: take_turn^
-- There is one writer, so it is the unit's turn.
SELECT :key;

-- name: draw_control_numbers^
-- Moves a counter on by :count numbers of a range, around its end; returns where it stands then.
-- One that stands outside the range, or is new, begins with the smallest. A counter that was not
-- drawn from since a restore first skips the numbers reserved then, at most half of the range.
-- part: draw_first_numbers
WHERE :key <> ''
-- part: draw_next_numbers

-- name: hold_control_counter^
-- Keeps others from drawing until the unit ends; returns where the counter stands, 0 if it is new.
-- part: hold_new_counter
WHERE :key <> ''
-- part: hold_known_counter
