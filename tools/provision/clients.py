"""Downloads one package with the ordinary client of its registry.

No host is named here: each client uses what its own configuration says. Whatever a client leaves is
accepted only by its SHA-256. Nothing of a package is installed, imported or executed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

from . import apt_sources
from .cache import file_digest
from .hub import download_file, hub_address

_MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
_PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64", "any")
_OUTPUT_TAIL = 12
_REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class ClientError(Exception):
    """A package could not be had; the text says what to do about it."""


def _run(command, hint, environment=None, folder=None):
    """Runs a client; its output is shown only if it fails."""
    try:
        result = subprocess.run(command, env={**os.environ, **(environment or {})}, cwd=folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    except FileNotFoundError as error:
        raise ClientError(f"{command[0]} is not installed. {hint}") from error
    if result.returncode != 0:
        tail = "\n".join(result.stdout.splitlines()[-_OUTPUT_TAIL:])
        raise ClientError(f"{command[0]} failed ({result.returncode}):\n{tail}\n{hint}")
    return result.stdout


def _pypi(package, folder, _scratch):
    name, _, version = package.spec.partition("==")
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{name}=={version} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    python = package.python or "311"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input",
               "--disable-pip-version-check", "--require-hashes", "--dest", str(folder),
               "--only-binary=:all:", "--implementation", "cp", "--python-version", python,
               "--abi", "cp" + python, "--abi", "abi3", "--abi", "none"]
    for platform in _PLATFORMS:
        command += ["--platform", platform]
    hint = ("Needed: pip (Debian and Ubuntu: apt-get install python3-pip) and a network, "
            "or a package mirror set in pip's configuration.")
    _run(command + ["-r", str(requirements)], hint, {"TMPDIR": str(folder)})
    requirements.unlink()


def _cargo_cache():
    home = os.environ.get("CARGO_HOME") or os.path.join(os.path.expanduser("~"), ".cargo")
    return pathlib.Path(home) / "registry" / "cache"


def _cached_crate(name, version, sha256):
    for path in _cargo_cache().glob(f"*/{name}-{version}.crate"):
        if file_digest(path) == sha256:
            return path
    return None


def _fetch_crate_project(name, version, folder, hint):
    """For a cargo before 1.82: fetches a project that depends on the crate."""
    project = folder / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").write_text("", encoding="utf-8")
    (project / "Cargo.toml").write_text(
        '[package]\nname = "provision"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
        f'{name} = {{ version = "={version}", default-features = false }}\n', encoding="utf-8")
    try:
        _run(["cargo", "fetch", "--target", "x86_64-unknown-linux-gnu"], hint, folder=project)
    finally:
        shutil.rmtree(project)


def _crate(package, folder, _scratch):
    name, _, version = package.spec.partition("@")
    hint = ("Needed: cargo 1.70 or newer (Debian 12: apt-get install cargo-web; Ubuntu 24.04: "
            "apt-get install cargo) and a network.")
    if _cached_crate(name, version, package.sha256) is None:
        # `cargo info` brings the crate alone; before 1.82 cargo has only `fetch`.
        found = re.search(r"(\d+)\.(\d+)", _run(["cargo", "--version"], hint))
        if found and (int(found[1]), int(found[2])) >= (1, 82):
            _run(["cargo", "info", "--quiet", f"{name}@{version}"], hint, folder=folder)
        else:
            try:
                _fetch_crate_project(name, version, folder, hint)
            except ClientError:
                # Old cargo may stop at another crate's newer manifest after all are downloaded.
                if _cached_crate(name, version, package.sha256) is None:
                    raise
    path = _cached_crate(name, version, package.sha256)
    if path is None:
        raise ClientError(f"cargo brought no {name}-{version} with the right SHA-256. {hint}")
    shutil.copyfile(path, folder / path.name)


def _maven(package, folder, _scratch):
    hint = "Needed: mvn (apt-get install maven) and a network."
    _run(["mvn", "-q", "-B", _MAVEN_COPY, f"-Dartifact={package.spec}:jar",
          f"-DoutputDirectory={folder}"], hint, folder=folder)


def _deb(package, folder, scratch):
    """SPEC is RELEASE/PACKAGE=VERSION; the machine's own lists do where they are of RELEASE."""
    release, _, wanted = package.spec.partition("/")
    hint = ("Needed: apt, a Debian mirror and a network. Where apt's sources name no mirror of Debian, "
            "install python-apt-common or name a sources file with one in SIGHTLINE_APT_SOURCE.")
    download_it = ["-q", "-o", "APT::Sandbox::User=root", "download", wanted]
    if release == apt_sources.os_release("VERSION_CODENAME"):
        try:
            _run(["apt-get", *download_it], hint, folder=folder)
            return
        except ClientError:
            pass  # its lists may be empty or old: ask with fresh ones of our own
    options = _private_apt(release, scratch / f"apt-{release}", hint)
    _run(["apt-get", *options, *download_it], hint, folder=folder)


def _private_apt(release, state, hint):
    """Options for apt-get with lists of another release that leave the machine's own alone."""
    text = apt_sources.debian_sources(release)
    if not text:
        raise ClientError(f"no apt source of this machine can be asked for {release}. {hint}")
    for name in ("lists/partial", "cache/archives/partial", "parts"):
        (state / name).mkdir(parents=True, exist_ok=True)
    (state / "parts" / "release.sources").write_text(text, encoding="utf-8")
    options = ["-o", "Dir::Etc::sourcelist=/dev/null",
               "-o", f"Dir::Etc::sourceparts={state}/parts",
               "-o", f"Dir::State::lists={state}/lists", "-o", f"Dir::Cache={state}/cache",
               "-o", "APT::Sandbox::User=root", "-o", "Acquire::Languages=none",
               "-o", "APT::Update::Post-Invoke-Success::="]
    if not (state / "updated").exists():
        _run(["apt-get", *options, "-q", "update"], hint)
        (state / "updated").touch()
    return options


def _file(package, folder, _scratch):
    source = _REPOSITORY / package.spec
    shutil.copyfile(source, folder / source.name)


def _web(package, folder, _scratch):
    address = package.source if package.scheme == "https" else hub_address(package.spec)
    name = pathlib.PurePosixPath(urllib.parse.urlsplit(address).path).name
    download_file(address, folder / name, package.size_bytes)


_CLIENTS = {"pypi": _pypi, "crate": _crate, "maven": _maven, "deb": _deb, "file": _file,
            "hf": _web, "https": _web}


def download(package, folder, scratch):
    """Downloads a package into an empty folder and returns its path; the digest has been checked.

    `scratch` is kept for the whole run: the lists of another Debian release are read once.
    """
    _CLIENTS[package.scheme](package, folder, scratch)
    files = [path for path in folder.iterdir() if path.is_file()]
    if len(files) != 1:
        raise ClientError(f"{package.source}: expected one file, got {len(files)}")
    digest = file_digest(files[0])
    if digest != package.sha256:
        raise ClientError(f"{package.source}: SHA-256 is {digest}, not {package.sha256}; "
                          "the registry served something else, nothing was installed")
    return files[0]
