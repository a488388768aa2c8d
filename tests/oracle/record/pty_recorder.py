"""Runs a program under a PTY and writes what it outputs, and each resize, as a stream file.

The stream format is specified in ../README.md. The recorder answers the questions a program asks of its
terminal (attributes, cursor position, colours, modes), so that it goes on as it would on a real one.
"""

import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

QUIET_SECONDS = 0.25
DEADLINE_SECONDS = 20

# What is asked, and what xterm.js would say. `vim` measures a character with the cursor position
# report after it moved to the second row, so row 2, column 2 is the plausible answer.
REPLIES = [
    (rb"\x1b\[0?c", lambda match: b"\x1b[?1;2c"),
    (rb"\x1b\[>0?c", lambda match: b"\x1b[>0;276;0c"),
    (rb"\x1b\[>0?q", lambda match: b"\x1bP>|holdfast(0.1)\x1b\\"),
    (rb"\x1b\[5n", lambda match: b"\x1b[0n"),
    (rb"\x1b\[(\??)6n", lambda match: b"\x1b[%s2;2R" % match[1]),
    (rb"\x1b\[\?(\d+)\$p", lambda match: b"\x1b[?%s;2$y" % match[1]),
    (rb"\x1b\](1[012]);\?(?:\x07|\x1b\\)", lambda match: b"\x1b]%s;rgb:2e2e/3434/3636\x1b\\" % match[1]),
    (rb"\x1bP\$q q\x1b\\", lambda match: b"\x1bP1$r2 q\x1b\\"),
    (rb"\x1bP\+q[0-9A-Fa-f;]*\x1b\\", lambda match: b"\x1bP0+r\x1b\\"),
]
LONGEST_QUERY = 200


class Recorder:
    def __init__(self, command, cols, rows, scrollback, environment, directory):
        self._events = []
        self._unanswered = b""
        self._header = b"holdfast-stream 1 %d %d %d\n" % (cols, rows, scrollback)
        pid, self._master = pty.fork()
        if pid == 0:
            # The size must be right before the program starts to look at it.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
            os.chdir(directory)
            os.execvpe(command[0], command, environment)
        self._pid = pid

    def type(self, keys, until=None):
        """Sends keys, then waits for `until` (a pattern, if given) and for the output to go quiet."""
        self.send(keys)
        self.settle(until)

    def send(self, keys):
        os.write(self._master, keys)

    def resize(self, cols, rows, wait=True):
        self._events.append((cols, rows))
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        if wait:
            self.settle()

    def settle(self, until=None):
        seen = b""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while time.monotonic() < deadline:
            found = until is None or re.search(until, seen)
            data = self._read(QUIET_SECONDS)
            if data is None or (not data and found):
                break
            seen += data
        if until is not None and not re.search(until, seen):
            raise TimeoutError(f"{until!r} did not appear, but {seen[-300:]!r}")

    def run_for(self, seconds):
        """Records whatever comes, for a program that redraws by itself."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if self._read(left) is None:
                break

    def finish(self):
        """Hangs up on a program that is still running, and returns the stream file's bytes."""
        os.kill(self._pid, signal.SIGHUP)
        os.close(self._master)
        os.waitpid(self._pid, 0)
        return self._header + b"".join(map(format_event, self._events))

    def _read(self, timeout):
        """The bytes that are there, b"" if none came in time, None if the program has ended."""
        if not select.select([self._master], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self._master, 65536)
        except OSError as error:
            if error.errno == errno.EIO:
                return None
            raise
        self._append(data)
        self._answer(data)
        return data

    def _append(self, data):
        if self._events and isinstance(self._events[-1], bytes):
            self._events[-1] += data
        else:
            self._events.append(data)

    def _answer(self, data):
        self._unanswered = (self._unanswered + data)[-LONGEST_QUERY - len(data) :]
        queries = [(match, reply) for pattern, reply in REPLIES for match in re.finditer(pattern, self._unanswered)]
        for match, reply in sorted(queries, key=lambda query: query[0].start()):
            os.write(self._master, reply(match))
        if queries:
            self._unanswered = self._unanswered[max(match.end() for match, _ in queries) :]


def format_event(event):
    if isinstance(event, bytes):
        return b"output %d\n%s\n" % (len(event), event)
    return b"resize %d %d\n" % event
