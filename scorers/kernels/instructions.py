"""Instructions of the processor that numba has no word for, as functions for kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

# What numba and llvmlite hand to an instruction's code; they ship no types.
Emitting = Any

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


@instruction
def count_zeros_below(_typing: Emitting, _word: Emitting) -> Emitting:
    """Count the zeros below the lowest one of a uint64, as an int64: 64 if there is none."""

    def emit(_context: Emitting, builder: Emitting, _sig: Emitting, args: Emitting) -> Emitting:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), emit


@instruction
def count_zeros_above(_typing: Emitting, _word: Emitting) -> Emitting:
    """Count the zeros above the highest one of a uint64, as an int64: 64 if there is none."""

    def emit(_context: Emitting, builder: Emitting, _sig: Emitting, args: Emitting) -> Emitting:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), emit


@instruction
def bytes_between(
    _typing: Emitting, text: Emitting, _at: Emitting, _low: Emitting, _high: Emitting
) -> Emitting:
    """Tell which of the 64 bytes from a place on are from ``low`` to ``high``: a uint64 of bits.

    The lowest bit is the first byte's. Nothing checks the place.
    """

    def emit(context: Emitting, builder: Emitting, signature: Emitting, args: Emitting) -> Emitting:
        content = context.make_array(signature.args[0])(context, builder, args[0]).data
        byte, lanes = ir.IntType(8), ir.VectorType(ir.IntType(8), 64)
        place = builder.bitcast(builder.gep(content, [args[1]]), lanes.as_pointer())
        low, high = (_repeated(builder, builder.trunc(arg, byte), lanes) for arg in args[2:])
        above = builder.sub(builder.load(place, align=1), low)
        is_between = builder.icmp_unsigned("<=", above, builder.sub(high, low))
        return builder.bitcast(is_between, ir.IntType(64))

    return types.uint64(text, types.intp, types.intp, types.intp), emit


def _repeated(builder: Emitting, value: Emitting, lanes: Emitting) -> Emitting:
    """Put a value into each lane of a vector."""
    first, nothing = ir.Constant(ir.IntType(32), 0), ir.Constant(lanes, ir.Undefined)
    alone = builder.insert_element(nothing, value, first)
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
    return builder.shuffle_vector(alone, nothing, zeros)
