"""Nothing in the tree names somebody's machine or a package registry: clients know where their registry is."""

import re

from .tree import Finding

# Dots are in brackets, so that this file does not match itself.
_HOSTS = re.compile(r"(?:deb|security)[.]debian[.]org|archive[.]ubuntu[.]com|(?:\b|//)pypi[.]org|pythonhosted[.]org|registry[.]npmjs[.]org"
                    r"|(?:static[.]|index[.])crates[.]io|repo1?[.]maven[.](?:org|apache[.]org)")
_FOLDERS = re.compile(r"(?<![\w.$}/<-])/(?:root|work|Users)/[\w.]+|(?<![\w.$}/<-])/home/(?!newcomer\b)\w+")
_TEXT = (".h", ".cc", ".c", ".py", ".ts", ".tsx", ".mjs", ".js", ".json", ".md", ".txt", ".toml", ".cmake", ".sh", ".yml",
         ".yaml", ".html", ".css", ".typ", ".proto")


def check(tree):
    """Findings: a home folder or workplace of one machine, or the host of a registry."""
    findings = []
    for path in tree.paths:
        name = path.rpartition("/")[2]
        if not name.endswith(_TEXT) and "." in name:
            continue
        text = tree.text(path)
        for pattern, what in ((_HOSTS, "the host of a registry"), (_FOLDERS, "a folder of one machine")):
            for match in pattern.finditer(text):
                findings.append(Finding(path, text.count("\n", 0, match.start()) + 1, f"{what}: {match[0]}"))
    return findings
