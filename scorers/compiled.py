"""The one door to numba: how a kernel is compiled and cached, and how it sees texts.

A kernel is a plain function over arrays: UTF-8 bytes and offsets as Arrow keeps them, and tables.
Tables are arguments, never globals: numba freezes globals into its cache, where an upgraded word
list would go on scoring with the old values.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl
from numba import config, njit, types
from numba.core import caching
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])
Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]
Int = int | np.int64
Truth = bool | np.bool_
# What numba and llvmlite hand to an instruction's code; they ship no types.
Emitting = Any

# A byte of UTF-8 within a character, and the first bytes of characters of so many bytes, at least.
CONTINUES: Final = 0x80
TWO_BYTES: Final = 0x80
THREE_BYTES: Final = 0xE0
FOUR_BYTES: Final = 0xF0


class Texts(NamedTuple):
    """n texts as a kernel sees them.

    Attributes:
        bytes: the texts in UTF-8, one behind the other. Read-only.
        offsets: n + 1 offsets into ``bytes``; a null text is empty. Read-only.
    """

    bytes: Bytes
    offsets: Offsets


def as_texts(series: pl.Series) -> Texts:
    r"""Give n strings (nullable) as bytes and offsets; slices and empty series too.

    Example:
        >>> texts = as_texts(pl.Series(["ab", None, "é"]))
        >>> bytes(texts.bytes), texts.offsets.tolist()
        (b'ab\xc3\xa9', [0, 2, 2, 4])
    """
    # Where nothing is null, fill_null costs more than all the rest of a small batch.
    filled = series.fill_null("") if series.null_count() else series
    array = filled.to_arrow(compat_level=pl.CompatLevel.oldest())
    _, offsets, content = array.buffers()
    n = len(array)
    places = np.frombuffer(offsets, np.int64, count=n + 1, offset=8 * array.offset)
    return Texts(np.frombuffer(content or b"", np.uint8), places)


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """View an array as one that nothing writes into: kernels are compiled anew for each kind."""
    view = array.view()
    view.flags.writeable = False
    return view


def longest(*sides: Texts) -> int:
    """Count the bytes of the longest text of all; 0 without any.

    Example:
        >>> longest(as_texts(pl.Series(["ab", None])), as_texts(pl.Series(["é"])))
        2
    """
    return max(int(np.diff(side.offsets).max(initial=0)) for side in sides)


def compiled(function: Function) -> Function:
    """Compile a kernel on its first call; it releases the GIL, and its code is cached on disk.

    The cache lies beside the source file, or in the user's cache folder where that is read-only.
    Where neither can be written, each process compiles anew, and says so once.
    """
    before = config.CACHE_LOCATOR_CLASSES
    config.CACHE_LOCATOR_CLASSES = ",".join(
        f"{__name__}.{locator.__name__}" for locator in (_Given, _InTree, _UserWide)
    )
    try:
        return njit(function, nogil=True, cache=True)  # type: ignore[no-any-return]
    except RuntimeError:
        _say_uncached()
        return njit(function, nogil=True)  # type: ignore[no-any-return]
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def step(function: Function) -> Function:
    """Make a part of kernels: compiled into them, and not to be called from elsewhere.

    It allocates nothing: so no references are counted, which would cost more than most steps do.
    """
    return _step(function, inlined=False)


def inlined(function: Function) -> Function:
    """Make a step that is copied to where it is called: a small one, or one of the hot path."""
    return _step(function, inlined=True)


def _step(function: Function, *, inlined: bool) -> Function:
    return njit(  # type: ignore[no-any-return]
        function,
        nogil=True,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        forceinline=inlined,
    )


@lru_cache(maxsize=1)
def _say_uncached() -> None:
    """Say that nothing can be cached: lru_cache makes it once."""
    warnings.warn(
        "compiled kernels: no folder for the cache can be written, neither the package's nor the "
        "user's; each process compiles for some seconds; set NUMBA_CACHE_DIR to a folder",
        RuntimeWarning,
        stacklevel=3,
    )


@lru_cache(maxsize=1)
def _sources() -> str:
    """Hash the sources of all kernels."""
    digest = hashlib.sha256()
    for content in _python_files(files("tonelog.scorers")):
        digest.update(content)
    return digest.hexdigest()


def _python_files(folder: Traversable) -> Iterator[bytes]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _python_files(entry)
        elif entry.name.endswith(".py") and entry.is_file():
            yield entry.read_bytes()


class _AllSources:
    """Numba looks at a kernel's own file only, but kernels call functions of other files."""

    def get_source_stamp(self) -> str:
        return _sources()


class _Given(_AllSources, caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder that NUMBA_CACHE_DIR names."""


class _InTree(_AllSources, caching.InTreeCacheLocator):  # type: ignore[misc]
    """The ``__pycache__`` beside the source file."""


class _UserWide(_AllSources, caching.UserWideCacheLocator):  # type: ignore[misc]
    """The user's cache folder."""


instruction: Callable[[Callable[..., Any]], Callable[..., Any]] = intrinsic
"""Make a function that kernels can call of one that emits its code."""


@instruction
def element(_typing: Emitting, array: Emitting, _index: Emitting) -> Emitting:
    """Give the element of an array of numbers at a place from 0 on. Nothing checks the place.

    ``array[index]`` may count from the end, so it looks at each index's sign first, which takes a
    third of a loop's time.
    """

    def emit(context: Emitting, builder: Emitting, signature: Emitting, args: Emitting) -> Emitting:
        content = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.load(builder.gep(content, [args[1]]))

    return array.dtype(array, types.int64), emit


@inlined
def decode_char(text: Bytes, at: Int) -> np.int64:
    """Code point of the UTF-8 character that begins at ``at``."""
    first = np.int64(element(text, at))
    if first < TWO_BYTES:
        return first
    second = np.int64(element(text, at + 1)) & 0x3F
    if first < THREE_BYTES:
        return (first & 0x1F) << 6 | second
    third = np.int64(element(text, at + 2)) & 0x3F
    if first < FOUR_BYTES:
        return (first & 0x0F) << 12 | second << 6 | third
    return (first & 0x07) << 18 | second << 12 | third << 6 | np.int64(element(text, at + 3)) & 0x3F


@inlined
def encode_char(char: Int, text: Bytes, at: Int) -> np.int64:
    """Write a character at ``at``; give the place behind it."""
    if char < 1 << 7:
        text[at] = char
        return np.int64(at + 1)
    size = 2 + (char >= 1 << 11) + (char >= 1 << 16)
    for i in range(size - 1, 0, -1):
        text[at + i] = CONTINUES | char & 0x3F
        char >>= 6
    text[at] = char | 0xF00 >> size & 0xFF
    return np.int64(at + size)


@inlined
def next_char(text: Bytes, at: Int) -> np.int64:
    """Place of the character behind the one that begins at ``at``."""
    first = element(text, at)
    if first < TWO_BYTES:
        return np.int64(at + 1)
    return np.int64(at + 2 + (first >= THREE_BYTES) + (first >= FOUR_BYTES))


@instruction
def add_with_carry(_typing: Emitting, _a: Emitting, _b: Emitting, _carry: Emitting) -> Emitting:
    """Add two uint64 and a carry (uint8, 0 or 1): the sum, and the carry out of it.

    A chain of these becomes a chain of the processor's own, with the carry in its flag.
    """

    def emit(context: Emitting, builder: Emitting, signature: Emitting, args: Emitting) -> Emitting:
        a, b, carry = args
        bit = context.get_value_type(types.boolean)
        first = builder.uadd_with_overflow(a, b)
        carried = builder.zext(builder.trunc(carry, bit), a.type)
        second = builder.uadd_with_overflow(builder.extract_value(first, 0), carried)
        out = builder.or_(builder.extract_value(first, 1), builder.extract_value(second, 1))
        results = builder.extract_value(second, 0), builder.zext(out, carry.type)
        return context.make_tuple(builder, signature.return_type, results)

    results = types.Tuple((types.uint64, types.uint8))
    return results(types.uint64, types.uint64, types.uint8), emit


@instruction
def count_ones(_typing: Emitting, _word: Emitting) -> Emitting:
    """Count the ones among the bits of a uint64, as an int64."""

    def emit(_context: Emitting, builder: Emitting, _sig: Emitting, args: Emitting) -> Emitting:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), emit


@instruction
def load_eight(_typing: Emitting, text: Emitting, _at: Emitting) -> Emitting:
    """Load the eight bytes from a place of an array on as a uint64. Nothing checks the place."""

    def emit(context: Emitting, builder: Emitting, signature: Emitting, args: Emitting) -> Emitting:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        word = context.get_value_type(types.uint64)
        place = builder.bitcast(builder.gep(array.data, [args[1]]), word.as_pointer())
        return builder.load(place, align=1)

    return types.uint64(text, types.intp), emit
