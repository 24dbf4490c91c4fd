"""The type stub says what the compiled module has, and a typed program runs."""

import ast
import inspect
from pathlib import Path

from hinge0 import _core
from typed_use import main


def test_the_stub_names_all_there_is():
    stub = ast.parse(Path(_core.__file__).with_name("_core.pyi").read_text())
    told = {node.name for node in stub.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    told |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign)}
    assert told == {name for name in dir(_core) if not name.startswith("_")}


def test_the_stub_names_the_arguments():
    stub = ast.parse(Path(_core.__file__).with_name("_core.pyi").read_text())
    functions = [node for node in stub.body if isinstance(node, ast.FunctionDef)]
    assert {function.name for function in functions} >= {"fit", "decision_function", "verify"}
    for function in functions:
        signature = getattr(_core, function.name).__nb_signature__[0][0]
        for argument in [*function.args.args, *function.args.kwonlyargs]:
            assert argument.arg in signature
        assert inspect.getdoc(getattr(_core, function.name))


def test_a_typed_program_runs():
    assert main().shape == (4,)
