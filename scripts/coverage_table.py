#!/usr/bin/env python3
"""What gcovr counted in src/: a table by folder, the files with most to do, one line for all of it.

coverage_table.py SUMMARY.json [--write-docs]   --write-docs: the table goes into docs/quality.md
"""

import json
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "quality.md"
BEGIN, END = "<!-- coverage: written by make coverage -->\n", "<!-- end of coverage -->\n"
KEYS = ("line_covered", "line_total", "branch_covered", "branch_total")
WORST_FILES = 12


def percent(covered: int, total: int) -> str:
    return f"{100 * covered / total:.1f} %" if total else "-"


def row(name: str, counts: list[int]) -> str:
    lines, branches = percent(*counts[:2]), percent(*counts[2:])
    return f"| {name} | {counts[1]} | {lines} | {counts[3]} | {branches} |"


def total(files: list[dict]) -> list[int]:
    return [sum(file[key] for file in files) for key in KEYS]


def table(files: list[dict]) -> str:
    folders: dict[str, list[dict]] = {}
    for file in files:
        folders.setdefault("/".join(file["filename"].split("/")[:2]), []).append(file)
    rows = ["| folder | lines | covered | branches | covered |", "|---|---|---|---|---|"]
    rows += [row(f"`{folder}`", total(folders[folder])) for folder in sorted(folders)]
    return "\n".join([*rows, row("all of `src`", total(files))]) + "\n"


def missed(file: dict) -> int:
    return (file["line_total"] - file["line_covered"]) + (
        file["branch_total"] - file["branch_covered"]
    )


def main() -> int:
    summary = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    files = [file for file in summary["files"] if file["filename"].startswith("src/")]
    print(table(files))
    for file in sorted(files, key=missed, reverse=True)[:WORST_FILES]:
        print(row(file["filename"], total([file])))
    counts = total(files)
    print(f"coverage: src: lines {percent(*counts[:2])}, branches {percent(*counts[2:])}")
    if "--write-docs" in sys.argv[2:]:
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(before + BEGIN + table(files) + END + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
