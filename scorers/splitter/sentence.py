"""The scan of a line from mark to mark: what opens, what closes, and what ends a sentence."""

from __future__ import annotations

from typing import Final

import numpy as np

from tonelog.scorers.compiled import Bytes, Int, step, inlined
from tonelog.scorers.splitter.ascii import (
    BEYOND,
    BLANK_SPACE,
    DOT,
    LEFT_SQUARE,
    LESS,
    LINE_FEED,
    RIGHT_ROUND,
    SLASH,
    SMALL,
    SMALL_A,
    SMALL_Z,
    ZERO,
    byte_set,
    is_one_of,
)
from tonelog.scorers.splitter.characters import (
    ALNUM,
    BACKTICK,
    CLASS_BITS,
    CLOSE,
    CURLY,
    CURVED_SINGLE,
    EMOJI,
    JOINED,
    LETTERS,
    LOWER,
    MARKUP,
    NEWLINE,
    OPEN,
    PAIR_SHIFT,
    QUOTE,
    SPACE,
    SQUARE,
    STOPS,
    STRAIGHT_SINGLE,
    UPPER,
    WHITE,
    Classes,
    class_set,
)
from tonelog.scorers.splitter.ends import PERIOD, goes_on, stop_end
from tonelog.scorers.splitter.lines import pass_marker, set_number
from tonelog.scorers.splitter.marks import (
    INLINE_DIGITS,
    break_end,
    emoticon_end,
    note_end,
    number_end,
    tag_end,
)
from tonelog.scorers.splitter.state import (
    BACK,
    BODY,
    ITEM,
    MARK_KIND,
    NONE,
    NUMBER,
    QUOTED,
    START,
    STYLE,
    Found,
    State,
    close_pair,
    emit,
    is_open,
    pop,
    push,
    take_back,
)
from tonelog.scorers.splitter.text import (
    after_char,
    back_over_space,
    before_char,
    class_at,
    digits_end,
    entry_at,
    is_among,
    is_at,
    is_break,
    next_special,
    run_end,
    skip_space,
    word_begin,
)
from tonelog.scorers.splitter.words import BULLET, LABEL, Words, flags_of

_PARENTHESIS: Final = 1
_BEFORE_WORD: Final = class_set(SPACE, NEWLINE, OPEN, QUOTE, MARKUP)
_PAIRED: Final = class_set(CLOSE, QUOTE, OPEN)
_EYES: Final = byte_set(":;=")
_NOSES: Final = byte_set("-'")


@inlined
def open_sentence(text: Bytes, at: Int, chars: Classes, state: State) -> None:
    """Begin a sentence at ``at``; where its line began with a mark, BODY stands behind it."""
    state[START] = at
    state[ITEM] = 0
    if state[BODY] < at:
        state[BODY] = at
        state[NUMBER] = NONE
        end = number_end(text, at, INLINE_DIGITS)
        if end > at and class_at(text, end, chars) == SPACE:
            set_number(text, at, end, state)
            state[BODY] = end
    while class_at(text, state[BODY], chars) == MARKUP:
        state[BODY] += 1


@step
def scan_words(
    text: Bytes, at: Int,
    special: Classes, chars: Classes, words: Words, state: State, found: Found,
) -> np.int64:  # fmt: skip
    """Find the sentences from ``at`` on: up to the end of the line, which is given back."""
    at = next_special(text, at, special)
    while at < len(text) and text[at] != LINE_FEED:
        at = _read_mark(text, at, chars, words, state, found)
        if state[START] == NONE:
            at = skip_space(text, at, chars)
            if at == len(text) or text[at] == LINE_FEED:
                break
            state[BODY] = NONE
            open_sentence(text, at, chars, state)
            at = state[BODY]
        at = next_special(text, at, special)
    return np.int64(at)


@inlined
def _read_mark(
    text: Bytes, at: Int, chars: Classes, words: Words, state: State, found: Found
) -> np.int64:
    """Read what stands at ``at``: where to read on. Where a sentence ended, START is NONE."""
    byte = text[at]
    if byte == DOT and at + 1 < len(text) and SMALL_A <= text[at + 1] | SMALL <= SMALL_Z:
        return np.int64(at + 1)
    entry = entry_at(text, at, chars)
    of_class = entry & CLASS_BITS
    if is_among(of_class, STOPS):
        return _read_stop(text, at, chars, words, state, found)
    if of_class == QUOTE:
        return _read_quote(text, at, entry >> PAIR_SHIFT, chars, state)
    if of_class == OPEN:
        return _read_opener(text, at, entry >> PAIR_SHIFT, chars, state)
    if of_class == CLOSE:
        return _read_closer(text, at, entry >> PAIR_SHIFT, chars, words, state, found)
    end = after_char(text, at)
    if byte == LESS:
        stop = break_end(text, at, words)
        if stop > at:
            emit(state[START], _tags_end(text, stop, words), state, found)
            return _tags_end(text, stop, words)
    elif byte == 0xE2 and at > state[START] and _is_bullet_again(text, at, words, state):
        emit(state[START], back_over_space(text, state[START], at, chars), state, found)
        state[START] = at
        pass_marker(text, end, chars, state)
        return np.int64(state[BODY])
    return end


@step
def _tags_end(text: Bytes, at: Int, words: Words) -> np.int64:
    """Pass over more tags that end something."""
    while is_at(text, at, LESS):
        end = tag_end(text, at) if is_at(text, at + 1, SLASH) else break_end(text, at, words)
        if end == at:
            break
        at = end
    return np.int64(at)


@step
def _is_bullet_again(text: Bytes, at: Int, words: Words, state: State) -> bool:
    """Whether the bullet that the sentence begins with stands here again."""
    start = state[START]
    if text[at - 1] != BLANK_SPACE or not flags_of(text, at, at + 3, words) & BULLET:
        return False
    return (
        text[at + 1] == text[start + 1] and text[at + 2] == text[start + 2] and text[start] == 0xE2
    )


@step
def _read_quote(text: Bytes, at: Int, pair: Int, chars: Classes, state: State) -> np.int64:
    """Read one of the marks that both open and close, behind which no stop stands."""
    end = np.int64(at + 1)
    if pair == BACKTICK:
        end = run_end(text, at, text[at])
        run = pair | end - at << PAIR_SHIFT
        depth = pop(run, state)
        take_back(depth, state)
        if depth == NONE and not is_open(pair, state):
            push(run, end > at, state)
        return end
    if pair == STRAIGHT_SINGLE:
        if _is_single_opener(text, at, end, chars, state):
            _open_pair(at, end, pair, state)
        elif _is_single_closer(text, at, end, chars):
            take_back(pop(pair, state), state)
        return end
    spaced = is_break(text, end, chars)
    if is_open(pair, state) and (spaced or not _begins_word(text, at, chars, state)):
        take_back(pop(pair, state), state)
    elif not spaced:
        _open_pair(at, end, pair, state)
    return end


@step
def _begins_word(text: Bytes, at: Int, chars: Classes, state: State) -> bool:
    """Whether a word could begin at ``at``: white space or an opener stands before it."""
    if at <= state[BODY]:
        return True
    before = class_at(text, before_char(text, at), chars)
    return is_among(before, _BEFORE_WORD)


@step
def _is_single_opener(text: Bytes, at: Int, end: Int, chars: Classes, state: State) -> bool:
    """Whether a single quote opens: a word begins behind it, and none ends before it."""
    return not is_break(text, end, chars) and _begins_word(text, at, chars, state)


@step
def _is_single_closer(text: Bytes, at: Int, end: Int, chars: Classes) -> bool:
    """Whether a single quote closes and is no apostrophe: a mark stands before it, no letter."""
    behind = class_at(text, end, chars)
    if at == 0 or is_among(behind, ALNUM):
        return False
    # White space and a word behind a letter: the users' files.
    return behind != SPACE or not is_among(class_at(text, before_char(text, at), chars), ALNUM)


@step
def _open_pair(at: Int, end: Int, pair: Int, state: State) -> None:
    """Remember an opener; at the beginning of a sentence, that stays its beginning."""
    push(pair, at > state[BODY] or pair == SQUARE or pair == CURLY, state)
    if at == state[BODY]:
        state[BODY] = end


@step
def _read_opener(text: Bytes, at: Int, pair: Int, chars: Classes, state: State) -> np.int64:
    """Read an opening bracket or quote."""
    end = after_char(text, at)
    if pair > 0 and not (pair == _PARENTHESIS and _is_face(text, at, end, chars, state)):
        _open_pair(at, end, pair, state)
    return end


@step
def _is_face(text: Bytes, at: Int, end: Int, chars: Classes, state: State) -> bool:
    """Whether a parenthesis is the mouth of an emoticon."""
    eyes = at - 1
    if eyes > state[START] and is_one_of(text[eyes], _NOSES):
        eyes -= 1
    if eyes < state[START] or not is_one_of(text[eyes], _EYES):
        return False
    return is_break(text, end, chars) and (
        eyes == state[START] or is_break(text, before_char(text, eyes), chars)
    )


@step
def _read_closer(
    text: Bytes, at: Int, pair: Int, chars: Classes, words: Words, state: State, found: Found
) -> np.int64:
    """Read a closing bracket or quote, behind which no stop stands: the sentence goes on."""
    end = after_char(text, at)
    if pair == CURVED_SINGLE and not _is_single_closer(text, at, end, chars):
        return end
    if pair == _PARENTHESIS:
        if _is_face(text, at, end, chars, state):
            return end
        if not is_open(pair, state) and _is_next_item(text, at, end, chars, words, state):
            return _begin_item(text, at, end, chars, state, found)
    take_back(pop(pair, state), state)
    return end


@inlined
def _read_stop(
    text: Bytes, at: Int, chars: Classes, words: Words, state: State, found: Found
) -> np.int64:
    """Read marks that may end the sentence, and what closes behind them."""
    state[BACK] = NONE
    end = stop_end(text, at, chars, state)
    if state[NUMBER] != NONE and state[MARK_KIND] == PERIOD:
        behind = end + 1 if is_at(text, end, RIGHT_ROUND) else end
        if _is_next_item(text, at, behind, chars, words, state):
            return _begin_item(text, at, behind, chars, state, found)
    forced = False
    if not _is_before_word(text, end, chars):
        omitted = at > state[START] and class_at(text, before_char(text, at), chars) == OPEN
        forced, end = _closed_end(text, end, chars, words, state)
        if omitted:
            return end
    if not forced and goes_on(text, end, chars, words, state):
        take_back(state[BACK], state)
        return np.int64(end)
    emit(state[START], end, state, found)
    return np.int64(end)


@inlined
def _is_before_word(text: Bytes, at: Int, chars: Classes) -> bool:
    """Whether a space and an ASCII letter follow, so that nothing closes."""
    if at + 1 >= len(text) or text[at] != BLANK_SPACE or text[at + 1] >= BEYOND:
        return False
    return is_among(np.int64(chars[text[at + 1]]), LETTERS)


@step
def _closed_end(
    text: Bytes, end: Int, chars: Classes, words: Words, state: State
) -> tuple[bool, int]:
    """Where what closes behind a stop ends: quotes, brackets, markup, emoji, notes, tags.

    Also tells whether a tag among them ends the sentence whatever follows.
    """
    forced = False
    while end < len(text):
        entry = entry_at(text, end, chars)
        of_class = entry & CLASS_BITS
        stop = end
        if is_among(of_class, STOPS):
            stop = stop_end(text, end, chars, state)
        elif is_among(of_class, _PAIRED):
            stop = _pair_end(text, end, entry, chars, state)
        elif of_class == EMOJI or of_class == JOINED:
            stop = after_char(text, end)
        elif of_class == MARKUP:
            stop = _markup_end(text, end, chars, state)
        elif of_class == SPACE:
            stop = _attached_end(text, end, chars, words)
        elif text[end] == LESS:
            stop = _tags_end(text, end, words)
            forced = stop > end and break_end(text, end, words) > end
        if stop == end:
            break
        end = stop
    return forced, np.int64(end)


@step
def _pair_end(text: Bytes, at: Int, entry: Int, chars: Classes, state: State) -> np.int64:
    """Where a bracket or quote that closes behind a stop ends, or a note; ``at`` for nothing."""
    pair = entry >> PAIR_SHIFT
    if _closes(text, at, entry, chars, state):
        depth = close_pair(pair, state)
        if depth != NONE:
            state[BACK] = depth
        state[QUOTED] = 1
        return after_char(text, at)
    return note_end(text, at) if pair == SQUARE else np.int64(at)


@step
def _closes(text: Bytes, at: Int, entry: Int, chars: Classes, state: State) -> bool:
    """Whether a bracket or quote right behind a stop closes."""
    of_class = entry & CLASS_BITS
    pair = entry >> PAIR_SHIFT
    if pair == BACKTICK or pair == 0:
        return False
    if of_class == CLOSE:
        return True
    behind = class_at(text, after_char(text, at), chars)
    if of_class == QUOTE:
        return is_open(pair, state) or not is_among(behind, ALNUM)
    return pair > SQUARE + 3 and is_among(behind, WHITE)


@step
def _markup_end(text: Bytes, at: Int, chars: Classes, state: State) -> np.int64:
    """Where markup behind a stop ends; ``at`` if it is not the end of any in this sentence."""
    end = np.int64(run_end(text, at, text[at]))
    if end > at + 1 and is_break(text, end, chars):
        return end
    before = at - 1
    while before > state[START] and text[before] != text[at]:
        before -= 1
    return np.int64(end if text[before] == text[at] else at)


@step
def _attached_end(text: Bytes, at: Int, chars: Classes, words: Words) -> np.int64:
    """Where what belongs to the sentence before ends, behind white space; ``at`` for nothing."""
    begin = skip_space(text, at, chars)
    if begin == len(text):
        return np.int64(at)
    of_class = class_at(text, begin, chars)
    if of_class == EMOJI:
        return after_char(text, begin)
    if of_class == CLOSE:
        # French puts a space before its closing quotes.
        return begin
    if text[begin] == LEFT_SQUARE:
        end = note_end(text, begin)
    else:
        end = emoticon_end(text, begin, chars, words)
    return np.int64(end if end > begin else at)


@step
def _is_next_item(
    text: Bytes, at: Int, end: Int, chars: Classes, words: Words, state: State
) -> bool:
    """Whether the next item of a list that was run together on a line has its mark here."""
    if state[NUMBER] == NONE or state[STYLE] != text[at]:
        return False
    begin = word_begin(text, at, state[START], chars)
    if begin <= state[START] or text[begin - 1] != BLANK_SPACE or not is_at(text, end, BLANK_SPACE):
        return False
    number = np.int64(text[begin])
    if digits_end(text, begin) == at and at - begin <= 3:
        number = np.int64(0)
        for i in range(begin, at):
            number = number * 10 + np.int64(text[i]) - ZERO
    elif at - begin > 1:
        return False
    if number != state[NUMBER] + 1 or class_at(text, end + 1, chars) != UPPER:
        return False
    before = word_begin(text, begin - 1, state[START], chars)
    return (
        text[at] != DOT
        or end > at + 1
        or (
            class_at(text, before, chars) == LOWER
            and not flags_of(text, before, begin - 1, words) & LABEL
        )
    )


@step
def _begin_item(
    text: Bytes, at: Int, end: Int, chars: Classes, state: State, found: Found
) -> np.int64:
    """End the sentence before the mark of a list's next item, and begin the item."""
    begin = word_begin(text, at, state[START], chars)
    emit(state[START], back_over_space(text, state[START], begin, chars), state, found)
    state[START] = begin
    state[BODY] = end
    state[NUMBER] += 1
    return np.int64(end)
