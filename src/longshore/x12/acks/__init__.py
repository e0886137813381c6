"""Acknowledgements (TA1, 997, 999): written for received documents, read from partners.

Writing takes three steps: ``assessment`` decides whether an interchange, its groups and its sets
are accepted; ``build.plan_acks`` decides what to send, so that the caller can assign control
numbers; ``build.write_acks`` writes it. ``build.preview_acks`` takes all steps with preview
numbers. ``read`` reads a received acknowledgement, and ``outcome`` says what it means for the sets
that were sent.

Source: x12.md section 2.
"""
