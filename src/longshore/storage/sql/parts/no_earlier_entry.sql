-- There is no open entry before the one called o in its order.
  AND NOT EXISTS (
      SELECT 1 FROM outbox_scoped AS earlier
      WHERE earlier.account_id = o.account_id AND earlier.environment = o.environment
        AND earlier.order_key = o.order_key AND earlier.id < o.id
        AND earlier.state IN ('due', 'leased', 'held')
  )
