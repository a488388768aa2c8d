#!/usr/bin/env python3
"""Records the scenarios as stream files: record.py OUTPUT_DIRECTORY [NAME...]

Run it as root on Debian: the programs see a world of their own (process, host name and mount namespaces), so that
no process, path or name of this machine gets into a recording, and apt installs its demo package without a trace.
"""

import os
import subprocess
import sys
from pathlib import Path

from pty_recorder import Recorder
from scenarios import SCENARIOS

WORLD = Path("/tmp/demo")
SCROLLBACK = 500
INSIDE = "HOLDFAST_RECORDING_INSIDE"

# apt and dpkg write here; each gets a private copy, or an empty place where nothing is read.
COPIED = ["/var/lib/dpkg"]
EMPTIED = ["/etc/apt/sources.list.d", "/var/lib/apt", "/var/cache/apt", "/var/log"]

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
    "HOME": str(WORLD),
    "TERM": "xterm-256color",
    "COLORTERM": "truecolor",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "SHELL": "/bin/bash",
    "USER": "demo",
    "HOSTNAME": "host",
    "PS1": "$ ",
    "DEBIAN_FRONTEND": "noninteractive",
    "GIT_CONFIG_NOSYSTEM": "1",
    "npm_config_update_notifier": "false",
}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if INSIDE not in os.environ:
        enter_namespaces()
    # Opened before isolate() hides what is under /tmp.
    output = os.open(sys.argv[1], os.O_DIRECTORY)
    names = sys.argv[2:]
    isolate()
    for scenario in SCENARIOS:
        if not names or scenario.name in names:
            for size in scenario.sizes:
                record(scenario, size, output)


def enter_namespaces():
    os.environ[INSIDE] = "1"
    unshare = ["unshare", "--pid", "--fork", "--mount-proc", "--uts", "--mount"]
    os.execvp(unshare[0], unshare + [sys.executable] + sys.argv)


def sh(*command, **options):
    subprocess.run(command, check=True, **options)


def isolate():
    sh("hostname", "host")
    sh("mount", "-t", "tmpfs", "none", "/tmp")
    for index, directory in enumerate(COPIED):
        copy = f"/tmp/.private{index}"
        sh("cp", "-a", directory, copy)
        sh("mount", "--bind", copy, directory)
    for directory in EMPTIED:
        sh("mount", "-t", "tmpfs", "none", directory)
    for directory in ["/var/cache/apt/archives/partial", "/var/lib/apt/lists/partial", "/var/log/apt"]:
        Path(directory).mkdir(parents=True)


def record(scenario, size, output):
    cols, rows = size
    # Each recording gets a new world: the one before may have changed it.
    sh("rm", "-rf", str(WORLD))
    sh("sh", str(Path(__file__).with_name("world.sh")), str(WORLD), env=ENVIRONMENT)
    recorder = Recorder(scenario.command, cols, rows, SCROLLBACK, ENVIRONMENT, WORLD / scenario.directory)
    scenario.drive(recorder)
    stream = recorder.finish()
    name = f"{scenario.name}-{cols}x{rows}.stream"
    with open(name, "wb", opener=lambda path, flags: os.open(path, flags, 0o644, dir_fd=output)) as file:
        file.write(stream)
    print(f"{name}: {len(stream)} bytes")


main()
