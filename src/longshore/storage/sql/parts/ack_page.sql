-- A page, newest first, behind a time and an id.
  AND a.created_at >= :since
  AND (a.created_at, a.id) < (:before_at, :before_id)
ORDER BY a.created_at DESC, a.id DESC
LIMIT :limit OFFSET :offset;
