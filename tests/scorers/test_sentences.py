"""Sentences: exact substrings, nothing lost, and split where a reader would split."""
# ruff: noqa: RUF001 - marks of other scripts are what it is about

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.oracles import WHITE_SPACE
from tests.scorers.pairs import nullable_texts, texts
from tonelog.scorers.sentences import CodePolicy, sentence_spans, split_sentences, without_code

CODE_POLICIES: st.SearchStrategy[CodePolicy] = st.sampled_from(("keep", "skip"))


def split(text: str, code: CodePolicy = "keep") -> list[str]:
    """Split one text."""
    return split_all([text], code)[0] or []


def split_all(many: list[str | None], code: CodePolicy = "keep") -> list[list[str] | None]:
    """Split a batch of texts."""
    frame = pl.DataFrame({"text": many}, schema={"text": pl.String})
    return frame.select(split_sentences(pl.col("text"), code=code)).to_series().to_list()


def strip_code(many: list[str | None]) -> list[str | None]:
    """Take the code out of a batch of texts."""
    frame = pl.DataFrame({"text": many}, schema={"text": pl.String})
    return frame.select(without_code(pl.col("text"))).to_series().to_list()


def without_space(text: str) -> str:
    """Take the white space out of a text."""
    return "".join(character for character in text if character not in WHITE_SPACE)


# What holds for every text


@given(texts)
def test_sentences_are_substrings_in_order_with_white_space_between(text: str) -> None:
    rest = text
    for sentence in split(text):
        assert sentence
        assert sentence == sentence.strip(WHITE_SPACE)
        rest = rest.lstrip(WHITE_SPACE)
        assert rest.startswith(sentence)
        rest = rest[len(sentence) :]
    assert rest.strip(WHITE_SPACE) == ""


@given(st.text(".!?…。 \n`~#-*1a\"'()A😀|>\t", max_size=60))
def test_marks_of_all_kinds_lose_nothing(text: str) -> None:
    assert without_space("".join(split(text))) == without_space(text)


@given(st.lists(nullable_texts, max_size=8), CODE_POLICIES)
def test_batch_is_split_as_its_texts_one_by_one(many: list[str | None], code: CodePolicy) -> None:
    assert split_all(many, code) == [split_all([text], code)[0] for text in many]


@given(st.lists(nullable_texts, max_size=8), CODE_POLICIES)
def test_spans_are_the_sentences_with_their_places(
    many: list[str | None], code: CodePolicy
) -> None:
    spans = sentence_spans(pl.Series(many, dtype=pl.String), code=code)
    lists = split_all(many, code)
    found = [
        (row, index, sentence)
        for row, sentences in enumerate(lists)
        for index, sentence in enumerate(sentences or [])
    ]
    assert spans.select("row", "sentence_index", "sentence").rows() == found
    for row, _, start, end, sentence in spans.rows():
        assert (many[row] or "")[start:end] == sentence


def test_spans_give_these_rows() -> None:
    expected = pl.DataFrame(
        [(0, 0, 1, 4, "Hi."), (0, 1, 6, 11, "é😀 ✓!"), (3, 0, 0, 3, "Bye")],
        orient="row",
        schema={
            "row": pl.Int64,
            "sentence_index": pl.Int32,
            "start": pl.Int32,
            "end": pl.Int32,
            "sentence": pl.String,
        },
    )
    found = sentence_spans(pl.Series([" Hi.  é😀 ✓!\n", None, " ", "Bye"]))
    assert_frame_equal(found, expected)
    assert_frame_equal(sentence_spans(pl.Series([None, ""])), expected.clear())
    assert_frame_equal(sentence_spans(pl.Series([], dtype=pl.String)), expected.clear())


@pytest.mark.parametrize("code", ["keep", "skip"])
def test_null_stays_null_and_blank_has_no_sentence(code: CodePolicy) -> None:
    many = [None, "", " ", "\u00a0\u3000\r\n", WHITE_SPACE, "a"]
    assert split_all(many, code) == [None, [], [], [], [], ["a"]]
    assert split_all([], code) == []


def test_expression_gives_lists_of_strings_lazily_and_in_groups() -> None:
    frame = pl.DataFrame({"key": [1, 2, 1], "text": ["A b. C d.", None, "E."]})
    split_column = split_sentences(pl.col("text"))
    assert frame.lazy().select(split_column).collect_schema()["text"] == pl.List(pl.String)
    grouped = frame.group_by("key", maintain_order=True).agg(split_column)
    assert grouped["text"].to_list() == [[["A b.", "C d."], ["E."]], [None]]


# Code


@pytest.mark.parametrize(
    ("text", "kept", "prose"),
    [
        (
            "It runs.\n```\na. B\n```\nIt ends.",
            ["It runs.", "```\na. B\n```", "It ends."],
            "It runs.\nIt ends.",
        ),
        ("~~~\na\n~~~\nIt ends.", ["~~~\na\n~~~", "It ends."], "It ends."),
        ("It runs.\n\n```py\nx.\n\nY = 2", ["It runs.", "```py\nx.\n\nY = 2"], "It runs.\n\n"),
        ("  ```\n  a\n  ```\nYes", ["```\n  a\n  ```", "Yes"], "Yes"),
        ("```\na\n```\n```\nb\n```", ["```\na\n```", "```\nb\n```"], ""),
        ("```\r\na. B\r\n```\r\nYes", ["```\r\na. B\r\n```", "Yes"], "Yes"),
        ("```\n```\nIt ends.", ["```\n```", "It ends."], "It ends."),
        ("````\na. B\n````\nIt ends.", ["````\na. B\n````", "It ends."], "It ends."),
        ("```\na ~~~ b\n~~~\n```", ["```\na ~~~ b\n~~~\n```"], ""),
        ("Use `a. B` here.", ["Use `a. B` here."], "Use `a. B` here."),
        ("No code", ["No code"], "No code"),
        ("", [], ""),
    ],
)
def test_fenced_code_is_one_unit_that_can_be_left_out(
    text: str, kept: list[str], prose: str
) -> None:
    assert split(text) == kept
    assert split(text, "skip") == [s for s in kept if not s.startswith(("```", "~~~"))]
    assert strip_code([text, None]) == [prose, None]


def test_code_is_kept_unless_told() -> None:
    text = pl.Series(["```\nx\n```\nYes"])
    assert pl.select(split_sentences(pl.lit(text))).item().to_list() == ["```\nx\n```", "Yes"]
    assert sentence_spans(text)["sentence"].to_list() == ["```\nx\n```", "Yes"]


@given(st.lists(st.sampled_from(["It is so.", "- no stop", "```\nCODE. CODE\n```"]), max_size=8))
def test_code_is_left_out_wherever_it_stands(blocks: list[str]) -> None:
    text = "\n".join(blocks)
    prose = [block for block in blocks if "CODE" not in block]
    assert split(text) == blocks
    assert split(text, "skip") == prose
    assert split((strip_code([text])[0]) or "") == prose


def prose_by_hand(text: str) -> str:
    """Leave out fenced blocks and white space, line by line."""
    prose, fence = "", None
    for line in text.split("\n"):
        mark, info = line.lstrip(" \t")[:3], line.lstrip(" \t").lstrip("`")
        if fence:
            fence = None if mark == fence else fence
        elif mark == "~~~" or (mark == "```" and "`" not in info):
            fence = mark
        else:
            prose += line
    return without_space(prose)


LINES = st.sampled_from(
    (
        *("```", "```py", "  ```", "````", "```x``` y", "``` a. B", "it ``` is", "`a. B", "> ```"),
        *("~~~", "\t~~~ a", "~~~~", "It is. ~~~ So", "So. ~~~", "So. ```", "- ```", "x"),
        *("It is so.", "- one", "# Two", "", "  ", "\u00a0", '"Yes."', "a ` b", "\U0001f600"),
    )
)


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"]))
def test_fenced_blocks_are_found_line_by_line(lines: list[str], end: str) -> None:
    text = end.join(lines)
    prose = prose_by_hand(text)
    assert without_space("".join(split(text, "skip"))) == prose
    assert without_space(strip_code([text])[0] or "") == prose
    assert without_space("".join(split(text))) == without_space(text)


@given(texts.filter(lambda text: "```" not in text and "~~~" not in text))
def test_text_without_fences_has_no_code(text: str) -> None:
    assert split(text, "skip") == split(text)
    assert strip_code([text]) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "It works. ```pip x``` is bad. Go.",
        "It is ~5. ~~~ is a mark. Go.",
        "It is ~5. ~~~ is a mark\nthat wraps. Go.",
        "It works. ``` is a mark\nthat wraps. Go.",
    ],
)
def test_fence_marks_within_a_line_are_no_fenced_block(text: str) -> None:
    assert split(text, "skip") == split(text)
    assert strip_code([text]) == [text]


def test_inline_code_at_the_start_of_a_line_opens_no_block() -> None:
    text = "```pip x``` is bad. Go on."
    assert split(text) == ["```pip x``` is bad.", "Go on."]


# Where a reader would split, by hand

CASES = (
    # Abbreviations
    "Use a cache, e.g. Redis.¦ It helps a lot.",
    "The rest, i.e. the logs, is kept.¦ Fine.",
    "Ask Dr. Smith or Mrs. Jones.¦ They know.",
    "See Fig. 3 and Sec. 2 for more.¦ Then stop.",
    "It costs approx. 5 dollars.¦ Pay now.",
    "Pack food, water, etc. before you go.",
    "Pack food, water, etc.¦ Then go.",
    "We met at 5 p.m. and left.¦ It was late.",
    "The U.S. economy grew.¦ So what?",
    "Acme Inc. announced it on Jan. 5 with J. R. Smith.",
    "It is cats vs. dogs.¦ Who won?",
    "No. 5 is alive.¦ No.¦ That is wrong.",
    "Wait 5 min. then try.¦ It takes max. 3 approx. in all.",
    # Numbers, versions, names of files, addresses
    "Pi is 3.14159, or 3.14.¦ Remember it.",
    "Upgrade to v2.4.1.¦ Then restart.",
    "Open main.py and config.d/app.toml.¦ Edit them.",
    "Read https://example.com/a.b?c=d!e.¦ It explains all.",
    "Write to ops@example.com.¦ Call 10.0.0.1 first.",
    "It broke.I fixed it.¦ Good.",
    # Ends
    "Really?!¦ Yes!!¦ Good",
    "it broke.¦ i fixed it.¦ and then",
    "Wait... what happened?¦ I see...¦ Then it went on.",
    "Well … 5 items remain.¦ Hm …¦ Good.",
    "He said . . . nothing.¦ Fine.",
    "هل تعمل؟¦ نعم.",
    # Quotations and brackets
    'He said "Stop."¦ Then he left.',
    '"Is it done?" he asked.¦ "Yes!"',
    '"Run.¦ Hide.¦ Wait."¦ That was it.',
    "(It works.)¦ Next step.",
    "It failed (see the log.) and stopped.¦ Bye.",
    "He wrote “Good.”¦ She read ‘Bad.’¦ They left.",
    "**Done.**¦ _Next._¦ *Last.*",
    # Emoji and CJK
    "It works! 🎉¦ Ship it 🚀 now.¦ Good ❤️.¦ Bye.",
    "好的。¦我来了！¦你呢？¦好",
    "これは犬です。¦ あれは猫です。¦",
    "完成。¦API 正常！」¦好",
    # Blank lines and wrapped lines
    "No stop here¦\n\nNext one¦\r\n\r\n\r\nThird",
    "This line is\nwrapped here.¦ Next.¦\nLast",
    "One line\r\nwraps.¦\r\nTwo.¦\r\n\r\nThree",
    # Blocks
    "# The title¦\nThe text.¦ More.",
    "- one¦\n- two¦\n* three¦\n• four",
    "Steps:¦\n1. Open it.¦ Close it.¦\n2. Done.¦\n10) Last",
    "- first\n  goes on¦\n- second",
    "- [ ] Write tests¦\n- [x] Ship it",
    "> one¦\n> two",
    "| a | b |¦\n|--|--|¦\n| 1.5 | 2 |",
    "It runs.¦\n```py\na. B\n\nC?\n```¦\nIt ends.",
    "It runs.¦\n```py\na. B\n\nC?",
    "Run `a.b. C? D` now.¦ Done with `x.`.¦ Bye.",
)
"""Texts with a broken bar where a sentence ends."""

KNOWN_FAULTS = (
    ("Title¦\n=====¦\nBody text.", "an underline runs on into the line below"),
    ("| a. A | b |¦\n| 1. B | 2 |", "a row of a table is split at a stop in a cell"),
    ("Status: ok¦\nCode: 200", "lines of keys and values are taken for wrapped ones"),
    ("It failed (see the log. It is long) twice.¦ Bye.", "a bracket within a sentence is split"),
    ("「はい。」と言った。¦次です。", "a quotation that goes on is split"),
    ("It is known.[3]¦ More later.", "a citation mark hides the stop before it"),
    ("It failed. :(¦ Try again.", "an emoticon goes with the sentence after it"),
    ("It runs<br>¦It ends", "a break in HTML is no end"),
    ("สวัสดี¦\nลาก่อน", "lines of a script without stops are taken for wrapped ones"),
    ("````\n```\na. B\n```\nC. D\n````¦\nIt ends.", "a shorter fence closes a longer one"),
)
"""Texts that are not split yet as the conventions ask, and what goes wrong."""


@pytest.mark.parametrize(
    "marked",
    [
        *CASES,
        *(
            pytest.param(text, marks=pytest.mark.xfail(strict=True, reason=fault))
            for text, fault in KNOWN_FAULTS
        ),
    ],
)
def test_text_is_split_as_a_reader_would(marked: str) -> None:
    expected = [part.strip(WHITE_SPACE) for part in marked.split("¦")]
    assert split(marked.replace("¦", "")) == [sentence for sentence in expected if sentence]


def test_gold_set_is_split_at_least_as_well_as_before(shared: Path) -> None:
    lines = (shared / "sentences/sentences_gold.jsonl").read_text().splitlines()
    cases = [json.loads(line) for line in lines]
    found = split_all([case["text"] for case in cases])
    wrong = [
        case["id"]
        for case, sentences in zip(cases, found, strict=True)
        if sentences != case["sentences"]
    ]
    assert len(cases) == 150
    assert len(cases) - len(wrong) >= 138, f"split in another way: {wrong}"


# Time

ADVERSARIAL = (
    *("a", ".", ". ", ".\t", "a.", "A. ", "e.g. ", "1. ", "3.", "? ", '."', ".)", "…", "… a", '"'),
    *("`", "`a ", "```\n", "\n ```x", "\n~~~\n", "```a", "\n", "\r\n", "\n\n", " ", "\n  ", "- "),
    *("- \n", "#", "|", "> ", "[", "*", "。", "。」", "😀", ". 😀", "\u3000", "No. 1 ", "(a. B) "),
)


def seconds(text: str) -> float:
    """Measure what a text takes to be split, at best, by the processor's time for this process."""
    best = float("inf")
    frame = pl.DataFrame({"text": [text]})
    for _ in range(4):
        start = process_time()
        frame.select(split_sentences(pl.col("text")))
        best = min(best, process_time() - start)
    return best


@pytest.mark.parametrize("unit", ADVERSARIAL)
def test_time_grows_with_the_text_and_not_with_its_square(unit: str) -> None:
    # Four times the text: four times as long if linear, sixteen times if quadratic.
    text = unit * (60_000 // len(unit))
    assert seconds(text * 4) < 10 * seconds(text)
