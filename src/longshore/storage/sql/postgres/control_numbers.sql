-- A counter is drawn from in turn. Who waits for its row alone waits for luck: whoever comes by when
-- it is let go has it first. The row is changed as it stands after the wait, whatever the statement
-- saw when it began.

-- name: take_turn^
-- Waits for all who asked for the same key before, and keeps it until the unit ends.
SELECT pg_advisory_xact_lock(hashtextextended(:key, 0));

-- name: draw_control_numbers^
-- Moves a counter on by :count numbers of a range, around its end; returns where it stands then.
-- One that stands outside the range, or is new, begins with the smallest. A counter that was not
-- drawn from since a restore first skips the numbers reserved then, at most half of the range.
-- part: draw_first_numbers
FROM (SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))) AS turn
-- part: draw_next_numbers

-- name: hold_control_counter^
-- Keeps others from drawing until the unit ends; returns where the counter stands, 0 if it is new.
-- part: hold_new_counter
FROM (SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))) AS turn
-- part: hold_known_counter
