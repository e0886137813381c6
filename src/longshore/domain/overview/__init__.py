"""Contents of the overview: figures of a period, and what needs somebody's attention."""
