"""Links between documents lead somewhere."""

import re
import urllib.parse

from .tree import Finding

_LINK = re.compile(r"!?\[[^\]\n]*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)


def _anchors(text):
    """Anchors of a document's headings, as code hosting sites make them."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    plain = (re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in _HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def _target(path, link):
    folder = path.split("/")[:-1]
    for part in link.split("/"):
        if part == "..":
            if not folder:
                return None
            folder.pop()
        elif part not in ("", "."):
            folder.append(part)
    return "/".join(folder)


def check(tree):
    """Findings: a relative link to a file, folder or heading that is not there."""
    findings = []
    folders = {path.rpartition("/")[0] for path in tree.paths}
    folders |= {"/".join(folder.split("/")[:n]) for folder in set(folders) for n in range(folder.count("/") + 1)}
    for path in tree.having(".md"):
        text = tree.text(path)
        code = _CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        for match in _LINK.finditer(code):
            link = urllib.parse.unquote(text[match.start(1):match.end(1)])
            if re.match(r"[a-z][a-z0-9+.\-]*:", link):
                continue
            file, _, anchor = link.partition("#")
            target = _target(path, file) if file else path
            line = text.count("\n", 0, match.start()) + 1
            if target not in tree.known and target not in folders:
                findings.append(Finding(path, line, f"{link} leads nowhere"))
            elif anchor and target.endswith(".md") and anchor not in _anchors(tree.text(target)):
                findings.append(Finding(path, line, f"{target} has no heading #{anchor}"))
    return findings
