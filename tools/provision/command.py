"""The command line of tools/fetch."""

import argparse
import pathlib
import sys

from . import clients
from .archive import ArchiveError
from .cache import NOT_THERE, Cache, default_root
from .hub import DownloadError
from .install import Installer
from .progress import Reporter, human_bytes
from .registry import RegistryError, load

_REGISTRY = pathlib.Path(__file__).resolve().parents[2] / "models" / "registry.toml"
_DESCRIPTION = """\
Brings the runtimes, models and samples that Sightline needs into the cache folder, each checked by
SHA-256. Complete things are left alone, so that a second run needs no network."""
_EXAMPLES = """\
examples:
  tools/fetch                       everything that is on by default (runtimes and models)
  tools/fetch --minimal             the same without speech recognition
  tools/fetch --models e5-small     one model;  --models all  every model
  tools/fetch --size                what would be downloaded, in bytes
  tools/fetch --verify              read every byte again, fetch damaged things anew
The cache is $XDG_CACHE_HOME/sightline or ~/.cache/sightline; --cache names another folder."""


def _parser():
    parser = argparse.ArgumentParser(prog="tools/fetch", description=_DESCRIPTION, epilog=_EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", action="store_true", help="ONNX Runtime, PDFium, whisper.cpp")
    parser.add_argument("--models", nargs="+", metavar="NAME", help="default, all, or model names")
    parser.add_argument("--samples", nargs="*", metavar="NAME",
                        help="documents, photos and a video to try; or all, or names")
    parser.add_argument("--minimal", action="store_true", help="leave speech recognition out")
    parser.add_argument("--list", action="store_true", help="show what there is and its state")
    parser.add_argument("--size", action="store_true", help="only say what would be downloaded")
    parser.add_argument("--offline", action="store_true", help="use no network; fail if incomplete")
    parser.add_argument("--verify", action="store_true", help="read every byte, fetch damaged things")
    parser.add_argument("--quiet", action="store_true", help="say nothing but errors")
    parser.add_argument("--cache", metavar="FOLDER", type=pathlib.Path, help="another cache folder")
    parser.add_argument("--registry", metavar="FILE", type=pathlib.Path, default=_REGISTRY,
                        help="another registry file")
    return parser


def _is_speech(item):
    return item.kind == "speech" or item.name == "whisper.cpp"


def _named(names, items, what):
    by_name = {item.name: item for item in items}
    chosen = []
    for name in names:
        if name == "all":
            chosen += items
        elif name == "default":
            chosen += [item for item in items if item.default]
        elif name in by_name:
            chosen.append(by_name[name])
        else:
            raise RegistryError(f"no {what} is called {name}; there are: {', '.join(by_name)}")
    return chosen


def selected(arguments, registry):
    """The items that the arguments ask for, each once, in the registry's order."""
    everything = not (arguments.runtime or arguments.models or arguments.samples is not None)
    items = []
    if arguments.runtime or everything:
        items += registry["runtime"]
    if arguments.models or everything:
        items += _named(arguments.models or ["default"], registry["model"], "model")
    if arguments.samples is not None:
        items += _named(arguments.samples or ["default"], registry["sample"], "sample")
    if arguments.minimal:
        items = [item for item in items if not _is_speech(item)]
    return list({item.folder: item for item in items}.values())


def _print_list(registry, cache):
    rows = [("", "name", "kind", "licence", "download", "state")]
    for section in ("runtime", "model", "sample"):
        for item in registry[section]:
            problems = cache.problems(item)
            state = NOT_THERE if problems == [NOT_THERE] else "damaged" if problems else "complete"
            default = "*" if item.default or section == "runtime" else ""
            rows.append((default, item.name, item.kind or section, item.licence,
                         human_bytes(item.download_bytes), state))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
    print("* fetched by default")


def _print_size(installer, missing):
    items = installer.needs([item for item, _ in missing])
    total = sum({package.sha256: package.size_bytes
                 for item in items for package in item.packages}.values())
    print(f"{total} bytes to download ({human_bytes(total)})")
    for item in items:
        print(f"  {item.name}: {human_bytes(item.download_bytes)}")


def _complete(installer, missing, arguments):
    if not missing:
        return 0
    names = ", ".join(item.name for item, _ in missing)
    for item, problems in missing:
        if problems != [NOT_THERE]:
            installer.reporter.say(f"{item.name}: " + "; ".join(problems[:3]))
    if arguments.offline:
        raise clients.ClientError(f"not in the cache: {names}. Run tools/fetch without --offline.")
    with installer.cache.lock(lambda: installer.reporter.say("another tools/fetch runs; waiting")):
        # The run that we waited for may have done the work.
        still = [item for item, _ in installer.missing([item for item, _ in missing],
                                                       arguments.verify)]
        for item in installer.needs(still):
            installer.install(item)
        installer.drop_packages()
    return 0


def run(arguments):
    """Does what the arguments say; returns the exit status."""
    registry = load(arguments.registry)
    cache = Cache(arguments.cache or default_root())
    reporter = Reporter(arguments.quiet)
    if arguments.list:
        _print_list(registry, cache)
        return 0
    installer = Installer(cache, registry, reporter)
    items = selected(arguments, registry)
    missing = installer.missing(items, arguments.verify)
    if arguments.size:
        _print_size(installer, missing)
        return 0
    status = _complete(installer, missing, arguments)
    if missing or arguments.verify:
        reporter.say(f"{len(items)} things complete in {cache.root}")
    return status


def main():
    arguments = _parser().parse_args()
    try:
        return run(arguments)
    except (RegistryError, clients.ClientError, DownloadError, ArchiveError, ValueError,
            OSError) as error:
        print(f"tools/fetch: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ntools/fetch: stopped; run it again to go on from here", file=sys.stderr)
        return 130
