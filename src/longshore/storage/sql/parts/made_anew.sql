-- Of what was made of a transaction: what counts as made anew. What was refused, invalid in the words
-- of domain/transactions/states.py, or cancelled does not.
      AND s.delivery_status <> 'cancelled'
      AND NOT (s.validation_status = 'invalid' AND s.delivery_status = 'not_applicable'
               AND s.processing_status IN ('done', 'not_applicable'))
