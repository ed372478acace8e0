"""Converters of model files. They need numpy: Python's own, or the copy that tools/fetch keeps."""

import importlib.util
import os
import sys

if importlib.util.find_spec("numpy") is None:
    _CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    _TAG = f"numpy-cp{sys.version_info.major}{sys.version_info.minor}"
    sys.path.append(os.path.join(_CACHE, "sightline", "tools", _TAG))
