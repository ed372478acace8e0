"""Finds where C++ functions begin and end, well enough for code that clang-format has laid out."""

import dataclasses
import re

_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.DOTALL | re.MULTILINE)
_NOT_A_FUNCTION = re.compile(r"\b(if|for|while|switch|catch|namespace|class|struct|enum|union|do|else|try|return)\b")
_SIGNATURE = re.compile(
    r"\)\s*(?:(?:const\b|noexcept(?:\([^)]*\))?|override\b|final\b|mutable\b|&&?|[A-Z_]{4,}(?:\([^)]*\))?"
    r"|->\s*[\w:<>,&*\s]+)\s*)*"
    r"\s*(?::[^:].*)?$", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Function:
    """A function's body: 1-based lines of its opening and closing brace."""
    name: str
    first: int
    last: int

    @property
    def lines(self):
        return self.last - self.first


def without_literals(text):
    """The text with comments, strings and preprocessor lines blanked; line breaks stay."""
    return _LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _opens_function(before):
    before = re.sub(r"\b(?:public|private|protected):|\btemplate\s*<(?:[^<>]|<[^<>]*>)*>", "", before).strip()
    head = before.partition("(")[0]
    if not before or "=" in re.sub(r"operator\S+|[=!<>]=", "", head) or _NOT_A_FUNCTION.search(head):
        return False
    return bool(_SIGNATURE.search(before))


def functions(text):
    """Every outermost function body; lambdas count as part of the function around them."""
    code = without_literals(text)
    found, depth, inside, begun, start = [], 0, None, None, 0
    for match in re.finditer(r"[{};]", code):
        mark, place = match[0], match.start()
        if mark == "{":
            if inside is None and _opens_function(code[start:place]):
                name = re.search(r"([~\w:]+)\s*\(", code[start:place])
                inside, begun = depth, (name[1] if name else "?", code.count("\n", 0, place) + 1)
            depth += 1
        elif mark == "}":
            depth -= 1
            if inside == depth:
                found.append(Function(begun[0], begun[1], code.count("\n", 0, place) + 1))
                inside = None
        start = place + 1
    return found
