"""Every header compiles by itself, twice in one file, with the flags of its folder."""

import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess

from .tree import Finding, Skip

_JOBS = 2
_SHOWN_LINES = 4


def _flags_by_folder(tree):
    """Folder -> (compiler and flags, working folder), from the build's compile_commands.json."""
    commands = tree.build / "compile_commands.json" if tree.build else None
    if commands is None or not commands.is_file():
        raise Skip("no compile_commands.json: configure a build and give its folder with --build")
    flags = {}
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        words = shlex.split(entry["command"]) if "command" in entry else entry["arguments"]
        path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), tree.root)
        folder = path.rpartition("/")[0]
        # A folder's sources may be of several targets: the one that sees most can compile any header.
        bare = bare_command(words)
        if folder not in flags or len(bare) > len(flags[folder][0]):
            flags[folder] = (bare, entry["directory"])
    return flags


def bare_command(words):
    """The command without what names its input and output, and without a launcher."""
    if os.path.basename(words[0]) == "ccache":
        words = words[1:]
    kept, passed = [], False
    for word in words[:-1]:
        if passed:
            passed = False
        elif word in ("-o", "-MF", "-MT", "-MQ"):
            passed = True
        elif word not in ("-c", "-MD", "-MMD", "--"):
            kept.append(word)
    return kept


def closure(tree, path):
    """The header and every header of ours that it reaches."""
    reached, waiting = set(), [path]
    while waiting:
        current = waiting.pop()
        if current not in reached:
            reached.add(current)
            waiting += [target for _, name in tree.includes(current) if (target := tree.resolve(current, name))]
    return sorted(reached)


def closure_digest(tree, path, flags):
    """Of the flags, the file and every header of ours that it reaches."""
    total = hashlib.sha256(repr(flags).encode())
    for part in closure(tree, path):
        total.update(part.encode() + b"\0" + tree.text(part).encode() + b"\0")
    return total.hexdigest()


def _compile(tree, path, command, folder):
    name = path.removeprefix("src/")
    result = subprocess.run([*command, "-iquote", str(tree.root), "-fsyntax-only", "-x", "c++", "-"], cwd=folder,
                            input=f'#include "{name}"\n#include "{name}"\n', capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return []
    lines = [line for line in result.stderr.splitlines() if "error" in line] or result.stderr.splitlines()
    return [Finding(path, 0, "does not compile alone: " + " | ".join(lines[:_SHOWN_LINES]))]


def compile_changed(tree, name, items, compile_one):
    """The results of `compile_one(tree, path, command, folder)` for the (path, command, folder) whose closure changed.

    A result is a list of findings. What passed is recorded in the cache's file `name` and not compiled again.
    """
    passed = set()
    record = tree.cache / name if tree.cache else None
    if record and record.is_file():
        passed = set(record.read_text(encoding="ascii").split())
    digests = [(item, closure_digest(tree, item[0], item[1:])) for item in items]
    todo = [entry for entry in digests if entry[1] not in passed]
    with concurrent.futures.ThreadPoolExecutor(_JOBS) as pool:
        results = list(pool.map(lambda entry: compile_one(tree, *entry[0]), todo))
    failed = {digest for (_, digest), findings in zip(todo, results) if findings}
    if record:
        record.parent.mkdir(parents=True, exist_ok=True)
        kept = {digest for _, digest in digests} - failed
        record.write_text("\n".join(sorted(kept)) + "\n", encoding="ascii")
    return results


def check(tree):
    """Findings: a header that needs another one before it. What compiled once is not compiled again."""
    flags = _flags_by_folder(tree)
    items = [(path, *flags[path.rpartition("/")[0]]) for path in tree.having(".h") if path.rpartition("/")[0] in flags]
    return [finding for findings in compile_changed(tree, "headers", items, _compile) for finding in findings]
