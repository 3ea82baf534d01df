"""The one door to numba: how a kernel is compiled and cached, and how it sees texts.

A kernel is a plain function over arrays: UTF-8 bytes and offsets as Arrow keeps them, and tables.
Tables are arguments, never globals: numba freezes globals into its cache, where an upgraded word
list would go on scoring with the old values.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl
from numba import config, njit
from numba.core import caching

Function = TypeVar("Function", bound=Callable[..., Any])
U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
I64 = npt.NDArray[np.int64]
F64 = npt.NDArray[np.float64]
Int = int | np.int64
Bool = bool | np.bool_


class Texts(NamedTuple):
    """n texts as a kernel sees them.

    Attributes:
        bytes: the texts in UTF-8, one behind the other. Read-only.
        offsets: n + 1 offsets into ``bytes``; a null text is empty. Read-only.
    """

    bytes: U8
    offsets: I64


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
        return njit(function, nogil=True, cache=True)
    except RuntimeError:
        _say_uncached()
        return njit(function, nogil=True)
    finally:
        config.CACHE_LOCATOR_CLASSES = before


def subroutine(function: Function) -> Function:
    """Compile a function that kernels call, into each of them.

    It allocates nothing, so no references are counted, which would cost more than most calls do.
    """
    return _subroutine(function, inlined=False)


def inlined(function: Function) -> Function:
    """Compile a subroutine that is copied to where it is called: small, or on the hot path."""
    return _subroutine(function, inlined=True)


def _subroutine(function: Function, *, inlined: bool) -> Function:
    return njit(
        function,
        nogil=True,
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


@lru_cache
def _sources(package: str) -> str:
    """Hash the sources that kernels of a package are compiled from: its own, and this one's."""
    digest = hashlib.sha256()
    for name in sorted({__package__, package}):
        for entry in sorted(files(name).iterdir(), key=lambda entry: entry.name):
            if entry.name.endswith(".py"):
                digest.update(entry.read_bytes())
    return digest.hexdigest()


class _PackageSources:
    """Numba looks at a kernel's own file only, but kernels call functions of other files."""

    def __init__(self, function: Callable[..., Any], path: str) -> None:
        super().__init__(function, path)  # type: ignore[call-arg]
        self._package = function.__module__.rpartition(".")[0]

    def get_source_stamp(self) -> str:
        return _sources(self._package)


class _Given(_PackageSources, caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """The folder that NUMBA_CACHE_DIR names."""


class _InTree(_PackageSources, caching.InTreeCacheLocator):  # type: ignore[misc]
    """The ``__pycache__`` beside the source file."""


class _UserWide(_PackageSources, caching.UserWideCacheLocator):  # type: ignore[misc]
    """The user's cache folder."""
