"""What clang proves of locks: no source that uses base::Mutex touches guarded members without it."""

import json
import os
import re
import shlex
import shutil
import subprocess

from .headers import bare_command, compile_changed
from .tree import Finding, Skip

_COMPILER = "clang++-16"
_FLAGS = ("-fsyntax-only", "-Wthread-safety", "-Werror=thread-safety", "-Wno-unknown-warning-option")
_LOCKS = re.compile(r"\bSIGHTLINE_(?:PT_)?GUARDED_BY\b|\bSIGHTLINE_REQUIRES\b|\bMutex(?:Lock)?\b")
_ERROR = re.compile(r"^(.*?):(\d+):\d+: error: (.*)$", re.MULTILINE)


def _uses_locks(tree, path):
    """Whether the source or its own header names a lock."""
    return any(_LOCKS.search(tree.text(part)) for part in (path, path.removesuffix(".cc") + ".h") if part in tree.known)


def _sources(tree):
    """(source, clang command, working folder) of every built source that uses locks, once each."""
    commands = tree.build / "compile_commands.json" if tree.build else None
    if commands is None or not commands.is_file():
        raise Skip("no compile_commands.json: configure a build and give its folder with --build")
    if shutil.which(_COMPILER) is None:
        raise Skip(f"{_COMPILER} is not installed")
    found = {}
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        words = shlex.split(entry["command"]) if "command" in entry else entry["arguments"]
        path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), tree.root)
        if path in tree.known and _uses_locks(tree, path):
            found[path] = ([_COMPILER, *bare_command(words)[1:], *_FLAGS, str(tree.root / path)], entry["directory"])
    return [(path, *found[path]) for path in sorted(found)]


def _compile(tree, path, command, folder):
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return []
    errors = [Finding(os.path.relpath(os.path.join(folder, name), tree.root), int(line), text)
              for name, line, text in _ERROR.findall(result.stderr)]
    return errors or [Finding(path, 0, "clang cannot compile it: " + result.stderr.strip()[:300])]


def check(tree):
    """Findings of clang's thread-safety analysis. What passed once is not compiled again."""
    results = compile_changed(tree, "thread_safety", _sources(tree), _compile)
    return sorted({finding for findings in results for finding in findings}, key=str)
