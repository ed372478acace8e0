"""Tells how far a download is: a line that moves on a terminal, plain lines elsewhere."""

import contextlib
import os
import sys
import threading

_PERIOD_S = 0.2


def human_bytes(count):
    """1234567 -> '1.2 MB' (decimal units, as package tools print them)."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return ""


def _folder_bytes(folders):
    total = 0
    for folder in folders:
        for parent, _, names in os.walk(folder):
            for name in names:
                with contextlib.suppress(OSError):  # the client removes files while we look
                    total += os.stat(os.path.join(parent, name)).st_size
    return total


class Reporter:
    """Writes to standard error; `quiet` leaves only errors."""

    def __init__(self, quiet=False):
        self.quiet = quiet
        self.moving = sys.stderr.isatty() and not quiet

    def say(self, text):
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)

    def _draw(self, label, done, total):
        share = min(done / total, 1.0) if total else 0.0
        bar = ("#" * int(share * 24)).ljust(24, ".")
        text = f"{label}  [{bar}] {human_bytes(done)} of {human_bytes(total)}"
        width = os.get_terminal_size(sys.stderr.fileno()).columns or 80  # 0: the terminal is silent
        print("\r\x1b[K" + text[:max(width - 1, 10)], end="", file=sys.stderr, flush=True)

    @contextlib.contextmanager
    def watch(self, label, folders, total):
        """While the body runs, shows how many bytes the client has put below `folders`."""
        if not self.moving:
            self.say(f"{label} ({human_bytes(total)})")
            yield
            return
        stop = threading.Event()

        def loop():
            while not stop.wait(_PERIOD_S):
                self._draw(label, _folder_bytes(folders), total)

        thread = threading.Thread(target=loop, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self.say(f"{label} ({human_bytes(total)})")
