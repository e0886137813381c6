"""Segments to X12 text: one canonical form, counts and control numbers of trailers computed.

``separators`` chooses separators that no value holds, ``segments`` says what a segment is made of
and takes the text of one apart, ``interchange`` writes.

Source: x12.md sections 1.1, 1.5 and 1.8, fields-and-mapping.md section 4 (X12, points 3, 4 and 7).
"""
