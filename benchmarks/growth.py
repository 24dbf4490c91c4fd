"""How the time of one step of the exact solver grows with the number of support vectors."""

import json

from harness import BIN, Sizes, run
from page import Figure, Section, table


def steps(sizes: Sizes) -> Section:
    """One support vector given up, one taken back, at several |Gamma|."""
    command = [BIN / "bench_growth", sizes.growth_rows, 8 * sizes.repeats + 1, *sizes.growth_sizes]
    found = json.loads(run(*command))
    first, last = found["steps"][0], found["steps"][-1]
    figures = [
        Figure.exponent(
            f"a sample {'enters' if kind == 'enter' else 'leaves'}, |Gamma| {first['gamma']} to "
            f"{last['gamma']}, m = {found['rows']}",
            f"{first[kind] * 1e6:.0f} to {last[kind] * 1e6:.0f} us",
            found["exponent"][kind],
            2,
        )
        for kind in ("enter", "leave")
    ]
    rows = [
        (
            step["gamma"],
            f"{step['work']:,.0f}",
            f"{step['enter'] * 1e6:.1f}",
            f"{step['enter'] / step['work'] * 1e9:.3f}",
            f"{step['leave'] * 1e6:.1f}",
            f"{step['leave'] / step['work'] * 1e9:.3f}",
        )
        for step in found["steps"]
    ]
    head = ("|Gamma|", "|Gamma|^2 + m |Gamma|", "enter us", "ns a unit", "leave us", "ns a unit")
    late = found["last_exponent"]
    details = [
        "### Growth of a step with the support vectors",
        "",
        f"`{' '.join(str(word) for word in command)}`: m = {found['rows']} samples with "
        f"{found['features']} random features and random labels, an rbf kernel so narrow that "
        "every kept sample is a support vector. At each size a random one is given up and taken "
        f"back (one step each, checked), median of {found['repeats']}; columns of K are in memory. "
        "The exponents are least-squares slopes of log time over log |Gamma|; from "
        f"{found['steps'][-2]['gamma']} to {last['gamma']} alone they are {late['enter']:.2f} "
        f"(enter) and {late['leave']:.2f} (leave).",
        "",
        table(tuple(cell.replace("|", "\\|") for cell in head), rows),
    ]
    return Section(figures, "\n".join(details))
