"""tables.py - rows as pandas frames or lists of dicts, and what studies do with them: ratios, means, text.

The functions take either form and return the form that was asked for: frame=None is a frame if pandas can be
imported, frame=True demands pandas, and frame=False is a list of dicts everywhere.
"""
import math

from .errors import Error

MACHINE = ("gpu", "set")  # the columns that name a machine


def table(rows, frame=None):
    """A list of dicts as the form that was asked for."""
    rows = list(rows)
    if frame is False:
        return rows
    try:
        import pandas
    except ImportError:
        if frame:
            raise Error("frame=True needs pandas, which cannot be imported; on Debian and Ubuntu: "
                        "apt-get install python3-pandas") from None
        return rows
    return pandas.DataFrame(rows)


def records(rows):
    """A table of either form as a list of dicts; what a frame has as NaN is None again."""
    if not hasattr(rows, "to_dict"):
        return [dict(row) for row in rows]
    return [{name: None if isinstance(value, float) and math.isnan(value) else value for name, value in row.items()}
            for row in rows.to_dict("records")]


def _column(rows, name, why):
    if rows and not any(name in row for row in rows):
        raise Error("there is no column '%s' %s; the columns are %s" % (name, why, ", ".join(rows[0])))


def normalised(rows, base, value="ipc", of="sched", by=("workload", "size", "seed") + MACHINE, name="relative",
               frame=None):
    """The table with a column `name`: value divided by that of the row whose `of` is `base`, among the rows that
    agree in all columns of `by`.

    A row without a number has None. A group without a base, or with two, is refused: a ratio to nothing, or to an
    arbitrary one of two runs, would be a wrong number in a table.
    """
    rows = records(rows)
    by = [by] if isinstance(by, str) else list(by)
    _column(rows, value, "to divide")
    _column(rows, of, "to look for the base in")
    bases = {}
    for row in rows:
        if row.get(of) == base:
            group = tuple(row.get(column) for column in by)
            if group in bases:
                raise Error("two rows are the base %s=%s of %s; name in by= the column in which they differ"
                            % (of, base, _group(by, group)))
            bases[group] = row.get(value)
    for row in rows:
        group = tuple(row.get(column) for column in by)
        if group not in bases:
            known = sorted({str(r.get(of)) for r in rows})
            raise Error("there is no row with %s=%s for %s; %s is one of %s"
                        % (of, base, _group(by, group), of, ", ".join(known)))
        below, above = bases[group], row.get(value)
        row[name] = above / below if below and above is not None else None
    return table(rows, frame)


def _group(by, group):
    return " ".join("%s=%s" % pair for pair in zip(by, group) if pair[1] not in (None, "")) or "the table"


def means(rows, value="relative", by=("sched",), frame=None):
    """A row for each value of the columns `by`: the number of rows with a value, their arithmetic and geometric
    mean. Rows without a value are counted in `missing`. The order is that of the first row of each group."""
    rows = records(rows)
    by = [by] if isinstance(by, str) else list(by)
    _column(rows, value, "to take means of")
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row.get(column) for column in by), []).append(row.get(value))
    out = []
    for group, all_values in groups.items():
        values = [v for v in all_values if v is not None]
        row = dict(zip(by, group))
        row["rows"], row["missing"] = len(values), len(all_values) - len(values)
        row["arithmetic"] = math.fsum(values) / len(values) if values else None
        row["geometric"] = (math.exp(math.fsum(map(math.log, values)) / len(values))
                            if values and min(values) > 0 else None)
        out.append(row)
    return table(out, frame)


def _cell(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "%.3f" % value
    if isinstance(value, int):
        return format(value, ",")
    return str(value)


def text(rows, columns=None):
    """The table as aligned text, without pandas: names on the left, numbers on the right, three decimals. A column
    that is empty in every row is left out unless `columns` names it."""
    rows = records(rows)
    if columns is None:
        columns = list(dict.fromkeys(name for row in rows for name in row))
        columns = [c for c in columns if any(row.get(c) not in (None, "") for row in rows)]
    for column in columns:
        _column(rows, column, "to show")
    cells = [[c.upper() for c in columns]] + [[_cell(row.get(c)) for c in columns] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    right = [all(not isinstance(row.get(c), str) for row in rows) for c in columns]
    lines = []
    for line in cells:
        words = [cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(line, widths, right)]
        lines.append("  ".join(words).rstrip())
    return "\n".join(lines)
