"""Brings registry items into the cache: download, take out, convert, check, move into place."""

import shutil
import sys

from . import clients, converters
from .archive import extract
from .cache import file_digest


class Installer:
    """One run over one cache folder; the lock is held by the caller."""

    def __init__(self, cache, registry, reporter):
        self.cache, self.registry, self.reporter = cache, registry, reporter
        self._scratch = None

    def missing(self, items, deep=False):
        """The items that are not complete, each with what is wrong."""
        found = [(item, self.cache.problems(item, deep)) for item in items]
        return [(item, problems) for item, problems in found if problems]

    def needs(self, items):
        """The items themselves and before them the numpy that their converters need."""
        if any(item.convert for item in items) and not converters.has_numpy():
            tool = self.numpy_item()
            if self.cache.problems(tool):
                return [tool, *items]
        return list(items)

    def numpy_item(self):
        """The registry's numpy for the running Python."""
        tag = f"{sys.version_info.major}{sys.version_info.minor}"
        for tool in self.registry["tool"]:
            if tool.packages[0].python == tag:
                return tool
        raise clients.ClientError(
            f"the converters need numpy, and the registry has none for this Python ({tag}). "
            "Install numpy (Debian and Ubuntu: apt-get install python3-numpy).")

    def _packages_folder(self):
        return self.cache.root / "packages"

    def package(self, package):
        """The downloaded package's path; one that an earlier run left is used again."""
        store = self._packages_folder() / package.sha256
        if store.is_dir():
            for path in store.iterdir():
                if file_digest(path) == package.sha256:
                    return path
            shutil.rmtree(store)
        if self._scratch is None:
            self._scratch = self.cache.staging()
        folder = self.cache.staging()
        with self.reporter.watch(f"  {package.source}", [folder], package.size_bytes):
            path = clients.download(package, folder, self._scratch)
        store.mkdir(parents=True)
        path = path.rename(store / path.name)
        shutil.rmtree(folder)
        return path

    def install(self, item):
        """Installs one item; on an error the cache keeps what it had."""
        self.reporter.say(f"{item.section} {item.name}")
        packages = [self.package(package) for package in item.packages]
        taken = self.cache.staging()
        for package, path in zip(item.packages, packages):
            extract(path, package.takes, taken)
        if item.convert:
            if not converters.has_numpy():
                converters.use_numpy_from(self.cache.path(self.numpy_item()))
            self.reporter.say(f"  converting {item.name}")
            built = self.cache.staging()
            converters.convert(item, taken, built)
            shutil.rmtree(taken)
            taken = built
        self.cache.install(item, taken)

    def drop_packages(self):
        """Removes downloaded packages; what they held is in place."""
        shutil.rmtree(self._packages_folder(), ignore_errors=True)
        shutil.rmtree(self.cache.root / "staging", ignore_errors=True)
