"""How the reference reads the package: roles such as :class:`Name` become links."""

import re

import griffe

ROLE = re.compile(r":(?:attr|class|exc|func|meth|mod):`~?([\w.]+)`")


class Docstrings(griffe.Extension):
    """Readies a package before its docstrings are parsed."""

    def on_package(self, *, pkg, **_):
        """Go through all modules, classes and functions that the package defines."""
        self._ready(pkg, pkg)

    def _ready(self, thing, package):
        if thing.docstring is not None:
            thing.docstring.value = ROLE.sub(lambda role: link(role[1], thing, package), thing.docstring.value)
        for member in thing.members.values():
            if not member.is_alias:
                self._ready(member, package)


def link(name, thing, package):
    """A link to what a docstring calls by a name: a member of its class, or a public name near it."""
    name = name.removeprefix(f"{package.path}.")
    of_class = thing if thing.is_class else thing.parent
    if of_class is not None and of_class.is_class and name in of_class.members:
        return f"[`{name}`][{home(of_class.name, thing, package)}.{of_class.name}.{name}]"
    return f"[`{name}`][{home(name.split('.')[0], thing, package)}.{name}]"


def home(name, thing, package):
    """Where the reference has a name: in the package, in a public module around a thing, or among the errors."""
    module = thing if thing.is_module else thing.module
    while name not in package.members and module is not package:
        if not module.name.startswith("_") and name in module.members:
            return module.path
        module = module.parent
    in_errors = name not in package.members and name in package["errors"].members
    return f"{package.path}.errors" if in_errors else package.path
