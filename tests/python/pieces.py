# pieces.py - what the cases of test_module.sh begin with.
import csv, json, os, shutil, sqlite3, subprocess, sys

import heddle


def work(name):
    """A file in the test's folder."""
    return os.path.join(os.environ["WORK"], name)


def refused(case, text):
    try:
        case()
    except heddle.Error as e:
        assert text in str(e), "expected '%s' in: %s" % (text, e)
    else:
        raise AssertionError("it is not refused")


