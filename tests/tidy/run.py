#!/usr/bin/env python3
"""Checks the house rules of the repository that no compiler checks.

  tests/tidy/run.py [CHECK…] [--build FOLDER] [--root FOLDER] [--list]

Status: 0 all kept, 1 something is wrong (each place is printed), 77 skipped with a reason.
"""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from tidy import (comments, dead_files, exceptions, formatting, headers, layers, links, names,  # noqa: E402
                  places, sizes, thread_safety)
from tidy.tree import Skip, Tree  # noqa: E402

CHECKS = {
    "layers": layers.check, "file_sizes": sizes.check_files, "function_sizes": sizes.check_functions,
    "names": names.check, "dead_files": dead_files.check, "headers": headers.check, "format": formatting.check,
    "thread_safety": thread_safety.check,
    "links": links.check, "places": places.check, "comments": comments.check, "exceptions": exceptions.check,
}
SKIPPED = 77


def run_check(name, tree):
    """Runs one check, prints its findings, returns its status."""
    try:
        findings = exceptions.without(tree, name, CHECKS[name](tree))
    except Skip as reason:
        print(f"SKIP {name}: {reason}")
        return SKIPPED
    for finding in findings:
        print(finding)
    print(f"{'FAIL' if findings else 'ok  '} {name}" + (f": {len(findings)} findings" if findings else ""))
    return 1 if findings else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="*", metavar="CHECK", choices=[*CHECKS, []])
    parser.add_argument("--build", help="a configured build folder, for the compiler's flags")
    parser.add_argument("--root", default=ROOT)
    parser.add_argument("--list", action="store_true", help="print the names of the checks")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(CHECKS))
        return 0
    cache = pathlib.Path(arguments.build) / "tidy" if arguments.build else None
    tree = Tree(arguments.root, arguments.build, cache)
    statuses = [run_check(name, tree) for name in arguments.checks or CHECKS]
    return 1 if 1 in statuses else SKIPPED if set(statuses) == {SKIPPED} else 0


if __name__ == "__main__":
    sys.exit(main())
