"""Reads the machine's own apt sources, to ask the same mirror for a package of another release.

Both formats are read: one-line (`deb [options] URI suite components`) and deb822 (`*.sources`).
"""

import os
import pathlib
import re
import subprocess

_ONE_LINE = re.compile(r"deb\s+(?:\[(?P<options>[^\]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)"
                       r"\s+(?P<components>.+)")


def apt_setting(name):
    """One value of apt's configuration, directories made whole."""
    command = ["apt-config", "shell", "VALUE", name]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return output.partition("=")[2].strip().strip("'")


def parse_one_line(text):
    """Entries (uri, suite, components, signed_by) of a `.list` file."""
    entries = []
    for line in text.splitlines():
        match = _ONE_LINE.match(line.partition("#")[0].strip())
        if match:
            options = dict(part.partition("=")[::2] for part in (match["options"] or "").split())
            entries.append((match["uri"], match["suite"], match["components"].split(),
                            options.get("signed-by", "")))
    return entries


def _stanzas(text):
    """The fields of each deb822 paragraph; continued lines keep their line breaks."""
    fields, key = {}, None
    for line in text.splitlines() + [""]:
        if line.startswith("#"):
            continue
        if not line.strip():
            if fields:
                yield fields
            fields, key = {}, None
        elif line[0] in " \t":
            if key:
                fields[key] += "\n" + line
        else:
            key = line.partition(":")[0].strip().lower()
            fields[key] = line.partition(":")[2].strip()


def parse_deb822(text):
    """Entries (uri, suite, components, signed_by) of a `.sources` file."""
    entries = []
    for fields in _stanzas(text):
        enabled = fields.get("enabled", "yes").lower() not in ("no", "false", "0", "off")
        if not enabled or "deb" not in fields.get("types", "").split():
            continue
        for uri in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                entries.append((uri, suite, fields.get("components", "").split(),
                                fields.get("signed-by", "")))
    return entries


def machine_entries():
    """Every enabled binary entry of the machine's apt sources.

    `SIGHTLINE_APT_SOURCE` names one more file: where the machine is not a Debian, it says which
    Debian mirror to ask.
    """
    entries = []
    main = pathlib.Path(apt_setting("Dir::Etc::sourcelist/f"))
    parts = pathlib.Path(apt_setting("Dir::Etc::sourceparts/d"))
    files = [main] if main.is_file() else []
    files += sorted(parts.glob("*.list")) + sorted(parts.glob("*.sources"))
    more = os.environ.get("SIGHTLINE_APT_SOURCE")
    files += [pathlib.Path(more)] if more else []
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        entries += parse_deb822(text) if path.suffix == ".sources" else parse_one_line(text)
    return entries


def release_codename(path="/etc/os-release"):
    """VERSION_CODENAME of the running system, or an empty text."""
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.partition("=")[2].strip().strip('"')
    return ""


def sources_for(release, entries, codename):
    """A deb822 text that asks the machine's own mirrors for `main` of another release."""
    text = ""
    for uri, suite, components, signed_by in entries:
        if suite in (codename, release) and "main" in components:
            text += f"Types: deb\nURIs: {uri}\nSuites: {release}\nComponents: main\n"
            text += f"Signed-By: {signed_by}\n\n" if signed_by else "\n"
    return text
