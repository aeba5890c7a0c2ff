"""Structural kinds: the effects of editors, spreadsheets, full disks and copying on the text of a table."""

from __future__ import annotations

from tests.pollution.drafts import Draft, Line
from tests.pollution.kinds import PDH, Everywhere, Register

kind = Register(Everywhere)
QUOTED = ("perfmon", "esxtop")
BARE = tuple(name for name in Everywhere if name not in QUOTED)
LONG = "9" * 200_000


@kind("a header cell without its closing quote")
def bad_quote_in_header(draft: Draft) -> None:
    cells = [f'"{cell}"' for cell in draft.header.cells] if draft.quoted else list(draft.header.cells)
    place = draft.column + 1
    cells[place] = '"' + draft.header.cells[place]
    draft.header.text = draft.delimiter.join(cells)


@kind("a cell without its closing quote")
def bad_quote_in_cell(draft: Draft) -> None:
    line = draft.target
    cells = [f'"{cell}"' for cell in line.cells] if draft.quoted else list(line.cells)
    cells[draft.column + 1] = '"' + line.cells[draft.column + 1]
    line.text = draft.delimiter.join(cells)


@kind("a quote in the middle of a number")
def quote_inside_cell(draft: Draft) -> None:
    text = draft.target.cells[draft.column + 1]
    draft.target.cells[draft.column + 1] = text[:2] + '"' + text[2:]


@kind("a quoted cell that contains a line end")
def line_break_in_cell(draft: Draft) -> None:
    text = draft.delimiter.join(f'"{cell}"' for cell in draft.target.cells)
    draft.target.text = text[:-4]
    draft.lost.add((draft.row, draft.sheet.columns - 1))
    draft.insert(draft.place() + 1, text[-4:])


@kind("cells in single quotes")
def single_quotes(draft: Draft) -> None:
    draft.target.text = draft.delimiter.join(f"'{cell}'" for cell in draft.target.cells)


@kind("semicolons instead of commas")
def semicolons(draft: Draft) -> None:
    draft.delimiter = ";"


@kind("tabs instead of commas")
def tabs(draft: Draft) -> None:
    draft.delimiter = "\t"


@kind("one row with semicolons")
def mixed_delimiters(draft: Draft) -> None:
    line = draft.target
    mark = '"' if draft.quoted else ""
    line.text = ";".join(f"{mark}{cell}{mark}" for cell in line.cells)


@kind("a header with semicolons above rows with commas")
def header_delimiter(draft: Draft) -> None:
    mark = '"' if draft.quoted else ""
    draft.header.text = ";".join(f"{mark}{cell}{mark}" for cell in draft.header.cells)


@kind("only carriage returns as line ends")
def cr_only(draft: Draft) -> None:
    draft.end = "\r"


@kind("only line feeds as line ends")
def lf_only(draft: Draft) -> None:
    draft.end = "\n"


@kind("a different line end in every second line")
def mixed_line_ends(draft: Draft) -> None:
    for line in draft.lines[::2]:
        line.end = "\n"


@kind("a single carriage return among line feeds")
def one_cr(draft: Draft) -> None:
    draft.end = "\n"
    draft.target.end = "\r"
    if draft.sheet.name in PDH:  # These read it as an ordinary letter, so two rows are on one line.
        _glue(draft, "\r")


@kind("one cell too many in a row")
def extra_cell(draft: Draft) -> None:
    draft.target.cells.insert(draft.column + 1, "7")
    draft.lost |= {(draft.row, c) for c in range(draft.column, draft.sheet.columns)}


@kind("one cell too few in a row")
def missing_cell(draft: Draft) -> None:
    del draft.target.cells[draft.column + 1]
    draft.lost |= {(draft.row, c) for c in range(draft.column, draft.sheet.columns)}


@kind("the last row has too few cells")
def short_last_row(draft: Draft) -> None:
    line = draft.row_lines[-1]
    line.cells.pop()
    draft.lost.add((draft.rows[-1], draft.sheet.columns - 1))


@kind("every row has one more cell than the header")
def narrow_header(draft: Draft) -> None:
    del draft.header.cells[draft.column + 1]
    del draft.names[draft.column], draft.columns[draft.column]


@kind("the header has one more cell than each row")
def wide_header(draft: Draft) -> None:
    name = draft.sheet.names[0].replace("Reads", "Idles").replace("User", "Client") + " x"
    draft.header.cells.insert(draft.column + 1, name)
    draft.tell = True


@kind("blank lines between the rows")
def blank_lines(draft: Draft) -> None:
    for place in (9, draft.place(), 1):
        draft.insert(place, "")


@kind("blank lines after the last row")
def blank_end(draft: Draft) -> None:
    draft.insert(len(draft.lines), "", "  ", "")


@kind("a line that consists only of delimiters")
def only_delimiters(draft: Draft) -> None:
    draft.insert(draft.place(), draft.delimiter * draft.sheet.columns)


@kind("lines before the header")
def preamble(draft: Draft) -> None:
    draft.before = ["Results of the lab", "Run 3; second attempt", ""]


@kind("a line with totals after the last row")
def footer(draft: Draft) -> None:
    draft.insert(len(draft.lines), draft.delimiter.join(["Average", *["5"] * draft.sheet.columns]))


@kind("a sentence after the last row")
def closing_words(draft: Draft) -> None:
    draft.insert(len(draft.lines), "The command completed successfully.")


@kind("a comment line between the rows")
def comment_line(draft: Draft) -> None:
    draft.insert(draft.place(), "# host rebooted here")


@kind("a line of units below the header")
def unit_line(draft: Draft) -> None:
    draft.insert(0, draft.delimiter.join(["(s)", *["(1/s)"] * draft.sheet.columns]))


@kind("the header is repeated between the rows")
def repeated_header(draft: Draft) -> None:
    draft.insert(draft.place(), draft.rendered(draft.header))


@kind("a second file, with a different column order, is appended to the first")
def joined_files(draft: Draft) -> None:
    place = draft.place()
    for line in draft.lines[place:]:
        line.cells[1:] = reversed(line.cells[1:])
    corner, *names = draft.header.cells
    draft.insert(place, draft.rendered(Line(None, [corner, *reversed(names)])))


@kind("a column that occurs twice")
def duplicate_column(draft: Draft) -> None:
    place = draft.column + 1
    for line in (draft.header, *draft.row_lines):
        line.cells.insert(place, line.cells[place])
    draft.names.insert(draft.column, draft.names[draft.column])
    draft.columns.insert(draft.column, draft.column)
    draft.tell = True


@kind("the last name in the header is blank")
def blank_name(draft: Draft) -> None:
    draft.header.cells[-1] = draft.names[-1] = ""
    draft.tell = True


@kind("the file ends after a delimiter in a row")
def cut_between_cells(draft: Draft) -> None:
    text = draft.rendered(draft.target)
    draft.cut_behind(text[: text.rindex(draft.delimiter) + 1])
    draft.lost.add((draft.row, draft.sheet.columns - 1))


@kind("the file ends within a number")
def cut_in_cell(draft: Draft) -> None:
    text = draft.rendered(draft.target).rstrip('"')[:-1]
    draft.cut_behind(text)
    last = (draft.row, draft.sheet.columns - 1)
    draft.lost.add(last)
    # A cut number looks like a short one: it may stay if a problem names the line.
    draft.told[last] = float(text[text.rindex(draft.delimiter) + 1 :].strip('"'))


@kind("the file ends within a quoted cell")
def cut_in_quote(draft: Draft) -> None:
    line = draft.target
    text = draft.delimiter.join(f'"{cell}"' for cell in line.cells)
    draft.cut_behind(text[:-2])
    draft.lost.add((draft.row, draft.sheet.columns - 1))


@kind("the file ends within a timestamp")
def cut_in_stamp(draft: Draft) -> None:
    draft.cut_behind(draft.rendered(draft.target)[:14])


@kind("the last line has no line end")
def no_final_end(draft: Draft) -> None:
    draft.final_end = False


@kind("NUL bytes after the last row")
def nul_tail(draft: Draft) -> None:
    draft.insert(len(draft.lines), "\0" * 4096)
    draft.final_end = False


@kind("a truncated row, followed by NUL bytes")
def nul_after_cut(draft: Draft) -> None:
    text = draft.rendered(draft.target)
    draft.cut_behind(text[: text.rindex(draft.delimiter) + 3] + "\0" * 512)
    draft.lost.add((draft.row, draft.sheet.columns - 1))


@kind("a NUL byte in a number")
def nul_in_cell(draft: Draft) -> None:
    text = draft.target.cells[draft.column + 1]
    draft.set_cell(text[:2] + "\0" + text[3:])


@kind("a row that consists of NUL bytes")
def nul_line(draft: Draft) -> None:
    draft.insert(draft.place(), "\0" * 40)


@kind("binary data after the last row")
def binary_tail(draft: Draft) -> None:
    draft.after.append(lambda data: data + bytes([0x1B, 0x8F, 0xFF, 0, 0xFE, 0x07, 0x81]) * 40)
    draft.junk += 1


@kind("a Ctrl-Z character after the last row")
def ctrl_z(draft: Draft) -> None:
    draft.insert(len(draft.lines), "\x1a")
    draft.final_end = False


@kind("a byte order mark")
def utf8_mark(draft: Draft) -> None:
    draft.encoding = "utf-8-sig"


@kind("UTF-16 with a byte order mark")
def utf16_mark(draft: Draft) -> None:
    draft.encoding = "utf-16"


@kind("UTF-16 without a byte order mark")
def utf16_bare(draft: Draft) -> None:
    draft.encoding = "utf-16-le"


@kind("a UTF-16 file that ends within a character")
def utf16_cut(draft: Draft) -> None:
    draft.encoding = "utf-16"
    draft.cut_behind()
    draft.after.append(lambda data: data[:-1])
    draft.lost.add((draft.row, draft.sheet.columns - 1))
    draft.told[draft.row, draft.sheet.columns - 1] = float(draft.target.cells[-1][:-1])


@kind("a byte order mark in the middle of the file, as in joined files")
def inner_mark(draft: Draft) -> None:
    draft.target.text = "\ufeff" + draft.rendered(draft.target)


@kind("a UTF-16 row in a UTF-8 file")
def utf16_row(draft: Draft) -> None:
    draft.target.text = "@@"
    row = Line(None, draft.target.cells)
    wide = draft.rendered(row).encode("utf-16-le")
    draft.after.append(lambda data: data.replace(b"@@", wide))


@kind("a cell with characters of two code pages")
def mixed_encodings(draft: Draft) -> None:
    draft.set_cell("@@")
    draft.after.append(lambda data: data.replace(b"@@", "ünd é".encode() + "ünd é".encode("cp1252")))


@kind("a delimiter at the end of every line")
def trailing_delimiters(draft: Draft) -> None:
    for line in (draft.header, *draft.row_lines):
        line.text = draft.rendered(line) + draft.delimiter


@kind("a delimiter at the end of only the header")
def header_trailing_delimiter(draft: Draft) -> None:
    draft.header.text = draft.rendered(draft.header) + draft.delimiter


@kind("a delimiter at the end of one row")
def row_trailing_delimiter(draft: Draft) -> None:
    draft.target.text = draft.rendered(draft.target) + draft.delimiter


@kind("blanks around every cell")
def blanks_around_cells(draft: Draft) -> None:
    for line in draft.row_lines:
        line.text = f" {draft.delimiter} ".join(draft.rendered(Line(None, [cell])) for cell in line.cells)


@kind("blanks before one row")
def leading_blanks(draft: Draft) -> None:
    draft.target.text = "   " + draft.rendered(draft.target)


@kind("a cell of 200,000 digits")
def very_long_cell(draft: Draft) -> None:
    draft.set_cell(LONG)


@kind("a row of 200,000 letters")
def very_long_line(draft: Draft) -> None:
    draft.insert(draft.place(), "x" * 200_000)


@kind("two rows are on one line")
def glued_rows(draft: Draft) -> None:
    _glue(draft, "")


@kind("one row is split across two lines")
def broken_row(draft: Draft) -> None:
    text = draft.rendered(draft.target)
    cut = text.rindex(draft.delimiter)
    draft.target.text = text[:cut]
    draft.lost.add((draft.row, draft.sheet.columns - 1))
    draft.insert(draft.place() + 1, text[cut + 1 :])


@kind("an empty file")
def empty_file(draft: Draft) -> None:
    draft.lines.clear()
    draft.after.append(lambda _: b"")


@kind("a header without rows")
def header_only(draft: Draft) -> None:
    draft.lines.clear()


@kind("rows without a header")
def no_header(draft: Draft) -> None:
    draft.after.append(lambda data: data.split(b"\n", 1)[1])
    draft.before = []


@kind("a row in which every cell is damaged")
def garbage_row(draft: Draft) -> None:
    draft.target.cells = ["?"] * len(draft.target.cells)
    draft.lost |= {(draft.row, c) for c in range(draft.sheet.columns)}
    draft.times[draft.row] = None


def _glue(draft: Draft, between: str) -> None:
    """Joins the target and the next row in one line: one row is counted, and the second one may not be read."""
    line = draft.target
    other = draft.lines.pop(draft.place() + 1)
    line.text = draft.rendered(line) + between + draft.rendered(other)
    line.end = None


KINDS = tuple(kind.kinds)
