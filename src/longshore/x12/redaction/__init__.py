"""Replaces what identifies people and companies in a document, and keeps everything else."""
