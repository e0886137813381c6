-- Of the transactions made from one (a reissue, a correction): those that supersede it. One that was
-- cancelled, or is invalid in the sense of domain/transactions/states.py, supersedes nothing.
      AND s.delivery_status <> 'cancelled'
      AND NOT (s.validation_status = 'invalid' AND s.delivery_status = 'not_applicable'
               AND s.processing_status IN ('done', 'not_applicable'))
