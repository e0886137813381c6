"""Place the segments of a transaction set in its definition: loops, order, repetition.

How to use, once for each set::

    placement = Placement(table_of(definition), delimiters, vocabulary.known_ids)
    slots = placement.place_all(rows)           # the fast path, up to the first fault
    for row in rows[len(slots):]:
        slot = placement.place(row)             # None: the segment has no place
        placement.path()                        # the loops around the row, outermost first
    placement.finish()
    sorted(placement.faults, key=lambda fault: fault.position)

``rows`` are the segments between ST and SE; the first is at position 2. ``Slot.use`` is the
``SegmentUse`` to check the row's elements against. ``faults`` come in the order in which they
become certain: a missing segment is certain only when its loop ends, and is reported at the
position of the segment found instead.

Source: docs/reference/dictionary.md section 8, x12.md section 2.4.
"""
