import hashlib
import http.server
import io
import os
import pathlib
import tarfile
import tempfile
import threading
import unittest
import zipfile
from unittest import mock

from provision import apt_sources, archive, cache, command, hub, registry
from provision.registry import Take

_MODEL = """
schema = 1
[[model]]
name = "tiny"
kind = "text"
licence = "MIT"
file = [ {{ name = "a.bin", sha256 = "{file}", size_bytes = 3 }} ]
[[model.package]]
source = "file:{path}"
sha256 = "{package}"
size_bytes = {size}
take = [ {{ member = "in/a.bin", to = "{to}" }} ]
"""


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="with a space ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def zip(self, members, name="package.zip"):
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as package:
            for member, data in members.items():
                package.writestr(member, data)
        return path

    def registry_file(self, package, content=b"abc", to="a.bin", digest=None):
        path = self.folder / "registry.toml"
        path.write_text(_MODEL.format(
            file=hashlib.sha256(content).hexdigest(), path=package, to=to,
            package=digest or cache.file_digest(package), size=package.stat().st_size))
        return path

    def fetch(self, *arguments):
        """Runs the command line; returns (status, what it wrote to standard error)."""
        errors = io.StringIO()
        with mock.patch("sys.argv", ["fetch", *map(str, arguments)]), \
                mock.patch("sys.stderr", errors), mock.patch("sys.stdout", io.StringIO()):
            return command.main(), errors.getvalue()


class ArchiveTest(Scratch):
    def test_member_that_leaves_the_folder_is_refused(self):
        path = self.zip({"in/../../evil": b"x"})
        with self.assertRaisesRegex(archive.ArchiveError, "leaves its folder"):
            archive.extract(path, [Take("in/", "out/")], self.folder / "to")
        self.assertFalse((self.folder / "evil").exists())

    def test_links_in_a_tar_are_not_followed(self):
        path = self.folder / "source.tar.gz"
        with tarfile.open(path, "w:gz") as package:
            link = tarfile.TarInfo("in/passwd")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            package.addfile(link)
        with self.assertRaisesRegex(archive.ArchiveError, "holds no"):
            archive.extract(path, [Take("in/passwd", "passwd")], self.folder / "to")

    def test_star_takes_one_folder_only(self):
        path = self.zip({"h/a.h": b"1", "h/deep/b.h": b"2", "h/c.txt": b"3"})
        archive.extract(path, [Take("h/*.h", "include/")], self.folder / "to")
        found = [p.name for p in (self.folder / "to").rglob("*") if p.is_file()]
        self.assertEqual(found, ["a.h"])

    def test_too_large_members_are_refused(self):
        path = self.zip({"a": b"12345"})
        with mock.patch.object(archive, "_MAX_MEMBER_BYTES", 4):
            with self.assertRaisesRegex(archive.ArchiveError, "too large"):
                archive.extract(path, [Take("a", "a")], self.folder / "to")

    def test_damaged_archive_is_an_archive_error(self):
        path = self.folder / "bad.whl"
        path.write_bytes(b"not a zip")
        with self.assertRaisesRegex(archive.ArchiveError, "damaged"):
            archive.extract(path, [Take("a", "a")], self.folder / "to")


class FetchTest(Scratch):
    def install(self, **changes):
        package = self.zip({"in/a.bin": b"abc"})
        listing = self.registry_file(package, **changes)
        return ["--registry", listing, "--cache", self.folder / "the cache", "--models", "tiny"]

    def test_installs_then_needs_nothing(self):
        arguments = self.install()
        self.assertEqual(self.fetch(*arguments)[0], 0)
        (self.folder / "package.zip").unlink()
        self.assertEqual(self.fetch(*arguments, "--offline"), (0, ""))
        left = {path.name for path in (self.folder / "the cache").iterdir()}
        self.assertEqual(left, {"models", ".lock"})

    def test_damaged_file_is_found_and_fetched_anew(self):
        arguments = self.install()
        self.fetch(*arguments)
        installed = self.folder / "the cache" / "models" / "tiny" / "a.bin"
        installed.write_bytes(b"abX")
        self.assertEqual(self.fetch(*arguments, "--verify")[0], 0)
        self.assertEqual(installed.read_bytes(), b"abc")

    def test_offline_without_the_files_says_what_is_missing(self):
        status, errors = self.fetch(*self.install(), "--offline")
        self.assertEqual(status, 1)
        self.assertIn("not in the cache: tiny", errors)

    def test_package_with_another_digest_installs_nothing(self):
        status, errors = self.fetch(*self.install(digest="0" * 64))
        self.assertEqual(status, 1)
        self.assertIn("SHA-256", errors)
        self.assertFalse((self.folder / "the cache" / "models").exists())

    def test_file_with_another_digest_installs_nothing(self):
        status, _ = self.fetch(*self.install(content=b"other"))
        self.assertEqual(status, 1)
        self.assertFalse((self.folder / "the cache" / "models").exists())

    def test_failure_keeps_the_old_folder(self):
        self.fetch(*self.install())
        installed = self.folder / "the cache" / "models" / "tiny" / "a.bin"
        self.assertEqual(self.fetch(*self.install(content=b"new"))[0], 1)
        self.assertEqual(installed.read_bytes(), b"abc")

    def test_changed_registry_fetches_anew(self):
        self.fetch(*self.install())
        package = self.zip({"in/a.bin": b"new"})
        arguments = ["--registry", self.registry_file(package, content=b"new"),
                     "--cache", self.folder / "the cache", "--models", "tiny"]
        self.assertEqual(self.fetch(*arguments)[0], 0)
        installed = self.folder / "the cache" / "models" / "tiny" / "a.bin"
        self.assertEqual(installed.read_bytes(), b"new")

    def test_registry_path_that_leaves_its_folder_is_refused(self):
        status, errors = self.fetch(*self.install(to="../a.bin"))
        self.assertEqual((status, "leaves its folder" in errors), (1, True))

    def test_project_registry_loads(self):
        items = registry.load(command._REGISTRY)
        defaults = [item.name for item in items["model"] if item.default]
        self.assertEqual(defaults, ["e5-small", "efficientnet-lite2", "pp-ocrv6", "whisper-base"])


class AptSourcesTest(unittest.TestCase):
    def test_both_formats_give_the_same_entries(self):
        line = "deb [signed-by=/k.gpg arch=amd64] http://mirror/debian bookworm main contrib # x\n"
        stanza = ("# mirror\nTypes: deb\nURIs: http://mirror/debian\nSuites: bookworm\n"
                  "Components: main contrib\nSigned-By: /k.gpg\n")
        self.assertEqual(apt_sources.parse_one_line(line), apt_sources.parse_deb822(stanza))

    def test_disabled_and_source_entries_are_left_out(self):
        text = "Enabled: no\nTypes: deb\nURIs: u\nSuites: s\nComponents: main\n\nTypes: deb-src\n"
        self.assertEqual(apt_sources.parse_deb822(text), [])
        self.assertEqual(apt_sources.parse_one_line("# deb u s main\ndeb-src u s main\n"), [])

    def test_only_the_main_suite_is_asked_for_another_release(self):
        entries = [("u", "bookworm", ["main"], "/k"), ("u", "bookworm-updates", ["main"], ""),
                   ("v", "bookworm-security", ["main"], ""), ("w", "nodistro", ["main"], "")]
        text = apt_sources.sources_for("trixie", entries, "bookworm")
        self.assertEqual(text.count("Types:"), 1)
        self.assertIn("Suites: trixie\n", text)
        self.assertIn("Signed-By: /k\n", text)

    def test_where_the_machine_is_no_debian_its_own_mirror_is_not_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            named = pathlib.Path(folder) / "mirror.list"
            named.write_text("deb http://mirror/debian bookworm main\n", encoding="utf-8")
            template = pathlib.Path(folder) / "Debian.info"
            template.write_text("Suite: {series}\nBaseURI: http://archive/debian/\n\n"
                                "Suite: {series}-security\nBaseURI: http://security/\n", encoding="utf-8")
            missing = pathlib.Path(folder) / "none"
            text = apt_sources.foreign_sources_for("trixie", named, template)
            self.assertEqual(apt_sources.parse_deb822(text), [("http://mirror/debian", "trixie", ["main"], "")])
            text = apt_sources.foreign_sources_for("bookworm", None, template)
            self.assertEqual(apt_sources.parse_deb822(text), [("http://archive/debian/", "bookworm", ["main"], "")])
            self.assertEqual(apt_sources.foreign_sources_for("bookworm", None, missing), "")

    def test_embedded_key_stays_a_continued_field(self):
        entries = apt_sources.parse_deb822(
            "Types: deb\nURIs: u\nSuites: s\nComponents: main\nSigned-By:\n -----KEY\n .\n abc\n")
        self.assertEqual(entries[0][3], "\n -----KEY\n .\n abc")


class _Server(http.server.BaseHTTPRequestHandler):
    content, cut, ranges = b"0123456789", 4, []

    def do_GET(self):
        start = 0
        if "Range" in self.headers:
            start = int(self.headers["Range"].split("=")[1].split("-")[0])
            self.ranges.append(start)
        if "missing" in self.path:
            self.send_error(404)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(self.content) - start))
        self.end_headers()
        # The first answer stops in the middle, as a broken connection does.
        self.wfile.write(self.content[start:] if start else self.content[:self.cut])

    def log_message(self, *_arguments):
        pass


class HubTest(Scratch):
    def setUp(self):
        super().setUp()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        endpoint = f"http://127.0.0.1:{server.server_port}"
        self.enterContext(mock.patch.dict(os.environ, {"HF_ENDPOINT": endpoint}))
        _Server.ranges.clear()

    def test_broken_download_goes_on_where_it_stopped(self):
        path = self.folder / "file"
        hub.download_file(hub.hub_address("org/name@main/model.onnx"), path, 10)
        self.assertEqual(path.read_bytes(), _Server.content)
        self.assertEqual(_Server.ranges, [4])

    def test_more_bytes_than_expected_is_an_error(self):
        with self.assertRaisesRegex(hub.DownloadError, "more than"):
            hub.download_file(hub.hub_address("org/name@main/a"), self.folder / "file", 3)

    def test_missing_file_is_not_tried_again(self):
        with self.assertRaisesRegex(hub.DownloadError, "404"):
            hub.download_file(hub.hub_address("org/name@main/missing"), self.folder / "f", 10)

    def test_names_that_leave_the_model_are_refused(self):
        for spec in ("org/name@main/../x", "name", "org/name@main", "http://evil@x/y"):
            with self.assertRaises(hub.DownloadError, msg=spec):
                hub.hub_address(spec)


if __name__ == "__main__":
    unittest.main()
