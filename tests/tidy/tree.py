"""The files of the repository that the checks look at, and how a finding is said."""

import dataclasses
import functools
import os
import pathlib
import re
import subprocess

CPP = (".h", ".cc")
_PASSED_OVER = {".git", "build", "node_modules", "dist", "__pycache__", "sightline-data", "test-results"}
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


class Skip(Exception):
    """A check cannot run here; the text says why."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that is wrong. `path` is relative to the root; `line` is 0 if it is about the whole file."""
    path: str
    line: int
    text: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.text}" if self.line else f"{self.path}: {self.text}"


class Tree:
    """Reads the files below `root` once. Paths are relative to it, with forward slashes."""

    def __init__(self, root, build=None, cache=None):
        self.root = pathlib.Path(root).resolve()
        self.build = pathlib.Path(build).resolve() if build else None
        self.cache = pathlib.Path(cache).resolve() if cache else None

    @functools.cached_property
    def paths(self):
        """Every file that git tracks or would track; every file, where there is no git."""
        if (self.root / ".git").exists():
            listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=self.root,
                                    capture_output=True, check=True).stdout.decode("utf-8")
            return sorted(path for path in set(listed.split("\0")) if path and (self.root / path).is_file())
        found = []
        for folder, names, files in os.walk(self.root):
            names[:] = [name for name in names if name not in _PASSED_OVER and not name.startswith("build-")]
            found += [(pathlib.Path(folder) / name).relative_to(self.root).as_posix() for name in files]
        return sorted(found)

    def having(self, *suffixes, under=""):
        """Paths with one of the suffixes, below a folder."""
        return [path for path in self.paths if path.startswith(under) and path.endswith(suffixes)]

    @functools.lru_cache(maxsize=None)
    def text(self, path):
        """The file as text; bytes that are not UTF-8 are replaced."""
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def includes(self, path):
        """(line number, path as written) of each quoted include."""
        text = self.text(path)
        return [(text.count("\n", 0, match.start(1)) + 1, match[1]) for match in _INCLUDE.finditer(text)]

    def resolve(self, path, included):
        """The repository path that an include means, or None where it is generated or foreign."""
        for candidate in (f"src/{included}", f"tests/{included}", str(pathlib.PurePosixPath(path).parent / included), included):
            if candidate in self.known:
                return candidate
        return None

    @functools.cached_property
    def known(self):
        return frozenset(self.paths)
