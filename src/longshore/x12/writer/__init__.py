"""Write segments as X12 text in one canonical form, with computed counts and control numbers.

``separators`` chooses separators that no value holds, ``segments`` defines the values of a segment
and splits its text, ``interchange`` writes.

Source: x12.md sections 1.1, 1.5 and 1.8, fields-and-mapping.md section 7 (X12, points 3, 4 and 7).
"""
