"""Draws text as a terminal window, in SVG: script/demo | docs/terminal_picture.py > docs/demo.svg"""

import html
import re
import sys

CHARACTER, LINE, MARGIN = 7.8, 18, 18


def main():
    text = re.sub(r"\x1b\[[0-9;]*m", "", sys.stdin.read()).strip("\n")
    lines = text.split("\n")
    width = max(len(line) for line in lines) * CHARACTER + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" font-size="13"'
          ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace">')
    print('<rect width="100%" height="100%" rx="8" fill="#14171c"/>')
    for number, line in enumerate(lines):
        heading = re.match(r"\d\. ", line)
        colour = "#8fd3ff" if line.startswith("$ ") else "#ffffff" if heading else "#c9d1d9"
        weight = ' font-weight="bold"' if heading else ""
        y = MARGIN + (number + 0.75) * LINE
        print(f'<text x="{MARGIN}" y="{y:.0f}" fill="{colour}"{weight} xml:space="preserve">{html.escape(line)}</text>')
    print("</svg>")


main()
