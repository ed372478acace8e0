"""Says which Debian mirror to ask for a package of one Debian release.

On Debian that is the mirror of the machine's own apt sources; both formats are read, one-line
(`deb [options] URI suite components`) and deb822 (`*.sources`). Elsewhere it is the one of the file
that `SIGHTLINE_APT_SOURCE` names, or else the one that python-apt's templates name for Debian.
"""

import os
import pathlib
import re
import subprocess

_DEBIAN_TEMPLATE = pathlib.Path("/usr/share/python-apt/templates/Debian.info")
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


def _entries_of(path):
    """The entries of one sources file, in the format that its name says."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return parse_deb822(text) if path.suffix == ".sources" else parse_one_line(text)


def machine_entries():
    """Every enabled binary entry of the machine's apt sources."""
    main = pathlib.Path(apt_setting("Dir::Etc::sourcelist/f"))
    parts = pathlib.Path(apt_setting("Dir::Etc::sourceparts/d"))
    files = [main] if main.is_file() else []
    files += sorted(parts.glob("*.list")) + sorted(parts.glob("*.sources"))
    return [entry for path in files for entry in _entries_of(path)]


def os_release(name, path="/etc/os-release"):
    """One value that describes the running system, such as ID, or an empty text."""
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith(name + "="):
            return line.partition("=")[2].strip().strip("'\"")
    return ""


def sources_for(release, entries, codename):
    """A deb822 text that asks the machine's own mirrors for `main` of another release."""
    text = ""
    for uri, suite, components, signed_by in entries:
        if suite in (codename, release) and "main" in components:
            text += f"Types: deb\nURIs: {uri}\nSuites: {release}\nComponents: main\n"
            text += f"Signed-By: {signed_by}\n\n" if signed_by else "\n"
    return text


def foreign_sources_for(release, named=None, template=_DEBIAN_TEMPLATE):
    """The same where the machine is no Debian; empty if nothing says where Debian's archive is.

    `named` is a sources file with a Debian mirror. The machine need not know the keys of Debian's
    archive: the caller checks each package by its SHA-256.
    """
    if named:
        addresses = [uri for uri, _, components, _ in _entries_of(pathlib.Path(named))
                     if "main" in components]
    elif template.is_file():
        addresses = re.findall(r"^BaseURI: (\S+)", template.read_text(encoding="utf-8"), re.M)
    else:
        addresses = []
    return "".join(f"Types: deb\nURIs: {uri}\nSuites: {release}\nComponents: main\nTrusted: yes\n\n"
                   for uri in addresses[:1])


def debian_sources(release):
    """A deb822 text that asks for `main` of a Debian release; empty if no mirror is known."""
    named = os.environ.get("SIGHTLINE_APT_SOURCE")
    if named or os_release("ID") != "debian":
        return foreign_sources_for(release, named)
    return sources_for(release, machine_entries(), os_release("VERSION_CODENAME"))
