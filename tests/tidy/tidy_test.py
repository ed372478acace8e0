#!/usr/bin/env python3
"""Each check of tests/tidy finds what it is for, and accepts what is right."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from tidy import (comments, dead_files, exceptions, formatting, headers, layers, links, names,  # noqa: E402
                  places, sizes, thread_safety)
from tidy.functions import functions  # noqa: E402
from tidy.tree import Finding, Skip, Tree  # noqa: E402

_FOLDERS = "foreach(folder IN ITEMS base io\n                        store)\n  add_subdirectory(src/${folder})\nendforeach()\n"


class TidyTest(unittest.TestCase):
    """Writes small trees and looks at what is found."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def tree(self, **options):
        """A tree of files: `files` maps paths to texts."""
        for path, text in options.pop("files").items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text, encoding="utf-8")
        return Tree(self.folder, **options)

    def places_of(self, check, files):
        """(path, line) of what the check finds."""
        return [(finding.path, finding.line) for finding in check(self.tree(files=files))]

    def test_layers_find_an_upward_include_and_an_unlisted_folder(self):
        found = self.places_of(layers.check, {
            "CMakeLists.txt": _FOLDERS, "src/base/a.h": "", "src/store/b.h": '#include "base/a.h"\n',
            "src/io/c.cc": '// x\n#include "store/b.h"\n#include "base/a.h"\n', "src/odd/d.cc": ""})
        self.assertEqual(found, [("src/io/c.cc", 2), ("src/odd/d.cc", 0)])

    def test_layers_resolve_an_include_relative_to_its_folder(self):
        found = self.places_of(layers.check, {"CMakeLists.txt": _FOLDERS, "src/store/b.h": "",
                                              "src/base/a.cc": '#include "../store/b.h"\n'})
        self.assertEqual(found, [])  # Written with dots it names no file of the tree: dead_files and review see it.

    def test_file_sizes_find_one_long_file_and_a_high_median(self):
        found = self.places_of(sizes.check_files, {"a.cc": "x\n" * 1001, "b.ts": "x\n" * 599})
        self.assertIn(("a.cc", 0), found)
        self.assertEqual(len(found), 3)
        self.assertEqual(self.places_of(sizes.check_files, {"a.cc": "x\n" * 150}), [])

    def test_file_sizes_allow_one_in_twenty_over_the_usual(self):
        files = {f"f{i}.py": "x\n" for i in range(40)}
        self.assertEqual(self.places_of(sizes.check_files, files | {"f0.py": "x\n" * 700, "f1.py": "x\n" * 700}), [])
        self.assertEqual(len(self.places_of(sizes.check_files, {f"f{i}.py": "x\n" * 700 for i in range(3)})), 1)

    def test_function_sizes_find_a_long_function(self):
        body = "  x();\n" * 70
        found = self.places_of(sizes.check_functions, {"a.cc": "\nvoid F() {\n" + body + "}\nvoid G() {}\n"})
        self.assertEqual(found[0], ("a.cc", 2))
        self.assertEqual(self.places_of(sizes.check_functions, {"a.cc": "void F() {\n" + "  x();\n" * 39 + "}\n"}), [])

    def test_functions_are_told_from_other_braces(self):
        text = ("namespace a {\nstruct S : public B<int()> {\n  int x = 1;\n  S(int v) : x(v), y{v} {\n  }\n"
                "  bool Is() const noexcept override {\n    if (x) {\n      auto f = [](int) { return '{'; };\n    }\n"
                "    return R\"(})\" == \"}\";\n  }\n};\nint table[] = {1, 2};\n#define M(x) {\n"
                "template <class T>\nauto Of(T t) -> Result<T> {\n  return t;\n}\nTEST(A, B) {\n}\n}\n")
        found = [(function.name, function.first, function.last) for function in functions(text)]
        self.assertIn(("Is", 6, 11), found)
        self.assertIn(("Of", 16, 18), found)
        self.assertIn(("TEST", 19, 20), found)
        self.assertNotIn("table", [name for name, _, _ in found])
        self.assertLessEqual(max(last for _, _, last in found), 20)

    def test_names_find_files_and_classes(self):
        found = self.places_of(names.check, {
            "src/base/string_utils.h": "", "src/common/a.h": "", "web/http-helper.ts": "", "src/base/manage.h": "",
            "src/base/b.h": "// x\nclass CacheManager {\n", "src/base/community.h": "struct Commonplace {"})
        self.assertEqual(found, [("src/base/string_utils.h", 0), ("src/common/a.h", 0), ("web/http-helper.ts", 0),
                                 ("src/base/b.h", 2)])

    def test_dead_files_find_unbuilt_sources_unused_headers_and_globs(self):
        found = self.places_of(dead_files.check, {
            "src/io/CMakeLists.txt": "sightline_library(io SOURCES a.cc)\n", "src/io/a.cc": '#include "io/a.h"\n', "src/io/a.h": "",
            "src/io/b.cc": "", "src/io/c.h": "", "bench/CMakeLists.txt": "file(GLOB x *.cc)\nx(../src/io/d.cc)", "src/io/d.cc": ""})
        self.assertEqual(found, [("src/io/b.cc", 0), ("src/io/c.h", 0), ("bench/CMakeLists.txt", 0)])

    def _built_tree(self, files):
        """A tree whose build compiles src/base/a.cc."""
        build = self.folder / "build"
        build.mkdir(exist_ok=True)
        command = f"ccache g++ -std=c++20 -I{self.folder}/src -o a.o -c {self.folder}/src/base/a.cc"
        (build / "compile_commands.json").write_text(json.dumps(
            [{"directory": str(build), "file": str(self.folder / "src/base/a.cc"), "command": command}]), encoding="utf-8")
        return self.tree(files=files, build=build, cache=build / "tidy")

    def _header_tree(self, text):
        return self._built_tree({"src/base/a.cc": "", "src/base/a.h": text})

    @unittest.skipIf(shutil.which("g++") is None, "g++ is not installed")
    def test_headers_find_one_that_needs_another_and_one_without_guard(self):
        self.assertEqual(len(headers.check(self._header_tree("#pragma once\nstd::string F();\n"))), 1)
        self.assertEqual(len(headers.check(self._header_tree("struct A {};\n"))), 1)
        good = "#pragma once\n#include <string>\nstd::string F();\n"
        self.assertEqual(headers.check(self._header_tree(good)), [])

    @unittest.skipIf(shutil.which("g++") is None, "g++ is not installed")
    def test_headers_are_compiled_again_only_when_they_changed(self):
        good = self._header_tree("#pragma once\nint F();\n")
        self.assertEqual(headers.check(good), [])
        passed = (self.folder / "build/tidy/headers").read_text(encoding="ascii")
        self.assertEqual(len(headers.check(self._header_tree("#pragma once\nG F();\n"))), 1)
        self.assertNotEqual((self.folder / "build/tidy/headers").read_text(encoding="ascii"), passed)

    def test_headers_are_skipped_without_a_build(self):
        with self.assertRaises(Skip):
            headers.check(self.tree(files={"a.h": ""}))

    def _locking_tree(self, body):
        mutex = (pathlib.Path(__file__).resolve().parents[2] / "src/base/mutex.h").read_text(encoding="utf-8")
        header = ('#pragma once\n#include "base/mutex.h"\nclass A {\n public:\n  int Get();\n private:\n'
                  "  sightline::base::Mutex mutex_;\n  int a_ SIGHTLINE_GUARDED_BY(mutex_) = 0;\n};\n")
        return self._built_tree({"src/base/mutex.h": mutex, "src/base/a.h": header,
                                 "src/base/a.cc": '#include "base/a.h"\n' + body})

    @unittest.skipIf(shutil.which("clang++-16") is None, "clang++-16 is not installed")
    def test_thread_safety_finds_a_member_that_is_read_without_its_lock(self):
        unlocked = "int A::Get() {\n  return a_;\n}\n"
        locked = "int A::Get() {\n  const sightline::base::MutexLock lock(mutex_);\n  return a_;\n}\n"
        for _ in range(2):  # What failed is looked at again, what passed need not be.
            found = thread_safety.check(self._locking_tree(unlocked))
            self.assertEqual([(finding.path, finding.line) for finding in found], [("src/base/a.cc", 3)])
        self.assertIn("requires holding mutex 'mutex_'", found[0].text)
        for _ in range(2):
            self.assertEqual(thread_safety.check(self._locking_tree(locked)), [])
        self.assertEqual(len((self.folder / "build/tidy/thread_safety").read_text(encoding="ascii").split()), 1)

    def test_thread_safety_is_skipped_without_a_build(self):
        with self.assertRaises(Skip):
            thread_safety.check(self.tree(files={"a.cc": ""}))

    @unittest.skipIf(shutil.which("clang-format-16") is None, "clang-format-16 is not installed")
    def test_formatting_finds_the_first_wrong_place(self):
        found = self.places_of(formatting.check, {".clang-format": "BasedOnStyle: Google\n", "a.cc": "int a;\nint   b;\n",
                                                  "b.cc": "int b;\n"})
        self.assertEqual(found, [("a.cc", 2)])

    def test_links_find_missing_files_and_headings(self):
        found = self.places_of(links.check, {
            "README.md": "# One\n[a](docs/a.md) ![b](docs/none.png)\n[c](docs/a.md#two-words) [d](docs/a.md#three)\n"
                         "[web](https://example.org/x) `[code](none)` [self](#one) [up](../../x)\n[folder](docs)\n",
            "docs/a.md": "# A\n## Two words\n[back](../README.md)\n"})
        self.assertEqual(found, [("README.md", 2), ("README.md", 3), ("README.md", 4)])

    def test_places_find_hosts_and_home_folders(self):
        found = self.places_of(places.check, {
            "a.py": "x = 'https://py" + "pi.org/simple'\n", "b.md": "see /ro" + "ot/code/x\n", "c.sh": "cd /home/" + "ann\n",
            "d.md": "https://example.org/home/ann and $HOME/work/x and /usr/share/x\n", "quickstart": "y=/wo" + "rk/main\n"})
        self.assertEqual([path for path, _ in found], ["a.py", "b.md", "c.sh", "quickstart"])

    def test_comments_find_undocumented_public_declarations(self):
        text = ("#pragma once\nnamespace a {\nclass Forward;\n\nclass Bare {\n public:\n  /// Says it.\n  int Said();\n  int Covered();\n\n"
                "  int Unsaid() const;\n\n  int plain() const;\n  int Beside();  ///< Said.\n\n  ~Bare() override = default;\n private:\n  int Hidden();\n};\n\n"
                "/// Documented.\ntemplate <class T>\nint Free(T t);\n\nint Loose(int a,\n          int b);\n}\n")
        self.assertEqual(self.places_of(comments.check, {"src/a/a.h": text}),
                         [("src/a/a.h", 5), ("src/a/a.h", 11), ("src/a/a.h", 25)])

    def test_exceptions_take_findings_away_and_must_be_needed(self):
        tree = self.tree(files={exceptions.FILE: "names src/common/a.h historic # x\nnames src/gone.h was here\n"})
        left = exceptions.without(tree, "names", [Finding("src/common/a.h", 0, "x"), Finding("src/misc/b.h", 0, "x")])
        self.assertEqual([finding.path for finding in left], ["src/misc/b.h", exceptions.FILE])

    @unittest.skipIf(shutil.which("git") is None, "git is not installed")
    def test_exceptions_may_only_shrink(self):
        def commit(text):
            tree = self.tree(files={exceptions.FILE: text})
            for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "x"]):
                subprocess.run(["git", *command], cwd=self.folder, check=True)
            return exceptions.check(tree)
        self.assertEqual(commit("names a.h one\nnames b.h two\n"), [])
        self.assertEqual(commit("names b.h two\n"), [])
        self.assertEqual(len(commit("names c.h three\n")), 1)

    def test_exceptions_need_a_reason(self):
        with self.assertRaises(ValueError):
            exceptions.parse("names src/a.h\n")


if __name__ == "__main__":
    unittest.main()
