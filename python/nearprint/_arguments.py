"""Public calls: their arguments are checked, go by other names too, and what is refused is told in names of Python."""

# What only a refusal needs is imported where it is: `import nearprint` stays light.

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

from nearprint._columns import NotATable, names_of
from nearprint._kinds import ANY, KINDS, Kind
from nearprint._names import OTHER_NAMES, in_place_of, meant

P = ParamSpec("P")
R = TypeVar("R")

# What a shell asks of the command.
_OF_SHELLS = frozenset({"help", "h", "version", "V"})
_HAS_MORE = 0x08
# What is said of a column that there is none of begins so, and of one that has no texts.
_NO_COLUMN, _NO_TEXTS, _NO_STRINGS = 'no column "', "texts are strings, not ", "the table has no column of strings"
_NO_TEXT = re.compile(r"row \d+ (is|has a value) of type .*, not str$")
_NO_RULE = "keep is "
# What is said of a similarity that no bands find, and the commands that find it by comparing all.
_LOW = re.compile(r"similarity (\S+): a similarity is from 0\.3 to 1$")
_WITH_RECALL = ("dedup", "split")
_NO_EVALS = "no eval set is named, and no index of items"
# Calls over rows, and those that do the same over files.
_WITH_FILES = {
    "dedup": "dedup_files",
    "passages": "passages_files",
    "decontaminate": "decontaminate_files",
    "groups": "split_files",
}


def public(
    verb: str | None = None, on: str | None = None, /, **kinds: Kind
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a call public: one whose arguments are of these kinds, or else of those that their names have.

    A ``verb`` is the command whose options the call takes besides. A method is written as one ``on`` its object.
    """

    def made(call: Callable[P, R]) -> Callable[P, R]:
        asked = _Call(call, kinds, verb, on)

        def checked(*args: Any, **given: Any) -> Any:
            given = asked.checked(args, given)
            try:
                return call(*args, **given)
            except Exception as refusal:
                asked.retell(refusal, args, given)
                raise

        # With the names of the call's own module, by which tools know whose examples these are.
        own = FunctionType(checked.__code__, call.__globals__, call.__name__, None, checked.__closure__)
        return functools.update_wrapper(own, call)

    return made


def public_class(**kinds: Kind) -> Callable[[type[R]], type[R]]:
    """Make a class public whose own call is written by Python, as that of a dataclass."""

    def made(own: type[R]) -> type[R]:
        setattr(own, "__init__", public(**kinds)(own.__init__))
        return own

    return made


@contextmanager
def about(argument: str) -> Iterator[None]:
    """Tell what is refused here of the rows of an argument, where it is not the first."""
    try:
        yield
    except (TypeError, ValueError) as refusal:
        setattr(refusal, "about", argument)
        raise


def check(made: object, given: Mapping[str, Any]) -> None:
    """Refuse arguments of another kind that made an object whose class takes any."""
    call: Any = getattr(type(made), "__init__")
    _Call(call.__wrapped__, {}, None, None).checked((made,), dict(given))


class _Call:
    """How a public call is written."""

    def __init__(self, call: Any, kinds: Mapping[str, Kind], verb: str | None, on: str | None) -> None:
        code = call.__code__
        self._places = code.co_varnames[: code.co_argcount]
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        owner = names[:1] if names[:1] in (("self",), ("cls",)) else ()
        self._names = names[len(owner) :]
        defaults = call.__defaults__ or ()
        self._defaults = dict(zip(self._places[len(self._places) - len(defaults) :], defaults)) | (call.__kwdefaults__ or {})
        self._required = [name for name in self._names if name not in self._defaults]
        self._kinds = {name: kind for name in self._names if (kind := kinds.get(name, KINDS.get(name)))}
        self._has_more = bool(code.co_flags & _HAS_MORE)
        self._verb = verb
        self.name = call.__qualname__
        scope, _, method = self.name.rpartition(".")
        if method == "__init__":
            self.name = scope
        self._module = call.__module__
        self._on = on or (scope.lower() if owner == ("self",) and self.name != scope else None)

    def checked(self, args: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
        """Give what is named by its own names; refuse what is of another kind."""
        if not given.keys() <= self._defaults.keys():
            given = self._by_own_names(given)
        if len(args) > len(self._places):
            raise TypeError(self._too_many(args))
        twice = next((name for name in self._places[: len(args)] if name in given), None)
        if twice is not None:
            raise TypeError(f"{twice} of {self.name} is given twice, by place and by name: give it once")
        for name, value in (*zip(self._places, args), *given.items()):
            kind = self._kinds.get(name)
            if kind is None or value is None and self._defaults.get(name, kind) is None:
                continue
            if not kind.of(value):
                raise TypeError(self._refusal(name, kind, value))
            if not kind.holds(value):
                raise ValueError(self._refusal(name, kind, value))
        missing = [name for name in self._required if name not in given and name not in self._places[: len(args)]]
        if missing:
            raise TypeError(f"{self.name} needs {missing[0]}: write {self._shown()}")
        return given

    def retell(self, refusal: Exception, args: tuple[Any, ...], given: dict[str, Any]) -> None:
        """Tell of arguments what is said of columns, and what the command says of its flags."""
        from nearprint.errors import NearprintError

        said = str(refusal.args[0]) if refusal.args else ""
        values = dict(zip(self._places, args)) | given
        about = getattr(refusal, "about", None) if type(refusal) in (TypeError, ValueError) else None
        if isinstance(refusal, NearprintError):
            from nearprint._flags import in_python

            files = [name for value in (*values.values(), refusal.file) for name in _paths_in(value)]
            said = self._advised(in_python(said, self.unknown, self._named, files))
            if said.startswith(f"{self.name} has no argument "):
                raise TypeError(said) from None
        elif isinstance(refusal, NotATable):
            raise TypeError(self._of_file(refusal, said, values)) from None
        elif isinstance(refusal, ValueError) and said.startswith(_NO_COLUMN):
            missing, _, there = said.removeprefix(_NO_COLUMN).partition('"')
            named = (name for name, value in values.items() if missing in _columns_in(value))
            if (name := next(named, None)) is not None:
                said = f"{name}=: {said}" if about is None else f'{_NO_COLUMN}{missing}", which {name}= names{there}'
        elif isinstance(refusal, ValueError) and said.startswith(_NO_RULE) and "keep_by" in self._names:
            said = f"{said}; by a column with keep_by='date:max'"
        elif said == _NO_STRINGS:
            there = ", ".join(map(repr, map(str, _columns_of(values.get(about or self._names[0])))))
            said = f"{said}, and texts are strings: convert the column of the texts{there and f'; there are {there}'}"
        elif isinstance(refusal, TypeError) and _NO_TEXT.match(said):
            said = f"{said}: convert it, or make it None"
        elif isinstance(refusal, TypeError) and said.startswith(_NO_TEXTS):
            column = values.get("text")
            if isinstance(column, str):
                said = f"text={column!r}: {said}: convert this column, or name another one"
            else:
                said = f"{said}: convert this column" if about else f"{self._names[0]}: {said}: convert this column"
        elif about is None:
            return
        if about is not None:
            said = f"{about}=: {said}"
        refusal.args = (said, *refusal.args[1:])

    def _advised(self, said: str) -> str:
        """What the command's library says, with the argument that helps."""
        low, recall = _LOW.match(said), self._kinds.get("recall")
        if low is not None and (self._verb in _WITH_RECALL or recall is not None and "'exact'" in recall.says):
            return f"similarity is a number from 0.3 to 1, or any above 0 with recall='exact', not {low[1]}"
        if said.endswith(": no store here"):
            return f"{said}; make one by nearprint.Store.create(path), or use nearprint.Store.open_or_create(path)"
        if said == _NO_EVALS:
            return f"{said}: name the eval sets with against=, or the index with index="
        if said.endswith("by similarity, not within a radius"):
            return f"{said}: leave k out"
        if said.endswith("; by a field with keep_by= date:max"):
            return said.removesuffix(" date:max") + "'date:max'"
        return said

    def _of_file(self, refusal: NotATable, said: str, values: Mapping[str, Any]) -> str:
        """What is said of a file that is no table, with the call that reads it."""
        path, first = refusal.path, self._names[0]
        name = next((name for name, value in values.items() if path in _paths_in(value)), first)
        reads = "reads all formats" if refusal.is_there else "takes patterns and URLs"
        if not refusal.is_there and len(path.split()) > 2:
            more = "a table or a path"
        elif self.name in _WITH_FILES:
            given = [f"{path!r}, output" if name == first else f"inputs, output, {name}={path!r}"]
            given += [f"{one}=..." for one in self._names if one == "against" and self.name == "decontaminate"]
            more = f"or call nearprint.{_WITH_FILES[self.name]}({', '.join(given)}), which {reads}"
        elif self.name in ("pairs", "clusters"):
            more = f"or run `nearprint {self.name}` in a shell, which {reads}"
        else:
            more = "or a table"
        return f"{'' if name == first else f'{name}: '}{said}: give texts as a list, {more}"

    def unknown(self, name: str) -> str:
        """What is said of an argument that there is none of."""
        from nearprint._flags import options_of

        own = [one for one in self._names if one not in self._places] or list(self._names)
        known = [*self._names, *options_of(self._verb)] if self._verb is not None else list(self._names)
        if name in _OF_SHELLS:
            return f"{self.name} has no argument {name}=: help({self._written}) tells what it takes"
        # What the command calls in, which is a word of the language here.
        known = ["corpus" if one == "in" else one for one in known]
        right = "corpus" if "corpus" in known and name.strip("_") in ("in", "in_file", "in_files") else meant(name, known)
        if right is not None:
            return f"{self.name} has no argument {name}=: did you mean {right}=?"
        advice = in_place_of(name, known)
        if advice is not None:
            return f"{self.name} has no argument {name}=: {advice}"
        if self._verb is not None:
            return f"{self.name} has no argument {name}=: it takes the options of `nearprint {self._verb}`, with _ for -"
        return f"{self.name} has no argument {name}=: it takes {', '.join(f'{one}=' for one in own)}"

    def _named(self, name: str) -> str | None:
        """The argument that an option of the command is here."""
        # A word of the language is no argument.
        own = "corpus" if name == "in" else OTHER_NAMES.get(name, name)
        return own if own in self._names else name if self._has_more or name in self._names else None

    def _by_own_names(self, given: dict[str, Any]) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for name, value in given.items():
            own = name if name in self._names else OTHER_NAMES.get(name, name)
            if own not in self._names:
                own = name
                if not self._has_more or name in _OF_SHELLS:
                    raise TypeError(self.unknown(name))
            if own != name and own in given:
                raise TypeError(f"{own}= and {name}= of {self.name} are one argument: give one of them")
            named[own] = value
        return named

    def _too_many(self, args: tuple[Any, ...]) -> str:
        places = [name for name in self._places if name in self._names]
        value = args[len(self._places)]
        rest = [name for name in self._names if name not in places]
        if not rest and places:
            given = len(args) - len(self._places) + len(places)
            right = f"{self._written}({', '.join(places)})"
            return f"{self.name} takes {' and '.join(places)} alone, and was given {given} arguments: write {right}"
        fits = (name for name in rest if (kind := self._kinds.get(name)) and kind.of(value) and kind.holds(value))
        name = next(fits, rest[0] if rest else None)
        # What a call looks at itself may be a secret.
        told = "..." if name is None or self._kinds.get(name) is ANY else _told(value)
        shown = self._shown() if name is None else self._shown(name, told)
        return f"{self.name} takes {' and '.join(places) or 'nothing'} by place, and what follows by name: write {shown}"

    def _refusal(self, name: str, kind: Kind, value: Any) -> str:
        kind_of = type(value).__name__
        told = _told(value)
        given = told if value is None or kind_of in told else f"{told} ({kind_of})"
        if (share := kind.as_percentage(value)) is not None:
            right = f"did you mean {name}={share:g}?"
        else:
            likely = kind.meant(value)
            right = f"write {self._shown(name, kind.like if likely is None else likely.replace('{}', name))}"
        return f"{name} {kind.says}, not {given}: {right}"

    @property
    def _written(self) -> str:
        """The call without its arguments, where it is public: beside its own module, unless that is public itself."""
        own = self.name.rpartition(".")[2]
        if self._on is not None:
            return f"{self._on}.{own}"
        above, _, module = self._module.rpartition(".")
        first = getattr(sys.modules.get("nearprint"), self.name.partition(".")[0], None)
        is_above = module.startswith("_") or getattr(first, "__module__", None) == self._module
        return f"{above if is_above else self._module}.{self.name}"

    def _shown(self, name: str | None = None, like: str = "") -> str:
        """The call as one writes it, with an argument."""
        likes = {one: kind.like if (kind := self._kinds.get(one)) else one for one in self._required}
        likes |= {} if name is None else {name: like}
        given = (told if one in self._places and one in self._required else f"{one}={told}" for one, told in likes.items())
        return f"{self._written}({', '.join(given)})"


def _columns_in(value: Any) -> list[str]:
    """The columns that an argument may name, with a rule or without."""
    names = [value, *map(str.strip, value.split(","))] if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ()
    return [one for name in names if isinstance(name, str) for one in (name, name.rpartition(":")[0])]


def _columns_of(data: Any) -> list[Any]:
    """The names of the columns of rows."""
    if isinstance(data, (list, tuple)):
        return list(next((row for row in data if isinstance(row, dict)), ()))
    return names_of(data)


def _paths_in(value: Any) -> list[str]:
    """The names of files that an argument may be."""
    files = (str, bytes, os.PathLike)
    return [os.fsdecode(one) for one in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(one, files)]


def _told(value: Any) -> str:
    """A value as a message shows it."""
    import reprlib

    plain = (str, bytes, bool, int, float, complex, list, tuple, dict, set, type(None))
    if type(value) in plain:
        shown = reprlib.Repr()
        shown.maxlist = shown.maxtuple = shown.maxdict = shown.maxset = 2
        return shown.repr(value)
    kind = type(value).__name__
    dtype = getattr(value, "dtype", None) if hasattr(type(value), "dtype") else None
    kind = kind if dtype is None else f"{kind} of {dtype}"
    return f"{'an' if kind[:1] in 'AEIOU' else 'a'} {kind}"
