"""Runs the converters of tools/convert with numpy, the system's or the cache's."""

import importlib
import sys

_MINIMUM_NUMPY = (1, 23)


def numpy_version():
    """The importable numpy's (major, minor), or None."""
    try:
        import numpy
    except ImportError:
        return None
    return tuple(int(part) for part in numpy.__version__.split(".")[:2])


def has_numpy():
    """True if this interpreter's own numpy is good enough, so that none has to be fetched."""
    found = numpy_version()
    return found is not None and found >= _MINIMUM_NUMPY


def use_numpy_from(folder):
    """Makes the cached numpy importable; only called where there is no other."""
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()


def convert(item, inputs, folder):
    """Calls `item.convert` on the members in `inputs`; its files go below `folder`."""
    module = importlib.import_module("convert." + item.convert)
    members = {path.relative_to(inputs).as_posix(): path
               for path in sorted(inputs.rglob("*")) if path.is_file()}

    def write(name, data):
        (folder / name).write_bytes(data)

    arguments = (item.variant,) if item.variant else ()
    module.convert(members, write, *arguments)
