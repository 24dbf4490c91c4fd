#!/usr/bin/env python3
"""The house rules that a compiler does not know: layers, sizes, first lines, leftovers.

check_house.py [ROOT]        one line per finding, "file:line: what"; exit status 1 if there is any
check_house.py --self-test   proves that every rule can fire and that a clean tree passes
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

# A file may include its own layer and those of lower rank; data, kernel and loss are strangers.
LAYERS = {
    "core": 0,
    "data": 1,
    "kernel": 1,
    "loss": 1,
    "gram": 2,
    "solver": 3,
    "model": 4,
    "partitions": 5,
    "tune": 5,
    "classes": 6,
}
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^">]+)[">]')
PRIVATE_DEPENDENCY = re.compile(r"fmt/|nlohmann/|CLI/|zlib|bzlib|lzma|cblas|lapack|omp\.h")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)

FOLDERS = ("include", "src", "apps", "bindings", "python", "tests", "benchmarks", "examples",
           "scripts", "cmake", "docs")  # fmt: skip
CXX = {".hpp", ".cpp"}
TEXT = CXX | {".py", ".sh", ".cmake", ".txt", ".md"}
HEADER_LINES, SOURCE_LINES = 150, 400
FUNCTION_LINES, TEST_FUNCTION_LINES = 60, 120
COLUMNS = 100
LEFTOVER = re.compile(r"\b(TO" + r"DO|FIX" + r"ME)\b")  # split, so that this file passes itself

Finding = tuple[int, str]


def blank_comments_and_strings(code: str) -> str:
    """The code with comments and literals blanked, line breaks kept."""
    token = re.compile(
        r'R"([^()\s\\]*)\(.*?\)\1"'  # raw string
        r"|//[^\n]*|/\*.*?\*/"
        r'|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'",  # not the separator in 1'000
        re.DOTALL,
    )
    return token.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), code)


def functions(code: str) -> Iterator[tuple[int, int]]:
    """(first line, last line) of every function body outside functions, in clang-format's layout.

    A brace after a blank opens a block, a brace right after a name is an initialiser.
    """
    code = DIRECTIVE.sub(lambda m: "\n" * m.group().count("\n"), blank_comments_and_strings(code))
    stack: list[tuple[str, int]] = []  # kind of the block, line where its head starts
    head, head_line, line = "", 0, 1
    for i, char in enumerate(code):
        inside = any(kind == "function" for kind, _ in stack)
        if char == "{":
            if not inside and i > 0 and not code[i - 1].isspace():
                stack.append(("initialiser", line))
                continue
            opens_scope = re.search(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$", head)
            is_function = not inside and ")" in head and not opens_scope
            stack.append(("function" if is_function else "block", head_line or line))
            head, head_line = "", 0
        elif char == "}":
            kind, first = stack.pop() if stack else ("block", line)
            if kind == "function":
                yield first, line
            if kind != "initialiser":
                head, head_line = "", 0
        elif char == ";" and not (stack and stack[-1][0] == "initialiser"):
            head, head_line = "", 0
        else:
            if not head_line and not char.isspace():
                head_line = line
            head += char
        line += char == "\n"


def layer_of(path: Path) -> str | None:
    return path.parts[1] if path.parts[0] == "src" and path.parts[1] in LAYERS else None


def include_findings(path: Path, lines: list[str]) -> Iterator[Finding]:
    room, layer = path.parts[0], layer_of(path)
    for number, text in enumerate(lines, 1):
        if not (match := INCLUDE.match(text)):
            continue
        target = match[1].split("/")[0]
        if room == "include" and PRIVATE_DEPENDENCY.match(match[1]):
            yield number, f"a public header names a private dependency: {match[1]}"
        if room in ("include", "bindings", "examples") and target in LAYERS:
            yield number, f"a private header, outside src: {match[1]}"
        if layer and target in LAYERS and target != layer and LAYERS[target] >= LAYERS[layer]:
            yield number, f"{layer} must not include {target}: {match[1]}"


def size_findings(path: Path, code: str, lines: list[str]) -> Iterator[Finding]:
    limit = HEADER_LINES if path.suffix == ".hpp" else SOURCE_LINES
    if len(lines) > limit:
        yield limit + 1, f"{len(lines)} lines, at most {limit}"
    limit = TEST_FUNCTION_LINES if path.parts[0] == "tests" else FUNCTION_LINES
    for first, last in functions(code):
        if last - first + 1 > limit:
            yield first, f"function of {last - first + 1} lines, at most {limit}"


def first_line_findings(path: Path, lines: list[str]) -> Iterator[Finding]:
    start = 1 if path.suffix == ".hpp" and lines[:1] == ["#pragma once"] else 0
    if not (len(lines) > start and lines[start].startswith("/// ")):
        yield start + 1, "no /// comment that says what the file is for"


def line_findings(path: Path, lines: list[str]) -> Iterator[Finding]:
    for number, text in enumerate(lines, 1):
        if LEFTOVER.search(text):
            yield number, "unfinished work is not committed"
        if len(text) > COLUMNS and path.suffix in CXX | {".py", ".sh"}:
            yield number, f"{len(text)} columns, at most {COLUMNS}"


def file_findings(path: Path, code: str) -> Iterator[Finding]:
    lines = code.splitlines()
    yield from line_findings(path, lines)
    if path.suffix in CXX:
        yield from first_line_findings(path, lines)
        yield from include_findings(path, lines)
        yield from size_findings(path, code, lines)


def check(root: Path) -> list[str]:
    files = [file for folder in FOLDERS for file in sorted((root / folder).rglob("*"))]
    files += sorted(root.glob("*"))
    findings = []
    for file in files:
        if file.is_file() and (file.suffix in TEXT or file.name == "Makefile"):
            path = file.relative_to(root)
            found = sorted(file_findings(path, file.read_text(encoding="utf-8")))
            findings += [f"{path}:{number}: {what}" for number, what in found]
    return findings


def self_test() -> None:
    """Each file breaks exactly one rule; the finding must name its line."""
    start = "/// Why this file is here.\n"
    head = "#pragma once\n" + start
    long_body = "".join(f"    a = {i};\n" for i in range(60))
    init = "Thing::Thing(int n) : a_{n}, b_(f(n, {1})) {\n"
    broken = {
        "src/data/a.cpp": (start + '#include "gram/gram.hpp"\n', "2: data must not include gram"),
        "src/kernel/a.cpp": (start + '#include "data/a.hpp"\n', "2: kernel must not include data"),
        "include/hinge0/a.hpp": (head + "#include <fmt/format.h>\n", "3: a public header names"),
        "include/hinge0/b.hpp": (head + '#include "core/a.hpp"\n', "3: a private header"),
        "examples/a.cpp": (start + '#include "core/a.hpp"\n', "2: a private header"),
        "bindings/a.cpp": (start + '#include "core/a.hpp"\n', "2: a private header"),
        "src/core/a.hpp": (head + "\n" * 149, "151: 151 lines, at most 150"),
        "src/core/a.cpp": (start + "\n" * 400, "401: 401 lines, at most 400"),
        "src/core/b.cpp": (start + "void f() {\n" + long_body + "}\n", "2: function of 62 lines"),
        "src/core/c.cpp": (start + init + long_body + "}\n", "2: function of 62 lines"),
        "src/core/d.cpp": (start + "struct S {\n int a = 0;\n S() {\n" + long_body + " }\n};\n",
                           "4: function of 62 lines"),
        "tests/a.cpp": (start + "TEST(A, b) {\n" + long_body * 2 + "}\n", "2: function of 122"),
        "src/core/e.cpp": ("#include <vector>\n", "1: no /// comment"),
        "src/core/e.hpp": ("#pragma once\n#include <vector>\n", "2: no /// comment"),
        "src/core/f.cpp": (start + "// TO" + "DO later\n", "2: unfinished work"),
        "docs/a.md": ("FIX" + "ME\n", "1: unfinished work"),
        "src/core/g.cpp": (start + "// " + "x" * 98 + "\n", "2: 101 columns"),
    }  # fmt: skip
    clean = {
        "src/solver/a.cpp": start + '#include "gram/gram.hpp"\n#include "hinge0/error.hpp"\n',
        "src/core/ok.cpp": start + "namespace a {\nint x[] = {\n" + "    1,\n" * 90 + "};\n"
        "void f() { g('{', \"{\"); } // {\nint big() { return 1'000; }\n}\n",
        "tests/ok.cpp": start + "TEST(A, b) {\n" + long_body + "}\n",
        "include/hinge0/ok.hpp": head + "struct A {\n" + "    int a;\n" * 70 + "};\n",
    }
    files = {name: code for name, (code, _) in broken.items()} | clean
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, code in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(code, encoding="utf-8")
        findings = check(root)
    for name, (_, expected) in broken.items():
        of_file = [finding for finding in findings if finding.startswith(name + ":")]
        assert len(of_file) == 1 and of_file[0].startswith(f"{name}:{expected}"), (name, of_file)
    assert len(findings) == len(broken), findings


def main() -> int:
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    findings = check(root)
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
