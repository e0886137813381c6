"""Acknowledgements: TA1, 997 and 999, made and read.

Made in three steps: ``judge`` says what becomes of an interchange, its groups and sets; ``plan``
says what is to be sent, so that the caller can allot control numbers; ``write`` writes it.
``preview`` does all of it with preview numbers. ``read`` reads a received one; ``outcome`` says
what it means for the sets we had sent.

Source: x12.md section 2.
"""
