"""Loads libkrow and turns its errors into exceptions."""
import os
import pathlib
import threading
from typing import Any, Callable, Optional, TypeVar

from ._binding import LIBRARIES, VERSION, ffi

T = TypeVar("T")


class KrowError(Exception):
    """A failure that libkrow reports, with its text."""


class BadInput(KrowError, ValueError):
    """An argument, a text or a move is wrong."""


class OutOfMemory(KrowError, MemoryError):
    """A table of the wanted size does not fit into memory."""


class Interrupted(KrowError):
    """The call was stopped before it had a result."""


def _open() -> Any:
    """Opens the library that $KROW_LIBRARY names, that belongs to this package, or that the system finds."""
    here = pathlib.Path(__file__).resolve().parent
    chosen = os.environ.get("KROW_LIBRARY")
    names = [chosen] if chosen else [str(here / name) for name in LIBRARIES if (here / name).exists()][:1]
    names = names or ["libkrow.so." + VERSION.split(".", maxsplit=1)[0]]
    try:
        library = ffi.dlopen(names[0])
    except OSError as error:
        raise ImportError(f"cannot load libkrow: {error}; set KROW_LIBRARY to the path of libkrow.so") from error
    found = ffi.string(library.krow_version()).decode()
    if found != VERSION:
        raise ImportError(f"{names[0]} is libkrow {found}, but this package needs {VERSION}")
    return library


lib = _open()
NULL = ffi.NULL
CELL_NONE = lib.KROW_CELL_NONE


def text_bytes(text: str, what: str) -> bytes:
    """A text for the library."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    if "\0" in text:
        raise BadInput(f"{what} contains a NUL character")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"{what} is not valid Unicode") from error


def new_error() -> Any:
    return ffi.new("KrowError *")


def fail(error: Any) -> None:
    """Raises the exception for a KrowError."""
    text = ffi.string(error.text).decode(errors="replace")
    kinds = {lib.KROW_BAD_INPUT: BadInput, lib.KROW_NO_MEMORY: OutOfMemory, lib.KROW_INTERRUPTED: Interrupted}
    raise kinds.get(error.status, KrowError)(text)


def check(status: int, error: Any) -> None:
    if status != lib.KROW_OK:
        fail(error)


def owned(pointer: Any, close: Callable[[Any], None], error: Any) -> Any:
    """An object of the library that is closed when Python no longer uses it."""
    if pointer == NULL:
        fail(error)
    return ffi.gc(pointer, close)


def written(write: Callable[[Any, int], int]) -> str:
    """The text of a function that writes like snprintf."""
    size = 512
    while True:
        buffer = ffi.new("char[]", size)
        length = write(buffer, size)
        if length < size:
            return ffi.buffer(buffer, length)[:].decode(errors="replace")
        size = length + 1


def limits_of(seconds: Optional[float], nodes: Optional[int], depth: Optional[int]) -> Any:
    """A KrowLimits; None is no limit."""
    for name, value in (("seconds", seconds), ("nodes", nodes), ("depth", depth)):
        if value is not None and not 0 < value < float("inf"):
            raise BadInput(f"{name} must be a positive number, not {value!r}")
    limits = ffi.new("KrowLimits *")
    try:
        limits.seconds, limits.nodes, limits.depth = seconds or 0, nodes or 0, depth or 0
    except OverflowError as error:
        raise BadInput("a limit is too large") from error
    return limits


QUICK_SECONDS, QUICK_NODES = 0.25, 50_000


def interruptible(call: Callable[[], T], stop: Callable[[bool], None], limits: Any) -> T:
    """Runs a search. Ctrl-C stops one that may be long: it runs in another thread, because Python handles signals in
    the main thread only, and only between two instructions of Python."""
    is_quick = 0 < limits.seconds <= QUICK_SECONDS or 0 < limits.nodes <= QUICK_NODES
    if is_quick or threading.current_thread() is not threading.main_thread():
        return call()
    results: list = []
    failures: list = []

    def work() -> None:
        try:
            results.append(call())
        except BaseException as error:  # pylint: disable=broad-except # raised again below
            failures.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    try:
        worker.join()
    except BaseException:
        stop(True)
        worker.join()
        stop(False)
        raise
    if failures:
        raise failures[0]
    return results[0]
