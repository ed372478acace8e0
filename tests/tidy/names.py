"""No file and no class is named for being a leftover drawer."""

import re

from .tree import CPP, Finding

_WORDS = ("util", "utils", "helper", "helpers", "common", "misc", "manager")
_FILE = re.compile(r"(^|[_\-./])(" + "|".join(_WORDS) + r")([_\-./]|$)")
_CLASS = re.compile(r"^\s*(?:export\s+)?(?:template\s*<[^>]*>\s*)?(?:class|struct|interface)\s+(\w*"
                    r"(?:Utils?|Helpers?|Common|Misc|Manager))\b", re.MULTILINE)


def check(tree):
    """Findings: files, folders and classes with a banned word in their name."""
    findings = [Finding(path, 0, f"the name says nothing: “{_FILE.search(path)[2]}”")
                for path in tree.paths if _FILE.search(path)]
    for path in tree.having(*CPP, ".ts", ".tsx", ".py"):
        text = tree.text(path)
        for match in _CLASS.finditer(text):
            findings.append(Finding(path, text.count("\n", 0, match.start(1)) + 1,
                                    f"class {match[1]}: say what it does"))
    return findings
