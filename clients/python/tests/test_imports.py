"""Imports go one way: no circle of modules; imports for type checkers only and those inside functions count, too."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import netsdk

SOURCE = Path(netsdk.__file__).parent


def modules_below(root: Path) -> dict[str, Path]:
    """Every module by its dotted name."""
    found = {}
    for path in root.rglob("*.py"):
        parts = path.relative_to(root.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(name: str, modules: dict[str, Path]) -> set[str]:
    """The modules that one imports, wherever in it the import stands."""
    path = modules[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            # `from . import documents` names a module; `from . import __version__` what the package itself holds.
            full = {f"{base}.{alias.name}" for alias in node.names}
            found |= {each if each in modules else base for each in full}
    return (found & modules.keys()) - {name}


def circle_below(root: Path) -> list[str] | None:
    """Returns the modules of an import cycle, the first one twice, or None if there is no cycle."""
    modules = modules_below(root)
    try:
        TopologicalSorter({name: imports_of(name, modules) for name in modules}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return None


def test_no_module_imports_one_that_imports_it() -> None:
    assert circle_below(SOURCE) is None


def test_a_circle_is_found_wherever_the_import_stands(tmp_path: Path) -> None:
    package = tmp_path / "example"
    package.mkdir()
    (package / "__init__.py").write_text("from .first import one\n")
    (package / "first.py").write_text("from .second import two\none = two\n")
    (package / "second.py").write_text("two = 2\n")
    assert circle_below(package) is None
    for circle in (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .first import one\n",
        "def later():\n    from . import first\n",
        "import example.first\n",
        "from . import one\n",
    ):
        (package / "second.py").write_text(circle)
        assert {"example.first", "example.second"} <= set(circle_below(package) or [])
