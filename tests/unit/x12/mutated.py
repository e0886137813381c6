"""Segments with any number of faults, made of those of a valid document."""

from random import Random

ODD_VALUES = (
    *("", " ", "0", "-1.5", "7.", "1E3", "20240230", "2561", "X" * 90, "A:B", ":", "A^B", "^"),
    *("D8", "RD8", "PR", "IL", "20", "22", "1", "2"),
)
ODD_IDS = ("ZZZ", "n1", "CLM", "REF", "NM1", "DTM", "HL", "N1", "LE", "CTT", "")


def mutated(rows: list[list[str]], random: Random) -> list[list[str]]:
    """Return copies of segments with some faults."""
    rows = [list(row) for row in rows]
    for _ in range(random.randint(1, 5)):
        at = random.randrange(len(rows))
        row = rows[at]
        match random.randrange(8):
            case 0 if len(rows) > 1:
                del rows[at]
            case 1:
                rows.insert(random.randrange(len(rows)), list(row))
            case 2:
                rows.insert(random.randrange(len(rows)), rows.pop(at))
            case 3:
                row[0] = random.choice(ODD_IDS)
            case 4:
                row += random.choices(ODD_VALUES, k=random.randint(1, 4))
            case 5 if len(row) > 1:
                del row[random.randrange(1, len(row)) :]
            case _ if len(row) > 1:
                row[random.randrange(1, len(row))] = random.choice(ODD_VALUES)
    return rows
