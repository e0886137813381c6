"""How each page can be met, by area: what test_accessibility looks at."""
