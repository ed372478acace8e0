"""clang-format would change nothing."""

import re
import shutil
import subprocess

from .tree import CPP, Finding, Skip

_PROGRAM = "clang-format-16"
_MESSAGE = re.compile(r"^(.*?):(\d+):\d+: error: (.*)$", re.MULTILINE)
_BATCH = 40


def check(tree):
    """Findings: the first place of each file that is not laid out as .clang-format says."""
    if shutil.which(_PROGRAM) is None:
        raise Skip(f"{_PROGRAM} is not installed")
    findings = {}
    paths = tree.having(*CPP)
    for start in range(0, len(paths), _BATCH):
        result = subprocess.run([_PROGRAM, "--dry-run", "-Werror", *paths[start:start + _BATCH]], cwd=tree.root,
                                capture_output=True, text=True, check=False)
        if result.returncode != 0 and not _MESSAGE.search(result.stderr):
            raise RuntimeError(f"{_PROGRAM} failed: {result.stderr[:500]}")
        for path, line, _ in _MESSAGE.findall(result.stderr):
            findings.setdefault(path, Finding(path, int(line), f"{_PROGRAM} lays this out in another way"))
    return list(findings.values())
