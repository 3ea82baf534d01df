"""What a scorer is, and the three ways to run one: over pairs, over a frame, over one pair.

A scorer turns pairs (response, reference) into score columns, row by row. Everything that all
scorers share stands here once: lists of references, unscored rows, checks of what a scorer gives.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Protocol,
    Self,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
import numpy as np
import polars as pl
import polars.selectors as cs

UNSCORED = (
    "response_null",
    "response_blank",
    "reference_null",
    "reference_blank",
    "no_sentences",
    "cell_too_large",
    "response_not_utf8",
    "reference_not_utf8",
)
"""Every reason why a run can be without a score."""

BANDS = {"perfect": 1.0, "strong": 0.7, "moderate": 0.4, "poor": 0.1, "none": 0.0}
"""Bands of a score before scaling, by their lower bounds; each ends where the one above begins."""

REFERENCE_INDEX = "reference_index"
_MOST_FLOAT = 1e5
_MOST_INT = 10**9


Positive = Annotated[float, msgspec.Meta(gt=0, le=1000)]
"""The type of an option that is a number above 0, at most 1,000."""


class ScorerError(ValueError):
    """A scorer was asked for something that it cannot do, or gave columns that it must not give."""


@dataclass(frozen=True)
class Flag:
    """A yes or no about each scored row, whose share the summary shows as the mean of 0 and 1.

    Attributes:
        condition: a boolean expression over the scorer's own fields, without the prefix.
        warn_above: a share of the scored rows above which the job warns; None for never.
        warning: what the warning says after the share.
    """

    condition: pl.Expr
    warn_above: float | None = None
    warning: str = ""


class Scorer(Protocol):
    """A scorer: a frozen dataclass whose fields are its options. Subclass it explicitly.

    Attributes:
        name: registry key and default prefix of its columns.
        fields: its columns without the prefix; has ``score`` (Float64) and ``unscored`` (String),
            and ``band`` (String) if its scores fall into bands.
        version: raised by one whenever the same options begin to give other numbers.
        flags: shares that the summary shows beside the fields.
    """

    name: ClassVar[str]
    fields: ClassVar[pl.Schema]
    version: ClassVar[int] = 1
    flags: ClassVar[Mapping[str, Flag]] = {}

    def __post_init__(self) -> None:
        """Check every option against its declared type, and give it that type (1 to 1.0).

        Raises:
            ScorerError: an option has a value that its type does not allow.
        """
        hints = get_type_hints(type(self), include_extras=True)
        for option in _options(self):
            value = getattr(self, option.name)
            try:
                object.__setattr__(self, option.name, msgspec.convert(value, hints[option.name]))
            except msgspec.ValidationError as error:
                what = _choices(hints[option.name]) or str(error)
                message = f"{self.name}: option {option.name} is {value!r}; {what}; change it"
                raise ScorerError(message) from None

    @property
    def needs_reference(self) -> bool:
        """Whether the scorer reads ``reference``: without one it is off."""
        return True

    @property
    def versions(self) -> dict[str, str]:
        """What else produced the numbers: packages and tables, by name."""
        return {"version": str(self.version)}

    @property
    def signature(self) -> str:
        """What produced a score: ``name|option:value|...|package:version``, options sorted.

        The text of an option that came from a file stands there as the first 12 hex digits of its
        SHA-256. Format after sacrebleu (Post 2018, https://aclanthology.org/W18-6319).
        """
        options = sorted(_options(self), key=lambda option: option.name)
        shown = {o.name: _option_text(o, getattr(self, o.name)) for o in options} | self.versions
        return "|".join([self.name, *(f"{key}:{value}" for key, value in shown.items())])

    def resolve(self, *, has_reference: bool) -> Self:  # noqa: ARG002 - for scorers that choose
        """Return the scorer as one job runs it: choices that depend on the job's columns, made."""
        return self

    def sentences(self, responses: pl.Series) -> pl.DataFrame | None:  # noqa: ARG002 - as above
        """List the sentences that the scores of n responses rest on; None for a scorer without.

        Returns:
            One row per sentence, in order: ``row`` (of the response), ``sentence_index``,
            ``start`` and ``end`` (characters, end exclusive), ``sentence``, and its sentiment.
        """
        return None

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Score n pairs (String ``response``; String ``reference`` if needed) in n rows of fields.

        ``unscored`` is null for a scored row, else one of ``UNSCORED``; what the other fields hold
        in an unscored row does not matter, they become null.
        """
        ...


@dataclass(frozen=True)
class ScoreResult:
    """The score of one pair.

    Attributes:
        score: None if the pair could not be scored.
        unscored: None, or the reason why there is no score.
        fields: all fields of the scorer, by their names without the prefix.
    """

    score: float | None
    unscored: str | None
    fields: dict[str, object]


def band(score: pl.Expr) -> pl.Expr:
    """Give the band of a score before scaling (see ``BANDS``); null stays null.

    Example:
        >>> pl.select(band(pl.lit(0.7))).item()
        'strong'
    """
    return pl.coalesce(pl.when(score >= bound).then(pl.lit(name)) for name, bound in BANDS.items())


def divide(numerator: pl.Expr, divisor: float) -> pl.Expr:
    """Divide by a number so that a row's bits do not depend on its batch.

    polars multiplies a column by the reciprocal but divides a single row, which rounds otherwise
    in a third of the cases; numpy always divides.

    Example:
        >>> pl.select(divide(pl.lit(0.049), 0.07)).item() == 0.049 / 0.07
        True
    """
    return cast("pl.Expr", np.divide(cast("Any", numerator), divisor))


def is_blank(text: pl.Expr) -> pl.Expr:
    """Whether a text holds nothing but Unicode white space; null stays null."""
    return text.str.strip_chars().str.len_bytes() == 0


def score_columns(scorer: Scorer | type[Scorer]) -> pl.Schema:
    """Give all columns of a scorer without their prefix: its fields, then ``reference_index``."""
    return pl.Schema([*scorer.fields.items(), (REFERENCE_INDEX, pl.Int32())])


def score_pairs(scorer: Scorer, pairs: pl.DataFrame) -> pl.DataFrame:
    """Score n pairs: n rows of the scorer's columns, without the prefix, in the same order.

    A row's result depends on that row alone. Where ``reference`` is a list, the best score over
    the list counts, ties to the lowest index, which ``reference_index`` (else null) tells. Null
    references in a list are passed over; an empty list is a null reference.

    Args:
        scorer: a scorer as ``resolve`` gave it.
        pairs: String ``response`` and, if the scorer needs it, ``reference``: String or a list of
            them; all nullable. Optional String columns ``response_problem`` and
            ``reference_problem`` name why a text is null here though the log has one.

    Raises:
        ScorerError: the scorer gave other rows or columns than it declares, or NaN as a number.
    """
    if scorer.needs_reference and isinstance(pairs.schema["reference"], pl.List):
        scored = _best_of_references(scorer, pairs)
    else:
        scored = _score_checked(scorer, pairs).with_columns(
            pl.lit(None, pl.Int32).alias(REFERENCE_INDEX)
        )
    for side in ("response", "reference"):
        problem = f"{side}_problem"
        if problem in pairs.columns:
            scored = scored.with_columns(
                pl.when(pl.col("unscored") == f"{side}_null")
                .then(pl.coalesce(pairs[problem], "unscored"))
                .otherwise("unscored")
                .alias("unscored")
            )
    return scored


def score_frame(
    frame: pl.DataFrame,
    scorers: Iterable[Scorer] | Mapping[str, Scorer],
    *,
    response: str = "response",
    reference: str | None = None,
) -> pl.DataFrame:
    """Append the scorers' columns, ``<prefix>_<field>``, to a frame of n rows.

    Args:
        frame: has the response (String) and the reference (String or list of String) columns.
        scorers: scorers, or a mapping from prefix to scorer.
        response: name of the response's column.
        reference: name of the reference's column; None for none.

    Returns:
        n rows in the same order. A row that cannot be scored has null scores and a reason.

    Raises:
        ScorerError: a scorer needs a reference and none is given, or a column is there already.

    Example:
        >>> from tonelog.scorers import TextualDifferenceScorer
        >>> frame = pl.DataFrame({"response": ["It works."], "reference": ["It works!"]})
        >>> scored = score_frame(frame, [TextualDifferenceScorer()], reference="reference")
        >>> round(scored["textual_difference_score"].item(), 4)
        0.8889
    """
    if isinstance(scorers, Mapping):
        named = dict(scorers)
    else:
        scorers = list(scorers)
        named = {scorer.name: scorer for scorer in scorers}
        if len(named) < len(scorers):
            names = ", ".join(scorer.name for scorer in scorers)
            message = (
                f"scorers: {names}: two have one name; give a mapping from prefixes to scorers"
            )
            raise ScorerError(message)
    sides = {"response": response} | ({} if reference is None else {"reference": reference})
    for column in sides.values():
        if column not in frame.columns:
            message = f"frame: no column {column!r}; it has {frame.columns}; name another"
            raise ScorerError(message)
    pairs = frame.select(pl.col(column).alias(side) for side, column in sides.items())
    parts = [frame]
    for prefix, scorer in named.items():
        resolved = scorer.resolve(has_reference=reference is not None)
        if resolved.needs_reference and reference is None:
            message = f"{prefix}: no reference; this scorer compares with one; name its column"
            raise ScorerError(message)
        scored = score_pairs(resolved, pairs)
        parts.append(scored.rename({name: f"{prefix}_{name}" for name in scored.columns}))
    try:
        return pl.concat(parts, how="horizontal")
    except pl.exceptions.DuplicateError as error:
        message = f"frame: a score column is there already ({error}); rename it or use a prefix"
        raise ScorerError(message) from None


def score_one(
    scorer: Scorer, response: str | None, reference: str | list[str] | None = None
) -> ScoreResult:
    """Score one pair: a frame of one row, so the numbers are those of the batch.

    Example:
        >>> from tonelog.scorers import ToneScorer
        >>> score_one(ToneScorer(), "Great. Great. Great.").score
        1.0
    """
    dtype = pl.List(pl.String) if isinstance(reference, list) else pl.String
    pairs = pl.DataFrame(
        {"response": [response], "reference": [reference]},
        schema={"response": pl.String, "reference": dtype},
    )
    resolved = scorer.resolve(has_reference=reference is not None)
    fields = score_pairs(resolved, pairs).row(0, named=True)
    return ScoreResult(fields["score"], fields["unscored"], fields)


def _best_of_references(scorer: Scorer, pairs: pl.DataFrame) -> pl.DataFrame:
    """Score each row against each of its references and keep the best, one row per row."""
    # A null or empty list becomes [null], so that exploding loses no row.
    size = pl.col("reference").list.len()
    exploded = (
        pairs.select(
            pl.int_range(pl.len()).alias("row"),
            "response",
            pl.when(size > 0).then("reference").otherwise(pl.lit([None], pl.List(pl.String))),
        )
        .with_columns(pl.int_ranges(pl.col("reference").list.len()).alias(REFERENCE_INDEX))
        .explode("reference", REFERENCE_INDEX)
    )
    scored = _score_checked(scorer, exploded.select("response", "reference")).with_columns(
        exploded["row"],
        pl.when(pl.col("unscored").is_null())
        .then(exploded[REFERENCE_INDEX])
        .cast(pl.Int32)
        .alias(REFERENCE_INDEX),
    )
    # A null reference gives the reason only where there is no other.
    return (
        scored.with_columns(exploded["reference"].is_null().alias("no_text"))
        .with_row_index("position")
        .sort(
            "row",
            "score",
            "no_text",
            "position",
            descending=[False, True, False, False],
            nulls_last=True,
        )
        .unique("row", keep="first", maintain_order=True)
        .select(score_columns(scorer).names())
    )


def _score_checked(scorer: Scorer, pairs: pl.DataFrame) -> pl.DataFrame:
    """Run a scorer and hold it to what it declares; null every field of an unscored row."""
    columns = ["response", "reference"] if scorer.needs_reference else ["response"]
    scored = scorer.score(pairs.select(columns))
    if scored.schema != scorer.fields or scored.height != pairs.height:
        message = (
            f"{scorer.name}: gave {scored.height} rows of {dict(scored.schema)}; expected "
            f"{pairs.height} rows of {dict(scorer.fields)}; mend the scorer"
        )
        raise ScorerError(message)
    is_scored = pl.col("unscored").is_null()
    # Beyond these, a summary's exact sums (128 bits) could overflow within a billion runs.
    in_range = pl.all_horizontal(cs.float().abs() <= _MOST_FLOAT, cs.integer().abs() <= _MOST_INT)
    no_number = pl.col("score").is_null() | ~in_range.fill_null(value=True)
    wrong = scored.filter((is_scored & no_number) | ~pl.col("unscored").is_in(UNSCORED))
    if wrong.height:
        message = (
            f"{scorer.name}: gave {wrong.row(0, named=True)}; expected numbers (floats within "
            f"{_MOST_FLOAT:.0e}, integers within {_MOST_INT:.0e}) in a scored row "
            f"and one of {', '.join(UNSCORED)} in an unscored one; mend the scorer"
        )
        raise ScorerError(message)
    return scored.select(
        pl.col(name) if name == "unscored" else pl.when(is_scored).then(pl.col(name)).alias(name)
        for name in scorer.fields
    )


def _options(scorer: Scorer) -> tuple[dataclasses.Field[object], ...]:
    """Give the dataclass fields of a scorer."""
    return dataclasses.fields(cast("type", type(scorer)))


def _choices(hint: object) -> str:
    """Say what an option may be, if it is one of a few."""
    if get_origin(hint) is not Literal:
        return ""
    return f"expected one of {', '.join(map(str, get_args(hint)))}"


def _option_text(option: dataclasses.Field[object], value: object) -> str:
    if value is None:
        return "none"
    if option.metadata.get("file"):
        return hashlib.sha256(str(value).encode()).hexdigest()[:12]
    return str(value)
