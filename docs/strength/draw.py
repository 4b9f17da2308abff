#!/usr/bin/env python3
"""Draws versions.svg from versions.tsv beside it: the strength of each version, in Elo above the first one.

    docs/strength/draw.py           writes the graph
    docs/strength/draw.py --check   says whether the graph that is there is the one it would write

It needs nothing but Python 3. The same table gives the same bytes everywhere: no font is measured, and every number
is written with a fixed count of digits.
"""

import datetime
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TABLE, GRAPH = HERE / "versions.tsv", HERE / "versions.svg"
COLUMNS = ["commit", "date", "bench", "elo", "error", "match"]

# Pixels. A version takes STEP of the width, so that a longer history makes a wider graph.
STEP, HEIGHT = 70, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 30, 40, 70
LINE, FAINT = "#1f57a4", "#cccccc"
# Lines of the grid are so many Elo apart: the first distance that needs no more than MOST of them.
DISTANCES, MOST = [5, 10, 20, 50, 100, 200, 500, 1000], 8


def fail(line, what):
    sys.exit(f"{TABLE.name}, line {line}: {what}")


def cell(line, name, text, expected, read):
    """One cell as a value."""
    try:
        return read(text)
    except ValueError:
        fail(line, f"bad {name} {text!r}, expected {expected}")


def read_commit(text):
    if not re.fullmatch(r"[0-9a-f]{7,40}", text):
        raise ValueError
    return text[:7]


def read_elo(text):
    if text != "-" and not re.fullmatch(r"[+-]?\d+(\.\d+)?", text):
        raise ValueError
    return None if text == "-" else float(text)


def read_error(text):
    if text.startswith(("+", "-")) and text != "-":
        raise ValueError
    return read_elo(text)


def versions():
    """The rows of the table, each checked."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0].split("\t") != COLUMNS:
        fail(1, f"expected the columns {', '.join(COLUMNS)}")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            fail(number, f"{len(cells)} cells, expected {len(COLUMNS)}")
        row = {
            "commit": cell(number, "commit", cells[0], "7 to 40 hexadecimal digits", read_commit),
            "date": cell(number, "date", cells[1], "a date such as 2026-11-30", datetime.date.fromisoformat),
            "bench": cell(number, "bench", cells[2], "a node count", int),
            "elo": cell(number, "elo", cells[3], "a number, or - if it was not measured", read_elo),
            "error": cell(number, "error", cells[4], "a number from 0, or -", read_error),
        }
        if (row["elo"] is None) != (row["error"] is None):
            fail(number, "expected both elo and error, or neither")
        if rows and row["date"] < rows[-1]["date"]:
            fail(number, "an earlier date than the row before, expected the newest last")
        rows.append(row)
    if not rows or (rows[0]["elo"], rows[0]["error"]) != (0, 0):
        fail(2, "expected the first version, with elo 0 and error 0")
    return rows


def grid(rows):
    """The values of the lines of the grid, from below all measurements to above them."""
    known = [row for row in rows if row["elo"] is not None]
    low = min(row["elo"] - row["error"] for row in known)
    high = max(row["elo"] + row["error"] for row in known)
    for distance in DISTANCES:
        first, last = int(low // distance), int(-(-high // distance))
        # One measurement alone still gets some height.
        last = max(last, first + 2)
        if last - first < MOST or distance == DISTANCES[-1]:
            return [distance * line for line in range(first, last + 1)]


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def line(x1, y1, x2, y2, colour, width=1):
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def draw(rows):
    """The graph as SVG."""
    values = grid(rows)
    width = LEFT + STEP * len(rows) + RIGHT
    title = "Elo above the first version, with the error of 95 %"
    width = max(width, LEFT + 7 * len(title))
    bottom = HEIGHT - BOTTOM

    def across(index):
        return LEFT + STEP * (index + 0.5)

    def up(elo):
        return bottom - (bottom - TOP) * (elo - values[0]) / (values[-1] - values[0])

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
        text(LEFT, TOP - 18, title, 'font-size="14"'),
    ]
    for value in values:
        out.append(line(LEFT, up(value), width - RIGHT, up(value), FAINT))
        out.append(text(LEFT - 8, up(value) + 4, f"{value:+d}" if value else "0", 'text-anchor="end"'))
    points = [(across(i), row) for i, row in enumerate(rows) if row["elo"] is not None]
    path = " ".join(f"{x:.1f},{up(row['elo']):.1f}" for x, row in points)
    out.append(f'<polyline points="{path}" fill="none" stroke="{LINE}" stroke-width="1.5"/>')
    for x, row in points:
        low, high = up(row["elo"] - row["error"]), up(row["elo"] + row["error"])
        out.append(line(x, low, x, high, LINE))
        out.extend(line(x - 5, y, x + 5, y, LINE) for y in (low, high) if row["error"])
        out.append(f'<circle cx="{x:.1f}" cy="{up(row["elo"]):.1f}" r="4" fill="{LINE}"/>')
    for index, row in enumerate(rows):
        x = across(index)
        out.append(text(x, bottom + 20, row["commit"], 'text-anchor="middle" font-family="monospace"'))
        out.append(text(x, bottom + 36, row["date"].isoformat()[2:], 'text-anchor="middle" fill="#666666"'))
        if row["elo"] is None:
            out.append(text(x, bottom + 52, "not measured", 'text-anchor="middle" fill="#666666" font-size="10"'))
    return "\n".join([*out, "</svg>", ""])


def main():
    graph = draw(versions()).encode()
    if sys.argv[1:] == ["--check"]:
        if not GRAPH.exists() or GRAPH.read_bytes() != graph:
            sys.exit(f"{GRAPH.name} is not what {TABLE.name} says: run docs/strength/draw.py")
    elif not sys.argv[1:]:
        GRAPH.write_bytes(graph)
    else:
        sys.exit(f"expected nothing or --check, not {' '.join(sys.argv[1:])}")


if __name__ == "__main__":
    main()
