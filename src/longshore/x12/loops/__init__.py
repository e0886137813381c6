"""Placing the segments of a transaction set in its definition: loops, order, repetition.

How to use, once per set::

    placement = Placement(table_of(definition), delimiters, vocabulary.known_ids)
    slots = placement.place_all(rows)           # the quick way, up to the first row that needs care
    for row in rows[len(slots):]:
        slot = placement.place(row)             # None: the segment has no place
        placement.path()                        # the loops the row stands in, outermost first
    placement.finish()
    sorted(placement.faults, key=lambda fault: fault.position)

``rows`` are the segments between ST and SE; the first is at position 2. ``Slot.use`` is the
``SegmentUse`` that judges the row's elements. ``faults`` come in the order in which they become
certain: that a segment is missing is known only when its loop ends, and is reported at the position
of the segment that was found instead.

Source: docs/reference/dictionary.md section 6, x12.md section 2.4.
"""
