"""tree.py - the files that belong to a tree, for the scripts that read all of them."""
import os
import subprocess


def files(root):
    """Names of git's list and new files that it does not ignore, relative to root, sorted. Without git, or
    in an unpacked archive, which has no list: all files outside build/."""
    try:
        done = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, encoding="utf-8", check=False)
        names = done.stdout.split("\n") if done.returncode == 0 else []
    except FileNotFoundError:
        names = []
    if not any(names):
        for folder, inner, own in os.walk(root):
            inner[:] = [d for d in inner if d not in ("build", ".git", "__pycache__")]
            names += [os.path.relpath(os.path.join(folder, f), root) for f in own]
    return sorted(n for n in names if n and os.path.exists(os.path.join(root, n)))
