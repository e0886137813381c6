-- An open entry before the one called o in its order, found by a range of the index of orders.
LEFT JOIN LATERAL (
    SELECT earlier.id FROM outbox_scoped AS earlier
    WHERE (earlier.account_id, earlier.environment, earlier.order_key, earlier.id)
          >= (o.account_id, o.environment, o.order_key, 0)
      AND (earlier.account_id, earlier.environment, earlier.order_key, earlier.id)
          < (o.account_id, o.environment, o.order_key, o.id)
      AND earlier.state IN ('due', 'leased', 'held')
    ORDER BY earlier.account_id, earlier.environment, earlier.order_key, earlier.id
    LIMIT 1
) AS earlier ON TRUE
