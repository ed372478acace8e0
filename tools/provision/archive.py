"""Takes files out of wheels, jars, crates, sdists and Debian packages.

An archive is data: names, counts and sizes are checked before anything is written, links are never
followed and nothing is executed.
"""

import pathlib
import shutil
import subprocess
import tarfile
import zipfile

from .registry import safe_relative

_MAX_MEMBERS = 100_000
_MAX_MEMBER_BYTES = 1 << 31
_MAX_TOTAL_BYTES = 1 << 32


class ArchiveError(Exception):
    """An archive is not what the registry says."""


def _target(takes, name):
    """Where a member goes, or None if nobody asked for it."""
    for take in takes:
        if take.member == name:
            return take.to
        if take.member.endswith("/") and name.startswith(take.member):
            return take.to + name[len(take.member):]
        # "folder/*.h" takes the headers that lie directly in a folder.
        head, star, tail = take.member.partition("*")
        rest = name[len(head):]
        if star and name.startswith(head) and name.endswith(tail) and "/" not in rest:
            return take.to + rest
    return None


class _Writer:
    """Writes members below a folder and keeps the sums bounded."""

    def __init__(self, takes, folder):
        self.takes, self.folder = takes, folder
        self.total, self.count, self.written = 0, 0, []

    def want(self, name, size):
        """The path for this member, or None. Raises ArchiveError where a bound is passed."""
        self.count += 1
        to = _target(self.takes, name)
        if self.count > _MAX_MEMBERS:
            raise ArchiveError("too many members")
        if to is None:
            return None
        self.total += size
        if size > _MAX_MEMBER_BYTES or self.total > _MAX_TOTAL_BYTES:
            raise ArchiveError(f"{name} is too large: {size} bytes")
        if not safe_relative(to):
            raise ArchiveError(f"a member's name leaves its folder: {name!r}")
        path = self.folder / to
        path.parent.mkdir(parents=True, exist_ok=True)
        self.written.append(name)
        return path

    def copy(self, source, path, size):
        with open(path, "wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
        if path.stat().st_size != size:
            raise ArchiveError(f"{path.name} has another size than its archive says")

    def finish(self, archive):
        for take in self.takes:
            if not any(_target([take], name) is not None for name in self.written):
                raise ArchiveError(f"{archive.name} holds no {take.member}")


def _extract_zip(path, writer):
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            target = writer.want(member.filename, member.file_size)
            if target is not None:
                with archive.open(member) as source:
                    writer.copy(source, target, member.file_size)


def _extract_tar(archive, writer):
    for member in archive:
        if not member.isfile():
            continue
        name = member.name.removeprefix("./")
        target = writer.want(name, member.size)
        if target is not None:
            writer.copy(archive.extractfile(member), target, member.size)


def _extract_deb(path, writer):
    command = ["dpkg-deb", "--fsys-tarfile", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            _extract_tar(archive, writer)
        process.stdout.read()
    if process.returncode != 0:
        raise ArchiveError(f"dpkg-deb could not read {path.name}")


def extract(path, takes, folder):
    """Writes the members named by `takes` below `folder`; every take must match something."""
    path, writer = pathlib.Path(path), _Writer(takes, pathlib.Path(folder))
    try:
        if path.suffix in (".whl", ".jar", ".aar", ".zip"):
            _extract_zip(path, writer)
        elif path.suffix == ".deb":
            _extract_deb(path, writer)
        elif path.suffix == ".crate" or path.name.endswith((".tar.gz", ".tgz", ".tar.xz")):
            with tarfile.open(path, "r:*") as archive:
                _extract_tar(archive, writer)
        else:
            target = writer.want(path.name, path.stat().st_size)
            if target is not None:
                shutil.copyfile(path, target)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError) as error:
        raise ArchiveError(f"{path.name} is damaged: {error}") from error
    writer.finish(path)
