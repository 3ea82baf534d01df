"""Break each of VADER's rules on purpose, in a copy of the sources: the quick texts have to tell.

``python -m tests.scorers.vader.mutants`` prints how many texts tell each mutant. Compiled code that
a mutant does not touch is taken from the copy's own cache, which the unbroken copy has filled.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, NamedTuple

from tests.scorers.copies import Copy
from tests.scorers.vader.exactness import as_said, quick_sets

_WORKERS: Final = 2

_COUNT: Final = r"""
import json, sys
from pathlib import Path
import polars as pl
from tonelog.scorers import sentiment as module
assert module.__file__.startswith(sys.argv[2]), module.__file__
wrong = 0
for own, texts, said in json.loads(Path(sys.argv[1]).read_text()):
    lexicon = "\n".join(f"{word}\t{valence!r}" for word, valence in own.items())
    ours = map(repr, module.sentiment(pl.Series(texts, dtype=pl.String), lexicon).rows())
    wrong += sum(left != right for left, right in zip(said, ours, strict=True))
print(wrong)
"""

# The names of the compiled code that a source changes. Other sources make tables only.
_READS: Final = ("unicode.", "emoji.", "tokens.", "word_table.")
_SCORES: Final = ("contrast.", "polarity.", "valence.")
_KERNELS_OF: Final = {
    "vader/tokens.py": _READS,
    "kernels/byte_classes.py": _READS,
    "kernels/word_table.py": _READS,
    "vader/emoji.py": _READS,
    "vader/polarity.py": _SCORES,
    "vader/valence.py": _SCORES,
    "vader/contrast.py": _SCORES,
}


class Mutant(NamedTuple):
    """A rule, by its number in the list of quirks, and how it is broken.

    Attributes:
        rule: 1 to 20.
        source: a file of the scorers.
        before, after: text of that file, which stands there once, and what is put in its place.
        pythons: the first Python, and the first later one, on which this makes a difference.
    """

    rule: int
    source: str
    before: str
    after: str
    pythons: tuple[tuple[int, int], tuple[int, int]] = ((3, 11), (4, 0))


_TOKENS, _EMOJI, _CHARACTERS = "vader/tokens.py", "vader/emoji.py", "kernels/unicode.py"
_LEXICON, _VALENCE, _POLARITY = "vader/lexicon.py", "vader/valence.py", "vader/polarity.py"
_CONTRAST: Final = "vader/contrast.py"
_BLOCKS: Final = "kernels/byte_classes.py"
_WORDS: Final = "kernels/word_table.py"
_COMPENSATED: Final = ((3, 12), (4, 0))
_INTS_ARE_PLAIN: Final = ((3, 12), (3, 14))
_ONCE: Final = """\
            for k in range(n):
                if places[k] != but[text] - start:
                    valences[k] *= 0.5 if places[k] < but[text] - start else 1.5
"""
_FIRST_LINE: Final = r"""{
        line.split("\t")[0]: float(line.split("\t")[1])
        for line in analyzer.lexicon_full_filepath.strip().split("\n")[::-1]
    } | dict(own)
"""

_LOWERED: Final = """\
{word.lower(): value for word, value in analyzer.lexicon.items()} | dict(own)
"""

MUTANTS: Final = (
    # Python's sum.
    Mutant(1, _POLARITY, "SUM_IS_COMPENSATED, _INTS", "not SUM_IS_COMPENSATED, _INTS"),
    Mutant(1, _POLARITY, "sum_is_int = but[text] < 0", "sum_is_int = False", pythons=_COMPENSATED),
    Mutant(1, _POLARITY, "sum_is_int and whole", "sum_is_int", pythons=_COMPENSATED),
    Mutant(1, _POLARITY, "(whole and not", "(False and not", pythons=_INTS_ARE_PLAIN),
    # Its order.
    Mutant(2, _POLARITY, "value = valences[i]", "value = valences[len(valences) - 1 - i]"),
    Mutant(2, _POLARITY, "for value in valences:", "for value in valences[::-1]:"),
    # Rounding.
    Mutant(3, _POLARITY, "over = _product_error(size, units, product)", "over = 0.0"),
    Mutant(3, _POLARITY, "(over == 0 and whole % 2 == 1)", "over == 0"),
    # Emoji.
    Mutant(4, _EMOJI, "if before != _SPACE:", "if False:"),
    Mutant(
        4, _EMOJI, "before = text[at]",
        "before = np.uint8(_SPACE) if at < behind - 3 else text[at]",
    ),
    Mutant(4, _EMOJI, "= descriptions[place]", "= max(descriptions[place], np.uint8(ord('.')))"),
    # White space.
    Mutant(5, _CHARACTERS, "isspace(alone)", "isspace(alone) & ~np.isin(points, range(28, 32))"),
    Mutant(5, _CHARACTERS, "isspace(alone)", "isspace(alone) & (points < 0x80)"),
    Mutant(5, _CHARACTERS, "isspace(alone)", "isspace(alone) | (points == 0x200B)"),
    Mutant(5, _BLOCKS, 'at, 0x1C, ord(" ")', 'at, ord(" "), ord(" ")'),
    # Punctuation at the ends.
    Mutant(6, _BLOCKS, 'ord("!"), ord("~")', 'ord("!"), ord("}")'),
    Mutant(6, _TOKENS, "if stop - begin <= _EMOTICON", "if stop - begin < _EMOTICON"),
    Mutant(6, _TOKENS, "_EMOTICON: Final = 2", "_EMOTICON: Final = 1"),
    Mutant(6, _TOKENS, "_EMOTICON: Final = 2", "_EMOTICON: Final = 3"),
    Mutant(6, _TOKENS, "inner_chars <= _EMOTICON", "stop - begin <= _EMOTICON"),
    Mutant(6, _CHARACTERS, "in string.punctuation]", "in string.punctuation + '\\u2026']"),
    # Keys.
    Mutant(7, _CHARACTERS, ".lower()\n", ".lower().replace('k', '\\u212a')\n"),
    Mutant(7, _LEXICON, "analyzer.lexicon | dict(own)\n", _FIRST_LINE),
    Mutant(7, _LEXICON, "analyzer.lexicon | dict(own)\n", _LOWERED),
    Mutant(7, _WORDS, "if _has_capitals(", "if not len("),
    # Upper case.
    Mutant(8, _TOKENS, "LOWERS, place) & whole == 0", "LOWERS, place) & whole >= 0"),
    Mutant(8, _CHARACTERS, "UPPER: upper,", "UPPER: upper & (points < 0x80),"),
    Mutant(8, _CHARACTERS, "islower(alone) |", "islower(alone) & (points < 0x80) |"),
    Mutant(8, _POLARITY, "< n_upper[text] < len(words)", "< n_upper[text] < len(words) + 1"),
    # Boosters, and kind of.
    Mutant(9, _VALENCE, "return not element(marks, word) & BOOSTS and", "return"),
    Mutant(9, _VALENCE, "word == KIND and", "word == NO_WORD and"),
    # No.
    Mutant(10, _VALENCE, "word == NO and behind != NO_WORD and", "word == NO_WORD and"),
    Mutant(10, _VALENCE, "first == NO or second == NO", "first == NO"),
    Mutant(10, _VALENCE, "(third == NO and (first == OR or first == NOR))", "third == NO"),
    # Capitals.
    Mutant(
        11, _VALENCE, "        valence += capitals if valence > 0",
        "        valence += capitals if valence >= 0",
    ),
    Mutant(11, _VALENCE, "boost += capitals if valence > 0", "boost += capitals if valence >= 0"),
    # Modifiers before a word.
    Mutant(12, _VALENCE, "i >= 1 and not element(marks, first) & IN_LEXICON", "i >= 1"),
    Mutant(12, _VALENCE, "_BOOST_AT_2: Final = 0.95", "_BOOST_AT_2: Final = 0.9"),
    Mutant(12, _VALENCE, "if valence < 0:", "if valence < -4:"),
    # Negations.
    Mutant(
        13, _TOKENS, "word == OTHER and seen & _HAS_NT",
        "word == OTHER and seen & _HAS_NT == -1",
    ),
    Mutant(13, _LEXICON, "vaderSentiment.negated([word])", "word in vaderSentiment.NEGATE[9:]"),
    Mutant(13, _TOKENS, "word == OTHER and bits_from(", "word == OTHER_NT and bits_from("),
    Mutant(13, _TOKENS, "text[at] != _APOSTROPHE or not", "not"),
    Mutant(
        13, _TOKENS, "        if _is_nt(text, first, at, end):",
        "        if char == 0x2019 or _is_nt(text, first, at, end):",
    ),
    # Never so, and without doubt, at two before.
    Mutant(
        14, _VALENCE, "second == NEVER and (first == SO or first == THIS)",
        "second == NEVER and first == SO",
    ),
    Mutant(14, _VALENCE, "if second == WITHOUT and", "if second == NO_WORD and"),
    # The same at three before.
    Mutant(
        15, _VALENCE, "(second == SO or second == THIS)) or first == SO or first == THIS",
        "(second == SO or second == THIS or first == SO or first == THIS))",
    ),
    Mutant(15, _VALENCE, "(second == DOUBT or first == DOUBT)", "second == DOUBT"),
    # Idioms.
    Mutant(16, _VALENCE, "i >= 3 and not element(marks, third) & IN_LEXICON", "i >= 3"),
    Mutant(16, _VALENCE, "            break\n", ""),
    Mutant(16, _VALENCE, "for phrase in ahead:", "for phrase in ahead[:1]:"),
    Mutant(16, _VALENCE, "for phrase in ahead:", "for phrase in ahead[1:]:"),
    # Boosters of two words.
    Mutant(17, _VALENCE, "(back[3], back[4], back[2])", "(back[3], back[2])"),
    Mutant(17, _VALENCE, "(back[3], back[4], back[2])", "(back[3], back[4])"),
    Mutant(
        17, _VALENCE, "valence + element(phrase_boosts, phrase)",
        "valence + element(phrase_boosts, phrase) * (1 if valence > 0 else -1)",
    ),
    # Least.
    Mutant(18, _VALENCE, "        and second != AT\n", ""),
    Mutant(18, _VALENCE, "        and second != VERY\n", ""),
    # But.
    Mutant(19, _TOKENS, "word == BUT and but[i] == NO_WORD", "word == BUT"),
    Mutant(
        19, _POLARITY,
        "            contrast(valences[:n], places[:n], but[text] - start, is_plain[:n])\n",
        _ONCE,
    ),
    Mutant(19, _CONTRAST, "        if places[first] == but:\n            continue\n", ""),
    # Emphasis.
    Mutant(20, _TOKENS, "min(n_exclamations, 4)", "min(n_exclamations, 5)"),
    Mutant(20, _TOKENS, "if n_questions > 3:", "if n_questions >= 3:"),
    Mutant(20, _POLARITY, "    if positive > -negative:", "    if positive >= -negative:"),
    Mutant(20, _POLARITY, "return 0.0, 0.0, 0.0, 0.0", "return 0.0, 0.0, 1.0, 0.0"),
)  # fmt: skip


def count_mismatches(copy: Copy, expected: Path, **variables: str) -> int:
    """Count the texts that a copy scores otherwise than expected."""
    return int(copy.run(_COUNT, str(expected), str(copy.folder), **variables))


def _count_with(copy: Copy, mutant: Mutant, expected: Path) -> int:
    """Count them with one rule broken, for the moment."""
    kept = shutil.copytree(copy.cache, copy.folder / "kept")
    changed = _KERNELS_OF.get(mutant.source, ())
    for path in copy.cache.rglob("*.nb[ci]"):
        if path.name.startswith(changed):
            path.unlink()
    old = copy.replace(mutant.source, mutant.before, mutant.after)
    try:
        return count_mismatches(copy, expected)
    finally:
        (copy.scorers / mutant.source).write_text(old)
        shutil.rmtree(copy.cache)
        kept.rename(copy.cache)


def write_expected(path: Path) -> None:
    """Write one's own words, the quick texts, and what vaderSentiment says of them."""
    path.write_text(json.dumps([(own, texts, as_said(texts, own)) for own, texts in quick_sets()]))


def counts(mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant | None, int]]:
    """Count the texts that tell each mutant; first, and twice, those of the unbroken copies."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(_WORKERS) as pool:
        expected = Path(folder) / "expected.json"
        write_expected(expected)
        copies = [Copy(Path(folder) / f"copy-{number}") for number in range(_WORKERS)]
        for count in pool.map(lambda copy: count_mismatches(copy, expected), copies):
            yield None, count
        idle = [*copies]

        def count_one(mutant: Mutant) -> int:
            copy = idle.pop()
            try:
                return _count_with(copy, mutant, expected)
            finally:
                idle.append(copy)

        those = [mutant for mutant in mutants if _matters(mutant)]
        yield from zip(those, pool.map(count_one, those), strict=True)


def _matters(mutant: Mutant) -> bool:
    first, behind = mutant.pythons
    return first <= sys.version_info[:2] < behind


def main() -> None:
    """Print how many texts tell each mutant."""
    begin = perf_counter()
    for mutant, count in counts(MUTANTS):
        if mutant is None:
            said = f"unbroken: {count} mismatches"
        else:
            said = (
                f"rule {mutant.rule:2}: {count:6} texts tell {mutant.before!r} -> {mutant.after!r}"
            )
        sys.stdout.write(f"{perf_counter() - begin:6.1f} s  {said}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
