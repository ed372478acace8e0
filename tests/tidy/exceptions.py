"""The list of places that may break a rule. It may only shrink."""

import subprocess

from .tree import Finding

FILE = "tests/tidy/exceptions.txt"


def parse(text):
    """{(check, path)} of the lines `check path reason…`."""
    found = set()
    for line in text.splitlines():
        words = line.split("#")[0].split(None, 2)
        if words:
            if len(words) < 3:
                raise ValueError(f"{FILE}: “{line}” needs a check, a path and a reason")
            found.add((words[0], words[1]))
    return found


def listed(tree):
    """The exceptions of the tree."""
    return parse(tree.text(FILE)) if FILE in tree.known else set()


def without(tree, check, findings):
    """Findings that are not excepted, and one for each exception that is no longer needed."""
    allowed = {path for name, path in listed(tree) if name == check}
    needed = {finding.path for finding in findings}
    left = [finding for finding in findings if finding.path not in allowed]
    left += [Finding(FILE, 0, f"{check} {path} is not needed any more: remove it") for path in sorted(allowed - needed)]
    return left


def check(tree):
    """Findings: an exception that the commit before did not have."""
    shown = subprocess.run(["git", "show", f"HEAD~1:{FILE}"], cwd=tree.root, capture_output=True, text=True, check=False)
    if shown.returncode != 0:
        return []  # No history, or the first commit with a list: nothing to compare with.
    before = parse(shown.stdout)
    added = listed(tree) - before if before else set()  # The list begins with what is there when a check is new.
    return [Finding(FILE, 0, f"{name} {path} is new; the list may only shrink") for name, path in sorted(added)]
