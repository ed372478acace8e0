"""Reads models/registry.toml into plain records and checks every field.

The program reads the same file with toml++; docs/models.md describes it.
"""

import pathlib
import re
import tomllib
from dataclasses import dataclass, field

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SCHEMES = ("pypi", "crate", "maven", "deb", "hf", "https", "file")
_MAX_BYTES = 1 << 34


class RegistryError(Exception):
    """The registry says something that this program cannot follow."""


@dataclass
class Take:
    """One member of an archive, or every member below a folder (a name that ends with a slash)."""

    member: str
    to: str


@dataclass
class Package:
    """One thing to download: `source` is SCHEME:WHAT, the digest is of the downloaded file."""

    source: str
    sha256: str
    size_bytes: int
    takes: list
    python: str = ""

    @property
    def scheme(self):
        return self.source.partition(":")[0]

    @property
    def spec(self):
        return self.source.partition(":")[2]


@dataclass
class File:
    """An installed file and its digest."""

    name: str
    sha256: str
    size_bytes: int


@dataclass
class Item:
    """A runtime, a model, a tool or a set of samples: one folder of the cache."""

    section: str
    name: str
    licence: str
    folder: str
    packages: list
    kind: str = ""
    default: bool = False
    convert: str = ""
    variant: str = ""
    tree_sha256: str = ""
    files: list = field(default_factory=list)

    @property
    def download_bytes(self):
        return sum(package.size_bytes for package in self.packages)


def safe_relative(path):
    """True for a relative path that stays inside its folder."""
    parts = pathlib.PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path


def _check(condition, where, what):
    if not condition:
        raise RegistryError(f"{where}: {what}")


def _package(table, where):
    takes = [Take(take["member"], take["to"]) for take in table.get("take", [])]
    package = Package(table["source"], table["sha256"], table["size_bytes"], takes,
                      table.get("python", ""))
    _check(package.scheme in _SCHEMES, where, f"unknown source {package.source}")
    _check(_DIGEST.fullmatch(package.sha256), where, f"not a SHA-256: {package.sha256}")
    _check(0 <= package.size_bytes <= _MAX_BYTES, where, "size_bytes is out of range")
    for take in takes:
        whole_folder = take.to == "" and take.member.endswith("/")
        _check(whole_folder or safe_relative(take.to), where, f"path leaves its folder: {take.to}")
    return package


def _item(section, table, folder):
    where = f"[[{section}]] {table.get('name')}"
    try:
        packages = [_package(entry, where) for entry in table["package"]]
        files = [File(entry["name"], entry["sha256"], entry["size_bytes"])
                 for entry in table.get("file", [])]
        item = Item(section, table["name"], table["licence"], folder, packages,
                    table.get("kind", ""), table.get("default", False), table.get("convert", ""),
                    table.get("variant", ""), table.get("tree_sha256", ""), files)
    except KeyError as error:
        raise RegistryError(f"{where}: field missing: {error.args[0]}") from error
    _check(_NAME.fullmatch(item.name), where, "bad name")
    _check(bool(item.files) != bool(item.tree_sha256), where, "needs either files or tree_sha256")
    for entry in files:
        _check(safe_relative(entry.name) and _DIGEST.fullmatch(entry.sha256), where,
               f"bad file entry {entry.name}")
    return item


def load(path):
    """All items of the registry, by section: runtime, model, tool and sample."""
    try:
        with open(path, "rb") as file:
            document = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RegistryError(f"cannot read the registry: {error}") from error
    _check(document.get("schema") == 1, path, "this program reads schema 1")
    folders = {"runtime": "runtime", "model": "models", "tool": "tools", "sample": "samples"}
    items = {}
    for section, parent in folders.items():
        items[section] = [
            _item(section, table, f"{parent}/{table.get('folder', table.get('name'))}")
            for table in document.get(section, [])]
    names = [item.name for item in items["model"]]
    _check(len(names) == len(set(names)), path, "two models have one name")
    return items
