"""What ./quickstart does around its long steps: the steps themselves are stand-ins that write down
how they were called, so that every way through is tried in seconds."""

import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import unittest

_ROOT = pathlib.Path(__file__).resolve().parents[1]
_PROGRAM = "build/release/src/cmd/sightline"

# A stand-in notes its call and, if it is the one that HANG names, waits to be stopped.
_STAND_IN = """#!/bin/bash
printf '%s %s\\n' {name} "$*" >>"$CALLS"
if [ "${{HANG:-}}" = {name} ]; then echo >"$CALLS.hangs"; exec sleep 60; fi
{body}
"""
_BUILDS_THE_PROGRAM = f"""case $1 in --build)
  mkdir -p {_PROGRAM.rpartition('/')[0]}
  printf '#!/bin/bash\\nprintf "sightline %%s\\\\n" "$*" >>"$CALLS"\\n' >{_PROGRAM}
  chmod +x {_PROGRAM} ;;
esac"""
_BUILDS_THE_PAGE = """case "$*" in
  *' ci '*) mkdir -p web/node_modules && touch web/node_modules/.package-lock.json ;;
  *) mkdir -p web/dist && touch web/dist/index.html ;;
esac"""
_SAYS_INSTALLED = "[ -n \"${MISSING:-}\" ] && exit 1; printf installed"


def _write_program(path, name, body=""):
    path.write_text(_STAND_IN.format(name=name, body=body), encoding="utf-8")
    path.chmod(0o755)


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sightline quickstart ")
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(folder.name)
        self.clone = self.base / "clone 克隆"
        (self.clone / "models").mkdir(parents=True)
        (self.clone / "web/src").mkdir(parents=True)
        (self.clone / "web/src/page.tsx").write_text("page", encoding="utf-8")
        (self.clone / "web/package-lock.json").write_text("{}", encoding="utf-8")
        shutil.copy(_ROOT / "quickstart", self.clone)
        shutil.copy(_ROOT / "models/registry.toml", self.clone / "models")
        for name in ("packages", "samples"):
            shutil.copytree(_ROOT / name, self.clone / name)
        (self.clone / "tools").mkdir()
        for name in ("steps.sh", "install_packages"):
            shutil.copy(_ROOT / "tools" / name, self.clone / "tools")
        _write_program(self.clone / "tools/fetch", "fetch", "case \"$*\" in *--size*) echo 1000 bytes ;; esac")
        (self.clone / "tools/ask_samples").write_text(
            "import os, sys\nopen(os.environ['CALLS'], 'a').write('ask ' + ' '.join(sys.argv[1:]) + '\\n')\n",
            encoding="utf-8")
        programs = self.base / "bin"
        programs.mkdir()
        for name, body in (("cmake", _BUILDS_THE_PROGRAM), ("npm", _BUILDS_THE_PAGE),
                           ("dpkg-query", _SAYS_INSTALLED), ("dpkg", ""), ("apt-get", ""), ("apt-cache", ""),
                           ("sudo", "exit 1")):
            _write_program(programs / name, name, body)
        self.calls_path = self.base / "calls"
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(self.base),
                            "CALLS": str(self.calls_path), "LC_ALL": "C"}

    def _start(self, *arguments, **environment):
        self.calls_path.write_text("", encoding="utf-8")
        return subprocess.Popen(["./quickstart", *arguments], cwd=self.clone, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
                                env={**self.environment, **environment}, start_new_session=True)

    def _run(self, *arguments, **environment):
        process = self._start(*arguments, **environment)
        output, _ = process.communicate(timeout=60)
        return process.returncode, output

    def _calls(self, name):
        lines = self.calls_path.read_text(encoding="utf-8").splitlines()
        return [line.partition(" ")[2] for line in lines if line.partition(" ")[0] == name]

    def test_everything_is_built_added_and_asked(self):
        status, output = self._run()
        self.assertEqual(status, 0, output)
        self.assertIn("--preset release -DSIGHTLINE_SPEECH=ON", self._calls("cmake"))
        self.assertIn("--runtime --models default --samples all", self._calls("fetch"))
        [added] = [call for call in self._calls("sightline") if call.startswith("add")]
        self.assertIn("samples/handbook-zh.pdf", added)
        self.assertIn(f"--data {self.clone}/sightline-data", added)
        self.assertEqual(len(self._calls("ask")), 1)
        self.assertIn(f"'{self.clone}/{_PROGRAM}' serve --data '{self.clone}/sightline-data'", output)

    def test_minimal_leaves_out_speech_and_the_real_files(self):
        real = self.base / ".cache/sightline/samples/photos"
        real.mkdir(parents=True)
        (real / "cat.png").write_text("a real one", encoding="utf-8")
        status, output = self._run("--minimal")
        self.assertEqual(status, 0, output)
        self.assertIn("--preset release -DSIGHTLINE_SPEECH=OFF", self._calls("cmake"))
        self.assertIn("--runtime --models default --minimal", self._calls("fetch"))
        self.assertTrue(self._calls("ask")[0].startswith("--minimal"))
        self.assertNotIn("cat.png", self._calls("sightline")[0])
        self._run()
        self.assertIn("cat.png", self._calls("sightline")[0])

    def test_the_second_run_builds_no_page_again(self):
        self._run()
        status, output = self._run()
        self.assertEqual((status, self._calls("npm")), (0, []), output)
        (self.clone / "web/src/page.tsx").write_text("another page", encoding="utf-8")
        self._run()
        self.assertEqual(self._calls("npm"), ["--prefix web run build"])

    def test_without_rights_the_line_to_run_is_printed(self):
        _write_program(self.base / "bin/id", "id", "echo 1000")
        status, output = self._run(MISSING="1")
        self.assertEqual(status, 3, output)
        self.assertIn("sudo apt-get update && sudo apt-get install -y --no-install-recommends g++ cmake", output)
        self.assertEqual(self._calls("cmake"), [])

    def test_missing_packages_cannot_be_installed_offline(self):
        status, output = self._run("--offline", MISSING="1")
        self.assertEqual(status, 3, output)
        self.assertIn("Run without --offline", output)

    def test_ctrl_c_stops_at_once_and_the_next_run_goes_on(self):
        os.mkfifo(f"{self.calls_path}.hangs")
        hangs = os.open(f"{self.calls_path}.hangs", os.O_RDWR)
        self.addCleanup(os.close, hangs)
        for step in ("fetch", "npm", "cmake"):
            with self.subTest(step=step):
                shutil.rmtree(self.clone / "build", ignore_errors=True)
                process = self._start(HANG=step)
                self.assertTrue(select.select([hangs], [], [], 30)[0], "the step was not reached")
                os.read(hangs, 1)
                os.killpg(process.pid, signal.SIGINT)  # what a terminal does
                # The output ends when the last process that holds it has ended.
                output, _ = process.communicate(timeout=10)
                self.assertEqual(process.returncode, 130, output)
                status, output = self._run()
                self.assertEqual(status, 0, output)

    def test_wrong_arguments_are_usage_errors(self):
        for arguments in (["--jobs", "0"], ["--data"], ["--fast"]):
            self.assertEqual(self._run(*arguments)[0], 2)


if __name__ == "__main__":
    unittest.main()
