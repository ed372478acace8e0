"""Every public declaration of a header has a `///` that says what it promises."""

import re

from .functions import without_literals
from .tree import Finding

_TYPE = re.compile(r"^\s*(?:template\s*<.*>\s*)?(class|struct|enum class|enum|union)\s+(?:\[\[\w+\]\]\s+|[A-Z_]+(?:\([^)]*\))?\s+)*(\w+)")
_FUNCTION = re.compile(r"^\s*(?!return\b|using\b|typedef\b|friend\b|static_assert\b|else\b|if\b|for\b|while\b|case\b|throw\b|delete\b)"
                       r"(?:[\w:<>,&*\[\]\s]+[\s&*>])([A-Za-z]\w*)\s*\(")
# What overrides has its promise at the base; a constructor's is the class's; `int dims() const` says it by its name.
_EXEMPT = re.compile(r"\boverride\b|=\s*(?:default|delete)\b|\boperator\b|^explicit\b|\s[&*]?[a-z0-9_]+\(\)\s*(?:const|noexcept|=|$)")


def _statements(code):
    """(scopes around it, first line, statement) of each declaration; a scope is (kind, is public)."""
    scopes, start, line_of_start = [], 0, None
    for match in re.finditer(r"[{};]|\b(?:public|private|protected)\s*:(?!:)", code):
        before = code[start:match.start()]
        stripped = before.lstrip()
        line = code.count("\n", 0, match.start() - len(stripped)) + 1
        if match[0] in "{;" and stripped.strip():
            yield list(scopes), line, stripped.strip()
        if match[0] == "{":
            scopes.append(_scope(stripped))
        elif match[0] == "}":
            if scopes:
                scopes.pop()
        elif match[0] != ";" and scopes:
            scopes[-1] = (scopes[-1][0], match[0].startswith("public"))
        start = match.end()


def _scope(head):
    if re.match(r"(?:inline\s+)?namespace\b|extern\b", head):
        return ("namespace", "internal" not in head and "namespace {" not in head and bool(re.search(r"namespace\s+\w", head)))
    found = _TYPE.match(head)
    if found and "(" not in head.partition(found[2])[2].partition(":")[0]:
        return ("type", found[1] in ("struct", "union"))
    return ("body", False)


def _undocumented(path, text):
    lines = text.splitlines()
    code = without_literals(text)
    for scopes, line, statement in _statements(code):
        if not all(kind in ("namespace", "type") and public for kind, public in scopes) or not scopes:
            continue
        found = _TYPE.match(statement)
        if found is None:
            if _EXEMPT.search(statement):
                continue
            found = _FUNCTION.match(re.sub(r"\s+", " ", statement))
            if found is None:
                continue
            name = found[1]
        else:
            name = found[2]
            if re.fullmatch(r"(?:class|struct|union|enum class|enum)\s+[\w:\s]+", statement) and _is_forward(code, line, statement):
                continue
        if not _is_documented(lines, line):
            yield Finding(path, line, f"{name} has no ///")


def _is_documented(lines, line):
    """One `///` may speak for a run of declarations without a blank line between them."""
    if "///" in lines[line - 1]:
        return True
    for above in reversed(lines[:line - 1]):
        if above.strip().startswith("///"):
            return True
        if not above.strip() or above.strip().endswith("{"):
            return False
    return False


def _is_forward(code, line, statement):
    """A declaration without a body ends with a semicolon."""
    offset = sum(len(text) + 1 for text in code.split("\n")[:line - 1])
    after = code.find(statement.split("\n")[0], offset) + len(statement)
    return code[after:].lstrip().startswith(";")


def check(tree):
    """Findings: types and functions of a namespace, and public functions of a class, without `///`."""
    return [finding for path in tree.having(".h", under="src/") for finding in _undocumented(path, tree.text(path))]
