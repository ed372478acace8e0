"""The cache folder: where it is, what is complete, and how a folder gets in atomically.

A finished folder holds `manifest.json` with each file's digest. Folders are built below `staging/`
and renamed into place, so that an interrupted run leaves either the old folder or none.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import shutil
import tempfile

MANIFEST = "manifest.json"
NOT_THERE = "not there"
_CHUNK = 1 << 20
_MAX_MANIFEST = 1 << 24


def default_root():
    """`$XDG_CACHE_HOME/sightline`, or `~/.cache/sightline`."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "sightline"


def file_digest(path):
    """Lower-case SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_CHUNK):
            digest.update(block)
    return digest.hexdigest()


def manifest_bytes(name, folder):
    """The manifest of a folder's present content; the same content gives the same bytes."""
    files = []
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder).as_posix()
        if path.is_file() and relative != MANIFEST:
            files.append({"name": relative, "sha256": file_digest(path),
                          "size_bytes": path.stat().st_size})
    text = json.dumps({"name": name, "files": files}, indent=1, ensure_ascii=True)
    return (text + "\n").encode("ascii")


class Cache:
    """One cache folder; the methods take registry items."""

    def __init__(self, root):
        self.root = pathlib.Path(root)

    def path(self, item):
        return self.root / item.folder

    @contextlib.contextmanager
    def lock(self, on_wait):
        """Held while something is written; a second run waits, after `on_wait` has been called."""
        self.root.mkdir(parents=True, exist_ok=True)
        with open(self.root / ".lock", "w", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                on_wait()
                fcntl.flock(file, fcntl.LOCK_EX)
            shutil.rmtree(self.root / "staging", ignore_errors=True)
            yield

    def staging(self):
        """A new empty folder on the same file system; the caller removes or installs it."""
        parent = self.root / "staging"
        parent.mkdir(parents=True, exist_ok=True)
        return pathlib.Path(tempfile.mkdtemp(dir=parent))

    def _manifest(self, item):
        """What the item's manifest lists, or None where it is missing or not the registry's."""
        path = self.path(item) / MANIFEST
        try:
            if path.stat().st_size > _MAX_MANIFEST:
                return None
            data = path.read_bytes()
            listed = {entry["name"]: (entry["sha256"], entry["size_bytes"])
                      for entry in json.loads(data)["files"]}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if item.files:
            wanted = {file.name: (file.sha256, file.size_bytes) for file in item.files}
            return listed if listed == wanted else None
        return listed if hashlib.sha256(data).hexdigest() == item.tree_sha256 else None

    def problems(self, item, deep=False):
        """What is wrong with an item, empty when it is complete. `deep` reads every byte."""
        folder = self.path(item)
        if not (folder / MANIFEST).is_file():
            return [NOT_THERE]
        expected = self._manifest(item)
        if expected is None:
            return ["its manifest lists something else than the registry"]
        found = []
        for name, (sha256, size) in expected.items():
            path = folder / name
            if not path.is_file():
                found.append(f"{name} is missing")
            elif path.stat().st_size != size:
                found.append(f"{name} has {path.stat().st_size} bytes instead of {size}")
            elif deep and file_digest(path) != sha256:
                found.append(f"{name} is damaged (its SHA-256 is not {sha256})")
        return found

    def install(self, item, folder):
        """Checks a built folder against the registry and moves it into place."""
        data = manifest_bytes(item.name, folder)
        found = {entry["name"]: (entry["sha256"], entry["size_bytes"])
                 for entry in json.loads(data)["files"]}
        if item.files:
            wanted = {file.name: (file.sha256, file.size_bytes) for file in item.files}
            wrong = sorted(name for name in found.keys() | wanted.keys()
                           if found.get(name) != wanted.get(name))
            if wrong:
                raise ValueError(f"{item.name}: made something else than the registry says: "
                                 + ", ".join(f"{name} {found.get(name)}" for name in wrong))
        elif hashlib.sha256(data).hexdigest() != item.tree_sha256:
            raise ValueError(f"{item.name}: its files' list has the SHA-256 "
                             f"{hashlib.sha256(data).hexdigest()}, not {item.tree_sha256}")
        (folder / MANIFEST).write_bytes(data)
        target = self.path(item)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            os.rename(target, self.staging() / "replaced")
        folder.chmod(0o755)
        os.rename(folder, target)
