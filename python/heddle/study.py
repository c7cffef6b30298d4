"""study.py - a results database of `heddle compare --db`, read only (docs/database.md has its tables).

Each row that is read is compared with its checksum, as heddle does: a damaged run is an error, not a number.
"""
import hashlib
import json
import os
import sqlite3
import urllib.parse

from .errors import Error
from .results import Run
from .tables import table

APPLICATION = 0x48444C31
VERSIONS = (1, 2)
# In the order of the checksum.
COLUMNS = ("key", "identity", "heddle", "model", "workload", "size", "seed", "gpu", "sets", "sched", "fetch", "tb",
           "kernel_policy", "status", "verified", "exit_status", "message", "cycles", "warp_insts", "thread_insts",
           "seconds", "command", "json", "profile")
LARGE = ("key", "identity", "json", "profile")
KINDS = {int: 1, float: 2, str: 3, bytes: 4, type(None): 5}  # SQLite's numbers of its types


def _checksum(values):
    """Of a row's columns: each value is preceded by its kind and length."""
    sum_ = hashlib.sha256()
    for value in values:
        if value is None:
            data = b""
        elif isinstance(value, str):
            data = value.encode("utf-8", "surrogateescape")
        elif isinstance(value, bytes):
            data = value
        else:
            data = (b"%d" if isinstance(value, int) else b"%.17g") % value
        sum_.update(b"%d %d " % (KINDS[type(value)], len(data)) + data)
    return sum_.hexdigest()


class Study:
    """The runs in the file `path`. Close it, or use it in a with statement. Reading does not hold up processes that
    write into the file at the same time."""

    def __init__(self, path, wait=60):
        self.path = os.fspath(path)
        if not os.path.isfile(self.path):
            raise Error("%s: there is no such file" % self.path)
        uri = "file:%s?mode=ro" % urllib.parse.quote(os.path.abspath(self.path))
        self._db = sqlite3.connect(uri, uri=True, timeout=wait)
        self._db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        try:
            application = self._rows("PRAGMA application_id")[0][0]
            self.version = self._rows("PRAGMA user_version")[0][0]
            if application != APPLICATION:
                raise Error("%s: a database, but not one of heddle" % self.path)
            if self.version not in VERSIONS:
                raise Error("%s: its tables have version %d, this module reads versions 1 and 2; use the module of a "
                            "newer heddle" % (self.path, self.version))
        except Error:
            self.close()
            raise

    def close(self):
        self._db.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __len__(self):
        return self._rows("SELECT count(*) FROM run")[0][0]

    def __iter__(self):
        """Every run that has a result, as Run, by number. One is in memory at a time."""
        for (number,) in self._rows("SELECT id FROM run WHERE json IS NOT NULL ORDER BY id"):
            yield self.run(number)

    def _execute(self, sql, parameters=()):
        try:
            return self._db.execute(sql, parameters)
        except sqlite3.DatabaseError as e:
            raise Error("%s: %s" % (self.path, e)) from None

    def _rows(self, sql, parameters=()):
        try:
            return self._execute(sql, parameters).fetchall()
        except sqlite3.DatabaseError as e:
            raise Error("%s: %s" % (self.path, e)) from None

    def query(self, sql, *parameters, frame=None):
        """The rows of a SELECT over the tables and views of docs/database.md."""
        cursor = self._execute(sql, parameters)
        names = [column[0] for column in cursor.description or ()]
        try:
            return table([dict(zip(names, row)) for row in cursor], frame)
        except sqlite3.DatabaseError as e:
            raise Error("%s: %s" % (self.path, e)) from None

    def _checked(self, number=None):
        """Rows of `run` as dicts, each compared with its checksum."""
        has_sum = self.version >= 2
        sql = "SELECT id, %s%s FROM run%s ORDER BY id" % (", ".join(COLUMNS), ", sum" if has_sum else "",
                                                         "" if number is None else " WHERE id = ?")
        for row in self._execute(sql, () if number is None else (number,)):
            values = row[1:1 + len(COLUMNS)]
            if has_sum and _checksum(values) != row[-1]:
                raise Error("%s: run %d is damaged: its checksum is not that of its values; 'heddle db check %s' looks "
                            "for all such runs" % (self.path, row[0], self.path))
            yield dict(zip(("id",) + COLUMNS, row))

    def runs(self, frame=None):
        """A row for each run, also for those without a result: the columns of the table `run` except the large
        ones (key, identity, json, profile), and ipc."""
        rows = []
        for row in self._checked():
            row["verified"] = None if row["verified"] is None else bool(row["verified"])
            row["set"] = row.pop("sets") or ""
            row["ipc"] = row["thread_insts"] / row["cycles"] if row["cycles"] else None
            rows.append({name: value for name, value in row.items() if name not in LARGE})
        order = ("id", "workload", "size", "seed", "gpu", "set", "sched")
        return table([{**{n: r[n] for n in order}, **r} for r in rows], frame)

    def run(self, number):
        """One run as Run, with the keys id, set, exit_status, message and command besides those of its JSON."""
        found = list(self._checked(number))
        if not found:
            raise Error("%s: there is no run %s" % (self.path, number))
        row = found[0]
        if row["json"] is None:
            raise Error("%s: run %d has no result: %s%s" % (self.path, number, row["status"],
                                                          "; " + row["message"].strip() if row["message"] else ""))
        run = Run(json.loads(row["json"]))
        run.update(id=row["id"], set=row["sets"] or "", exit_status=row["exit_status"], message=row["message"],
                   command=row["command"])
        return run
