"""Domain kinds: the effects of clocks, languages and measuring tools on well-formed values."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.pollution.drafts import Draft, Line
from tests.pollution.kinds import PDH, Everywhere, Register
from tests.pollution.sheets import STEP_S

kind = Register(PDH)
HOUR = 3600
WITH_DATES = (*PDH, "login-vsi-logon", "login-vsi-appstart")


@kind("the header states neither a time zone nor an offset (bias)")
def bias_missing(draft: Draft) -> None:
    draft.header.cells[0] = "(PDH-CSV 4.0)"
    draft.offset = None
    draft.tell = True


@kind("the offset (bias) in the header is truncated, as in some language versions of Windows")
def bias_cut(draft: Draft) -> None:
    draft.header.cells[0] = "(PDH-CSV 4.0) (RTZ 2 ("
    draft.offset = None
    draft.tell = True


@kind("an impossible offset (bias) in the header")
def bias_impossible(draft: Draft) -> None:
    draft.header.cells[0] = "(PDH-CSV 4.0) (UTC)(9999)"
    draft.offset = None
    draft.tell = True


@kind("the clock is set back by ten minutes")
def clock_back(draft: Draft) -> None:
    _shift(draft, -600)
    draft.tell_row = draft.row


@kind("the clock is set back by a day")
def clock_back_a_day(draft: Draft) -> None:
    _shift(draft, -86_400)
    draft.tell_row = draft.row


@kind("a second file, with a different offset (bias), is appended to the first")
def joined_other_bias(draft: Draft) -> None:
    _shift(draft, -HOUR)
    for row in draft.rows[draft.rows.index(draft.row) :]:
        draft.times[row] = draft.sheet.moment(row)
    _, *names = draft.header.cells
    draft.insert(draft.place(), draft.rendered(Line(None, ["(PDH-CSV 4.0) (GMT Standard Time)(120)", *names])))


@kind("the hour that is repeated at the end of summer time")
def dst_doubled_hour(draft: Draft) -> None:
    _shift(draft, -HOUR)
    for row in draft.rows[draft.rows.index(draft.row) :]:
        # The file's clock went back by an hour, the real one did not.
        draft.times[row] = draft.sheet.moment(row)
    draft.tell_row = draft.row


@kind("the hour that is skipped at the start of summer time", ("perfmon", "resaved"))
def dst_gap(draft: Draft) -> None:
    begin = int(datetime(2016, 3, 27, 1, tzinfo=UTC).timestamp())  # London: 01:00 becomes 02:00
    for row, line in enumerate(draft.row_lines):
        moment = begin + STEP_S * (row - draft.row) + (HOUR if row >= draft.row else 0)
        draft.times[row] = moment
        line.cells[0] = draft.sheet.stamp(moment)
    draft.tell_row = draft.row


@kind("a rate below zero")
def negative_rate(draft: Draft) -> None:
    draft.set_cell("-5.5", column=0)


@kind("the value -1, which means no limit, in a counter that is not a rate", ("esxtop",))
def sentinel(draft: Draft) -> None:
    draft.target.cells[5] = "-1"
    draft.right[draft.row, 4] = -1.0


@kind("a cell with the text 1.#INF, which Windows writes for infinity", Everywhere)
def windows_infinity(draft: Draft) -> None:
    draft.set_cell("1.#INF")


@kind("a cell with the text -1.#IND, which Windows writes for an undefined number", Everywhere)
def windows_nan(draft: Draft) -> None:
    draft.set_cell("-1.#IND")


@kind("a cell with the text nan (not a number)", Everywhere)
def nan(draft: Draft) -> None:
    draft.set_cell("nan")


@kind("a cell with the text inf (infinity)", Everywhere)
def infinity(draft: Draft) -> None:
    draft.set_cell("inf")


@kind("a cell with 1e999, a number that is too large", Everywhere)
def beyond_all_numbers(draft: Draft) -> None:
    draft.set_cell("1e999")


@kind("a cell with the word true", Everywhere)
def a_flag(draft: Draft) -> None:
    draft.set_cell("true")


@kind("a cell with the text n/a", Everywhere)
def a_word(draft: Draft) -> None:
    draft.set_cell("n/a")


@kind("a cell with the hexadecimal number 0x1A2B", Everywhere)
def hexadecimal(draft: Draft) -> None:
    draft.set_cell("0x1A2B")


@kind("a number with underscores between the digits", Everywhere)
def underscores(draft: Draft) -> None:
    draft.set_cell("1_000")


@kind("a number with digits from another script", Everywhere)
def other_digits(draft: Draft) -> None:
    draft.set_cell("٣٤٥")


@kind("a number with its unit", Everywhere)
def unit_in_cell(draft: Draft) -> None:
    text = draft.target.cells[draft.column + 1] + " ms"
    # A mapped column of milliseconds is read as milliseconds.
    if draft.sheet.name == "generic-csv":
        draft.target.cells[draft.column + 1] = text
    else:
        draft.set_cell(text)


@kind("a number with a percent sign", Everywhere)
def percent_in_cell(draft: Draft) -> None:
    draft.set_cell(draft.target.cells[draft.column + 1] + "%")


@kind("a blank as the thousands separator in a number", Everywhere)
def blank_thousands(draft: Draft) -> None:
    text = draft.target.cells[draft.column + 1]
    draft.target.cells[draft.column + 1] = _parted(text, "\xa0")


@kind("a quoted cell with a comma as the thousands separator", Everywhere)
def thousands_separator(draft: Draft) -> None:
    text = draft.target.cells[draft.column + 1]
    _quote(draft, _parted(text, ","))


@kind("a quoted cell with a decimal comma", Everywhere)
def decimal_comma_cell(draft: Draft) -> None:
    _quote(draft, draft.target.cells[draft.column + 1].replace(".", ","))


@kind("a comma that may be a thousands separator or a decimal mark", Everywhere)
def ambiguous_comma(draft: Draft) -> None:
    _quote(draft, "3,002")
    # Every other cell has two decimals after a point, so the point is the decimal mark.
    draft.right[draft.row, draft.column] = 3002.0


@kind(
    "semicolons and decimal commas, as saved with some language settings",
    (*PDH, "login-vsi-logon", "login-vsi-appstart"),
)
def decimal_commas(draft: Draft) -> None:
    draft.delimiter = ";"
    for line in draft.row_lines:
        line.cells[1:] = [cell.replace(".", ",") for cell in line.cells[1:]]


@kind("semicolons, decimal commas, and points as thousands separators", (*PDH, "login-vsi-logon", "login-vsi-appstart"))
def decimal_commas_and_points(draft: Draft) -> None:
    decimal_commas(draft)
    for line in draft.row_lines:
        line.cells[1:] = [f"{cell[:-6]}.{cell[-6:]}" if "," in cell else cell for cell in line.cells[1:]]


@kind("numbers with exponents")
def exponents(draft: Draft) -> None:
    for line in draft.row_lines:
        line.cells[1:] = [f"{float(cell):.10e}" for cell in line.cells[1:]]


@kind("a blank first sample, as is usual for rates")
def blank_first_sample(draft: Draft) -> None:
    first = draft.row_lines[0]
    first.cells[1:] = [" "] * draft.sheet.columns
    draft.blank |= {(0, c) for c in range(draft.sheet.columns)}


@kind("a blank cell", Everywhere)
def blank_cell(draft: Draft) -> None:
    draft.target.cells[draft.column + 1] = ""
    draft.blank.add((draft.row, draft.column))


@kind("dates with the day first in the whole file", WITH_DATES)
def day_first(draft: Draft) -> None:
    for line in draft.row_lines:
        line.cells[0] = line.cells[0].replace("05/24/", "24/05/")
    draft.tell = True


@kind("a date with the day first in one row", WITH_DATES)
def day_first_row(draft: Draft) -> None:
    draft.target.cells[0] = draft.target.cells[0].replace("05/24/", "24/05/")


@kind("dates with the year first (YYYY-MM-DD)", WITH_DATES)
def year_first(draft: Draft) -> None:
    for line in draft.row_lines:
        line.cells[0] = line.cells[0].replace("05/24/2016", "2016-05-24")


@kind("times with AM and PM", WITH_DATES)
def half_days(draft: Draft) -> None:
    for line in draft.row_lines:
        line.cells[0] = line.cells[0].removesuffix(".000") + " AM"


@kind("times without seconds", (*PDH, "generic-csv"))
def seconds_lost(draft: Draft) -> None:
    for row, line in enumerate(draft.row_lines):
        line.cells[0] = line.cells[0][:16]
        draft.times[row] = draft.sheet.moment(row) // 60 * 60
    draft.tell = True


@kind("two rows with the same time", (*PDH, "generic-csv"))
def duplicate_stamp(draft: Draft) -> None:
    other = draft.sheet.moment(draft.row - 1)
    draft.set_stamp(draft.sheet.stamp(other), other)
    draft.tell_row = draft.row


@kind("one timestamp without milliseconds", ("perfmon", "resaved"))
def ragged_milliseconds(draft: Draft) -> None:
    draft.target.cells[0] = draft.target.cells[0].removesuffix(".000")


@kind("a time in the year 1601")
def year_1601(draft: Draft) -> None:
    draft.set_stamp(draft.target.cells[0].replace("2016", "1601"), None)


@kind("a time in the year 9999")
def year_9999(draft: Draft) -> None:
    draft.set_stamp(draft.target.cells[0].replace("2016", "9999"), None)


@kind("a date with the month 13", Everywhere)
def month_13(draft: Draft) -> None:
    stamp = draft.target.cells[0]
    draft.set_stamp(stamp.replace("05/24", "13/32").replace("05-24", "13-32"), None)


@kind("the date 30 February", Everywhere)
def february_30(draft: Draft) -> None:
    stamp = draft.target.cells[0]
    draft.set_stamp(stamp.replace("05/24", "02/30").replace("05-24", "02-30"), None)


@kind("a time with the hour 25", Everywhere)
def hour_25(draft: Draft) -> None:
    draft.set_stamp(draft.target.cells[0].replace(" 09:", " 25:"), None)


@kind("a row without a time", Everywhere)
def blank_stamp(draft: Draft) -> None:
    draft.set_stamp("", None)


def _shift(draft: Draft, seconds: int) -> None:
    for row in draft.rows[draft.rows.index(draft.row) :]:
        moment = draft.sheet.moment(row) + seconds
        draft.set_stamp(draft.sheet.stamp(moment), moment, row)


def _parted(text: str, mark: str) -> str:
    whole, point, rest = text.partition(".")
    return f"{whole[:-3]}{mark}{whole[-3:]}{point}{rest}"


def _quote(draft: Draft, text: str) -> None:
    line = draft.target
    mark = '"' if draft.quoted else ""
    cells = [f"{mark}{cell}{mark}" for cell in line.cells]
    cells[draft.column + 1] = f'"{text}"'
    line.text = draft.delimiter.join(cells)


KINDS = tuple(kind.kinds)
