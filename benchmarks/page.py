"""docs/benchmarks.md: figures with their goals, the machine, the versions."""

import datetime
import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy
import scipy
import sklearn

HEAD = """# Benchmarks

Written by `make bench`; `benchmarks/run.sh --only PART` measures one part anew. Do not edit: run it
again (data sets are found in `$HINGE0_DATA`, see [datasets.md](datasets.md)). Only ratios carry
over to other machines. Both sides of a ratio were timed in the same run, on the same machine, one
after the other, and checked to do the same work, but for fits of the l0 loss beside LIBSVM's of the
hinge loss. `build/bin/bench_micro` times single parts.

## Machine

Of the last run:

{machine}

## Figures, and how they were measured
"""


# What `make bench-large` writes and `make bench` leaves alone.
LARGE_MARKS = ("<!-- large data, by make bench-large -->", "<!-- end of large data -->")
LARGE = re.compile(".*".join(map(re.escape, LARGE_MARKS)), re.DOTALL)
# A part that one run writes and another, of other parts, leaves alone.
PART = re.compile("<!-- part: (.*?) -->\n.*?<!-- end of part -->\n", re.DOTALL)


@dataclass(frozen=True)
class Figure:
    """One line of the table; `met` is None where there is no goal."""

    what: str
    own: str
    peer: str
    result: str
    goal: str
    met: bool | None

    @classmethod
    def faster(cls, what: str, own: float, peer: str, other: float, least: float | None = None):
        """The peer takes `ratio` times as long."""
        ratio = other / own
        return cls(
            what,
            f"{own:.4f} s",
            f"{peer}: {other:.4f} s",
            f"{ratio:.1f} x as fast",
            "-" if least is None else f"at least {least:g} x",
            None if least is None else ratio >= least,
        )

    @classmethod
    def within(cls, what: str, own: float, peer: str, other: float, most: float):
        """hinge0 takes `ratio` times as long as what cannot be avoided."""
        ratio = own / other
        result = f"{ratio:.2f} x the time"
        return cls(what, f"{own:.4f} s", f"{peer}: {other:.4f} s", result,
                   f"at most {most:g} x", ratio <= most)  # fmt: skip

    @classmethod
    def rate(cls, what: str, value: float, unit: str, least: float):
        return cls(what, f"{value:.0f} {unit}", "-", "-", f"at least {least:g} {unit}",
                   value >= least)  # fmt: skip

    @classmethod
    def ratio(cls, what: str, own: str, peer: str, value: float, most: float):
        """How far a quantity other than time is above that of a peer."""
        return cls(what, own, peer, f"{value:.4f} x", f"at most {most:g} x", value <= most)

    @classmethod
    def count(cls, what: str, value: int, of: int):
        """Something that must hold every time."""
        return cls(what, f"{value} of {of}", "-", "-", "all", value == of)

    @classmethod
    def exponent(cls, what: str, own: str, value: float, most: float):
        return cls(what, own, "-", f"exponent {value:.2f}", f"at most {most:g}", value <= most)

    def row(self) -> str:
        met = {True: "yes", False: "**no**", None: "-"}[self.met]
        cells = (self.what.replace("|", "\\|"), self.own, self.peer, self.result, self.goal, met)
        return f"| {' | '.join(cells)} |"


@dataclass(frozen=True)
class Section:
    figures: list[Figure]
    details: str


def table(head: tuple[str, ...], rows: list[tuple]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def first_match(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1].strip() if match else "unknown"


def output_of(*command: str) -> str:
    """What a command prints, or "unknown" where it does not exist or fails."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return result.stdout.strip()


def machine(build: dict, load: float) -> str:
    cpu = Path("/proc/cpuinfo").read_text()
    model = first_match(r"^model name\s*: (.*)", cpu)
    memory = int(first_match(r"^MemTotal:\s*(\d+) kB", Path("/proc/meminfo").read_text())) / 2**20
    system = first_match(r'^PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    cache = Path("/sys/devices/system/cpu/cpu0/cache/index3/size")
    level3 = cache.read_text().strip() if cache.exists() else "unknown"
    lines = {
        "processor": f"{model}, {os.cpu_count()} cores, L3 cache {level3}",
        "memory": f"{memory:.1f} GiB",
        "system": f"{system}, load {load:.2f} before the run",
        "hinge0": f"{build['compiler']}, kernel maps for {build['instruction_set']}, "
        f"{build['threads']} threads",
        "BLAS of hinge0": build["blas"],
        "peers": f"LIBSVM {output_of('dpkg-query', '-W', '-f', '${Version}', 'libsvm-tools')}, "
        f"numpy {numpy.__version__}, scipy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}",
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {k} | {v} |" for k, v in lines.items())])


def figures_table(sections: list[Section]) -> str:
    rows = [figure.row() for section in sections for figure in section.figures]
    head = ["| what | hinge0 | beside | ratio | goal | met |", "|---|---|---|---|---|---|"]
    return "\n".join(head + rows)


def part(name: str, section: Section, build: dict) -> str:
    """Its heading, when it was measured, its figures, and how."""
    heading, _, details = section.details.partition("\n")
    commit = output_of("git", "describe", "--always", "--dirty")
    when = f"{datetime.date.today().isoformat()}, hinge0 {build['version']} at commit {commit}."
    figures = f"{figures_table([section])}\n\n" if section.figures else ""
    return (
        f"<!-- part: {name} -->\n{heading}\n\nMeasured on {when}\n\n{figures}{details.strip()}\n"
        "<!-- end of part -->\n"
    )


def write_page(target: Path, order: Iterable[str], measured: dict[str, Section], build: dict,
               load: float) -> None:  # fmt: skip
    """Writes these parts; others of the page stay, as does what `make bench-large` writes."""
    before = target.read_text() if target.exists() else ""
    parts = {match[1]: match[0] for match in PART.finditer(before)}
    parts |= {name: part(name, section, build) for name, section in measured.items()}
    blocks = [HEAD.format(machine=machine(build, load)), *(parts[n] for n in order if n in parts)]
    target.write_text("\n".join([*blocks, *(f"{large}\n" for large in LARGE.findall(before))]))
