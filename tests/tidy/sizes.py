"""Files and functions stay small: STYLE's figures, over all of our source."""

import statistics

from .functions import functions
from .tree import CPP, Finding

FILE_MOST, FILE_USUAL, FILE_MEDIAN = 1000, 600, 150
FUNCTION_MOST, FUNCTION_USUAL = 70, 40
USUAL_SHARE = 0.95
_SOURCE = CPP + (".ts", ".tsx", ".py", ".sh", ".css", ".mjs")


def _too_many(lengths, limit, what):
    """A finding if less than the usual share keeps to the limit; the longest are named."""
    over = sorted((length, path) for path, length in lengths if length > limit)
    if not over or len(over) <= (1 - USUAL_SHARE) * len(lengths):
        return []
    worst = ", ".join(f"{path} ({length})" for length, path in over[-5:][::-1])
    return [Finding("src", 0, f"{len(over)} of {len(lengths)} {what} have more than {limit} lines: {worst}")]


def check_files(tree):
    """Findings: a file over 1,000 lines, more than 5 % over 600, a median over 150."""
    lengths = [(path, tree.text(path).count("\n")) for path in tree.having(*_SOURCE)]
    findings = [Finding(path, 0, f"{length} lines; {FILE_MOST} is the most") for path, length in lengths
                if length > FILE_MOST]
    findings += _too_many(lengths, FILE_USUAL, "files")
    cpp = [length for path, length in lengths if path.endswith(CPP)]
    if cpp and statistics.median(cpp) > FILE_MEDIAN:
        findings.append(Finding("src", 0, f"the median C++ file has {statistics.median(cpp):.0f} lines, not {FILE_MEDIAN}"))
    return findings


def check_functions(tree):
    """Findings: a function over 70 lines, more than 5 % over 40."""
    findings, lengths = [], []
    for path in tree.having(*CPP):
        for function in functions(tree.text(path)):
            lengths.append((f"{path}:{function.name}", function.lines))
            if function.lines > FUNCTION_MOST:
                findings.append(Finding(path, function.first,
                                        f"{function.name} has {function.lines} lines; {FUNCTION_MOST} is the most"))
    return findings + _too_many(lengths, FUNCTION_USUAL, "functions")
