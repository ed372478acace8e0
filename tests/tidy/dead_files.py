"""Every source file is built and every header is used."""

import re

from .tree import CPP, Finding

_GLOB = re.compile(r"file\s*\(\s*GLOB[^)]*\.(?:cc|cpp|c|h)\b", re.IGNORECASE)


def _listed_sources(tree):
    """Paths that a CMakeLists.txt names, relative to its own folder or to the root."""
    listed = set()
    for path in tree.having("CMakeLists.txt", ".cmake"):
        folder = path.rpartition("/")[0]
        for word in re.findall(r"[\w./${}\-]+\.(?:cc|c|cpp)\b", tree.text(path)):
            word = re.sub(r"^\$\{(CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR)\}/", "/", word)
            word = re.sub(r"^\$\{CMAKE_CURRENT_SOURCE_DIR\}/", "", word)
            listed.add(_normal(word[1:] if word.startswith("/") else f"{folder}/{word}"))
    return listed


def _normal(path):
    parts = []
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def check(tree):
    """Findings: a .cc that no CMakeLists.txt names, a header that nothing includes, sources by file(GLOB)."""
    listed = _listed_sources(tree)
    findings = [Finding(path, 0, "no CMakeLists.txt names it") for path in tree.having(".cc") if path not in listed]
    included = {tree.resolve(path, name) for path in tree.having(*CPP, ".c") for _, name in tree.includes(path)}
    findings += [Finding(path, 0, "nothing includes it") for path in tree.having(".h") if path not in included]
    findings += [Finding(path, 0, "sources are listed by hand, not by file(GLOB)")
                 for path in tree.having("CMakeLists.txt", ".cmake") if _GLOB.search(tree.text(path))]
    return findings
