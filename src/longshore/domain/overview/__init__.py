"""What the overview shows: figures of a period, and what needs somebody's attention."""
