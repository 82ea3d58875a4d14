"""Public calls: their arguments are checked, go by other names too, and what is refused is told in names of Python."""

# What only a refusal needs is imported where it is: `import nearprint` stays light.

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

from nearprint._kinds import KINDS, Kind

P = ParamSpec("P")
R = TypeVar("R")

# Other names that arguments go by.
_OTHER_NAMES = {"threshold": "similarity"}
# Names that people type. That of a line which a call has is what they mean.
_LIKELY = (
    ("similarity", "threshold", "jaccard", "jaccard_threshold", "sim", "cutoff", "min_similarity"),
    ("text", "text_field", "column", "columns", "field", "text_column", "text_col", "text_key", "content"),
    ("id", "id_field", "id_column", "id_col", "id_key", "ids"),
    ("threads", "n_jobs", "jobs", "workers", "num_workers", "num_proc", "n_threads", "processes", "cores"),
    ("output", "out", "output_file", "output_dir", "out_path", "output_path"),
    ("data", "codes", "inputs", "corpus", "df", "texts", "docs", "documents", "rows", "input", "path"),
    ("k", "radius", "distance", "hamming", "max_distance", "n_bits"),
    ("width", "bits", "f"),
    ("against", "evals", "eval", "reference", "others", "other", "eval_sets"),
    ("keep_by", "sort_by", "order_by", "prefer"),
    ("progress", "verbose", "show_progress", "progress_bar"),
    ("recipe", "ngram", "ngrams", "ngram_size", "shingle", "shingles", "tokenizer", "normalize"),
)
# What a shell asks of the command.
_OF_SHELLS = frozenset({"help", "h", "version", "V"})
_HAS_MORE = 0x08
# What is said of a column that there is none of begins so.
_NO_COLUMN = 'no column "'


def public(verb: str | None = None, /, **kinds: Kind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a call public: one whose arguments are of these kinds, or else of those that their names have.

    A ``verb`` is the command whose options the call takes besides.
    """

    def made(call: Callable[P, R]) -> Callable[P, R]:
        asked = _Call(call, kinds, verb)

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


class _Call:
    """How a public call is written."""

    def __init__(self, call: Any, kinds: Mapping[str, Kind], verb: str | None) -> None:
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
        # Where the call is public: beside its own module, unless that is one of integrations.
        module, _, own = call.__module__.rpartition(".")
        module = call.__module__ if not own.startswith("_") and module != "nearprint" else module
        self._written = f"{scope.lower()}.{method}" if owner == ("self",) and self.name != scope else f"{module}.{self.name}"

    def checked(self, args: tuple[Any, ...], given: dict[str, Any]) -> dict[str, Any]:
        """Give what is named by its own names; refuse what is of another kind."""
        if not given.keys() <= self._defaults.keys():
            given = self._by_own_names(given)
        if len(args) > len(self._places):
            raise TypeError(self._too_many(args))
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
        if isinstance(refusal, NearprintError):
            from nearprint._flags import in_python

            said = in_python(said, self.unknown, self._is_argument)
        elif isinstance(refusal, ValueError) and said.startswith(_NO_COLUMN):
            column = said.removeprefix(_NO_COLUMN).partition('"')[0]
            named = (name for name, value in (*zip(self._places, args), *given.items()) if column in _columns_in(value))
            said = f"{name}=: {said}" if (name := next(named, None)) is not None else said
        else:
            return
        refusal.args = (said, *refusal.args[1:])

    def unknown(self, name: str) -> str:
        """What is said of an argument that there is none of."""
        from nearprint._flags import options_of

        own = [one for one in self._names if one not in self._places] or list(self._names)
        known = [*self._names, *options_of(self._verb)] if self._verb is not None else list(self._names)
        if name in _OF_SHELLS:
            return f"{self.name} has no argument {name}=: help({self._written}) tells what it takes"
        right = _meant(name, known)
        if right is not None:
            return f"{self.name} has no argument {name}=: did you mean {right}=?"
        if self._verb is not None:
            return f"{self.name} has no argument {name}=: it takes the options of `nearprint {self._verb}`, with _ for -"
        return f"{self.name} has no argument {name}=: it takes {', '.join(f'{one}=' for one in own)}"

    def _is_argument(self, name: str) -> bool:
        return self._has_more or name in self._names

    def _by_own_names(self, given: dict[str, Any]) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for name, value in given.items():
            own = name if name in self._names else _OTHER_NAMES.get(name, name)
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
        fits = (name for name in rest if (kind := self._kinds.get(name)) and kind.of(value) and kind.holds(value))
        name = next(fits, rest[0] if rest else None)
        shown = self._shown() if name is None else self._shown(name, _told(value))
        return f"{self.name} takes {' and '.join(places) or 'nothing'} by place, and what follows by name: write {shown}"

    def _refusal(self, name: str, kind: Kind, value: Any) -> str:
        kind_of = type(value).__name__
        told = _told(value)
        given = told if value is None or kind_of in told else f"{told} ({kind_of})"
        if kind.is_share and kind.of(value) and 2 <= float(value) <= 100:
            # A percentage.
            right = f"did you mean {name}={float(value) / 100:g}?"
        else:
            right = f"write {self._shown(name, kind.like)}"
        return f"{name} {kind.says}, not {given}: {right}"

    def _shown(self, name: str | None = None, like: str = "") -> str:
        """The call as one writes it, with an argument."""
        likes = {one: kind.like if (kind := self._kinds.get(one)) else one for one in self._required}
        likes |= {} if name is None else {name: like}
        given = (told if one in self._places and one in self._required else f"{one}={told}" for one, told in likes.items())
        return f"{self._written}({', '.join(given)})"


def _columns_in(value: Any) -> list[str]:
    """The columns that an argument may name, with a rule or without."""
    names = [value] if isinstance(value, str) else value if isinstance(value, (list, tuple)) else ()
    return [one for name in names if isinstance(name, str) for one in (name, name.rpartition(":")[0])]


def _told(value: Any) -> str:
    """A value as a message shows it."""
    import reprlib

    plain = (str, bytes, bool, int, float, complex, list, tuple, dict, set, type(None))
    if type(value) in plain:
        shown = reprlib.Repr()
        shown.maxlist = shown.maxtuple = shown.maxdict = shown.maxset = 2
        return shown.repr(value)
    kind = type(value).__name__
    return f"{'an' if kind[:1] in 'AEIOU' else 'a'} {kind}"


def _meant(name: str, known: Iterable[str]) -> str | None:
    """The argument that is meant by a name."""
    import difflib

    known = list(known)
    written = (*known, *(one for names in _LIKELY for one in names))
    for likely in (name, *difflib.get_close_matches(name.lower(), written, 1, 0.7)):
        names = next((names for names in _LIKELY if likely in names), (likely,))
        if (right := likely if likely in known else next((one for one in names if one in known), None)) is not None:
            return right
    return None
