"""Downloads over HTTPS, continuing where an earlier try stopped; knows model hub names.

`hf:ORG/NAME@REVISION/PATH` is a file of a model hub; `HF_ENDPOINT` names a mirror, `HF_TOKEN` opens
private models. Used for models that a user adds; the models of this registry come from packages.
"""

import os
import re
import urllib.error
import urllib.request

_DEFAULT_HUB = "https://huggingface.co"
_SPEC = re.compile(r"(?P<model>[\w.-]+/[\w.-]+)@(?P<revision>[\w.-]+)/(?P<path>[\w./-]+)")
_TIMEOUT_S = 60
_CHUNK = 1 << 18
_TRIES = 4


class DownloadError(Exception):
    """A file could not be had; the text says what to do about it."""


def hub_address(spec):
    """The address of `ORG/NAME@REVISION/PATH` on the hub or its mirror."""
    match = _SPEC.fullmatch(spec)
    if match is None or ".." in match["path"]:
        raise DownloadError(f"not ORG/NAME@REVISION/PATH: {spec}")
    hub = os.environ.get("HF_ENDPOINT", _DEFAULT_HUB).rstrip("/")
    return f"{hub}/{match['model']}/resolve/{match['revision']}/{match['path']}"


def _request(address, start):
    request = urllib.request.Request(address, headers={"User-Agent": "sightline-fetch"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    token = os.environ.get("HF_TOKEN")
    if token and address.startswith(os.environ.get("HF_ENDPOINT", _DEFAULT_HUB)):
        # Unredirected: the token must not follow a redirect to another host.
        request.add_unredirected_header("Authorization", f"Bearer {token}")
    return request


def _continue(address, path, limit):
    """Appends what is missing; returns when the server has no more."""
    start = path.stat().st_size if path.exists() else 0
    with urllib.request.urlopen(_request(address, start), timeout=_TIMEOUT_S) as response:
        mode = "ab" if start and response.status == 206 else "wb"
        written = start if mode == "ab" else 0
        with open(path, mode) as file:
            while block := response.read(_CHUNK):
                written += len(block)
                if written > limit:
                    raise DownloadError(f"{address}: more than the {limit} bytes expected")
                file.write(block)


def download_file(address, path, size_bytes):
    """Downloads `address` to `path`, which must end up `size_bytes` long; tries four times."""
    problem = None
    for _ in range(_TRIES):
        try:
            _continue(address, path, size_bytes)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise DownloadError(f"{address}: the server answers {error.code}") from error
            problem = error
        except OSError as error:
            problem = error
        if path.exists() and path.stat().st_size == size_bytes:
            return
    raise DownloadError(f"{address}: not complete after {_TRIES} tries ({problem})")
