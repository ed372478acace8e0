"""Includes go up only: the order of the folders is that of add_subdirectory in CMakeLists.txt."""

import re

from .tree import CPP, Finding

_FOLDERS = re.compile(r"foreach\(folder IN ITEMS ([^)]*)\)\s*add_subdirectory\(src/\$\{folder\}\)")


def folder_order(tree):
    """The folders of src/ from the lowest to the highest."""
    match = _FOLDERS.search(tree.text("CMakeLists.txt"))
    if not match:
        raise ValueError("CMakeLists.txt has no foreach over the folders of src/")
    return match[1].split()


def check(tree):
    """Findings: an include of a folder that stands later in the list, and a folder that is not listed."""
    order = {name: place for place, name in enumerate(folder_order(tree))}
    findings = []
    for path in tree.having(*CPP, under="src/"):
        folder = path.split("/")[1]
        if folder not in order:
            findings.append(Finding(path, 0, f"folder {folder} is not listed in CMakeLists.txt"))
            continue
        for line, included in tree.includes(path):
            target = tree.resolve(path, included)
            if target is None or not target.startswith("src/"):
                continue
            other = target.split("/")[1]
            if order.get(other, -1) > order[folder]:
                findings.append(Finding(path, line, f"{folder} may not include {other}, which is above it"))
    return findings
