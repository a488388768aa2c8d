"""What is recorded: each scenario drives one program with keys and resizes.

A scenario is a function of a running Recorder; `@scenario` says which command it starts, where, and at which
sizes. The size in the stream's name is the initial one.
"""

from dataclasses import dataclass
from typing import Callable

SMALL, USUAL, LARGE = (40, 12), (80, 24), (132, 43)

UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"
ESC, ENTER, TAB = b"\x1b", b"\r", b"\t"
PAGE_DOWN, PAGE_UP, END = b"\x1b[6~", b"\x1b[5~", b"\x1b[F"
F3, F5, F10 = b"\x1bOR", b"\x1b[15~", b"\x1b[21~"


def ctrl(letter):
    return bytes([ord(letter) & 0x1F])


@dataclass
class Scenario:
    name: str
    command: list
    directory: str
    sizes: list
    drive: Callable


SCENARIOS = []


def scenario(name, command, directory=".", sizes=(USUAL,)):
    def register(drive):
        SCENARIOS.append(Scenario(name, command, directory, list(sizes), drive))
        return drive

    return register


SHELL = ["bash", "--norc", "--noprofile"]
PROMPT = rb"\$ $"


def run(recorder, line, then=PROMPT):
    recorder.type(line.encode() + ENTER, until=then)


VIM = ["vim", "-u", "NONE", "-c", "syntax on | set nu hls is mouse=a ls=2"]


@scenario("vim", VIM + ["answer.c", "words.txt"], "repo", (USUAL, LARGE, SMALL))
def vim(r):
    r.settle(until=rb"answer")
    r.type(b"ofoo \xe6\x97\xa5\xe6\x9c\xac\xf0\x9f\x98\x80" + ESC)
    r.type(b":n!" + ENTER)
    r.type(b"/lazy" + ENTER)
    r.type(ctrl("F") + ctrl("F") + b"zz")
    r.resize(61, 17)
    r.type(b":vsplit" + ENTER)
    r.type(b"ggVGd" + b"u" + b"G")
    r.resize(100, 30)
    r.type(b":set wrap list" + ENTER + b"50%" + ctrl("W") + b"w")
    r.type(ctrl("V") + b"5j5lcXY" + ESC)
    r.type(b":set ft=c | terminal echo inside" + ENTER, until=b"inside")
    r.type(ctrl("W") + b":qa!" + ENTER)


@scenario("vim-unicode", ["vim", "-u", "NONE", "-c", "set nu mouse=a", "unicode.txt"], sizes=(SMALL,))
def vim_unicode(r):
    r.settle(until="日".encode())
    r.type(b"jjjj" + b"$" + b"xxx" + b"o\xe6\xbc\xa2e\xcc\x81" + ESC)
    r.resize(23, 15)
    r.type(b"ggOabc" + ESC + b"5>>" + b"G")
    r.resize(51, 9)
    r.type(b":%s/e/\xf0\x9f\x9a\x80/g" + ENTER)


@scenario("less", ["less", "-R", "-N", "words.txt"], sizes=(USUAL, SMALL))
def less(r):
    r.settle(until=b"words.txt")
    r.type(b"  ")
    r.type(b"/fox" + ENTER)
    r.resize(57, 20)
    r.type(b"G" + b"b" + b"b")
    r.resize(99, 10)
    r.type(b"-S" + ENTER + RIGHT + RIGHT + b"40g")
    r.type(b"q")


@scenario("less-unicode", ["less", "unicode.txt"], sizes=((33, 10),))
def less_unicode(r):
    r.settle(until=b"unicode.txt")
    r.type(b"  b")
    r.resize(21, 14)
    r.type(b"G" + b"q")


@scenario("man", ["man", "bash"], sizes=(USUAL,))
def man(r):
    r.settle(until=b"Manual page")
    r.type(b"   ")
    r.resize(100, 30)
    r.type(b"/REDIRECTION" + ENTER)
    r.type(b"q")


# The process viewers look at a few processes of their own.
VIEWED = "sleep 600 & sleep 601 & yes >/dev/null & cat /dev/zero >/dev/null & exec "


def viewer(command):
    return ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", VIEWED + command]


@scenario("htop", viewer("htop -d 5"), sizes=(USUAL, LARGE))
def htop(r):
    r.settle(until=b"Load")
    r.run_for(1.5)
    r.type(F5)
    r.type(F3 + b"htop" + ESC)
    r.resize(70, 15)
    r.run_for(1)
    r.type(b"\x1bOQ")
    r.resize(110, 33)
    r.type(ESC + b"q")


@scenario("top", viewer("top -d 0.7"), sizes=(USUAL,))
def top(r):
    r.settle(until=b"load")
    r.run_for(2)
    r.type(b"zxV1")
    r.resize(60, 18)
    r.run_for(1.5)
    r.type(b"h")
    r.resize(120, 40)
    r.type(b"qq")


@scenario("nano", ["nano", "-l", "-m", "words.txt"], sizes=(USUAL, SMALL))
def nano(r):
    r.settle(until=b"Read 400 lines")
    r.type(b"typed text " + "日本 é".encode() + ENTER)
    r.type(PAGE_DOWN + PAGE_DOWN + ctrl("K") + ctrl("K") + ctrl("U"))
    r.type(ctrl("W") + b"lazy" + ENTER)
    r.resize(64, 19)
    r.type(DOWN * 25 + END)
    r.resize(90, 28)
    r.type(ctrl("G"))
    r.type(ctrl("X"))
    r.type(ctrl("X") + b"n")


@scenario("mc", ["mc", "-u", "files", "."], sizes=(USUAL, LARGE))
def mc(r):
    r.settle(until=b"Quit")
    r.type(DOWN * 5 + TAB + DOWN * 3)
    r.type(b"\x1bOR")
    r.resize(72, 20)
    r.type(b"\x1b[20~" + DOWN + DOWN + RIGHT + DOWN + DOWN)
    r.type(ESC + ESC)
    r.resize(101, 31)
    r.type(b"\x1b[18~" + b"new folder" + ESC + ESC)
    r.type(F10 + ENTER)


@scenario("tmux", ["tmux", "-L", "demo", "-f", "tmux.conf", "new-session"], sizes=(USUAL, LARGE))
def tmux(r):
    r.settle(until=PROMPT + rb"|\$ ")
    prefix = ctrl("B")
    r.type(b"ls --color=always files" + ENTER)
    r.type(prefix + b"%")
    r.type(b"seq 1 300" + ENTER)
    r.type(prefix + b'"')
    r.type(b"cat unicode.txt" + ENTER)
    r.resize(71, 21)
    r.type(prefix + b"o" + b"less words.txt" + ENTER)
    r.type(b"  q")
    r.type(prefix + b"c" + b"vim -u NONE words.txt" + ENTER, until=b"words.txt")
    r.type(prefix + b"0")
    r.resize(103, 29)
    r.type(prefix + b"[" + PAGE_UP + PAGE_UP)
    r.type(b"q" + prefix + b"w")
    r.type(b"q" + prefix + b":kill-server" + ENTER)


@scenario("emacs", ["emacs", "-nw", "-Q", "answer.c"], "repo", (USUAL, LARGE))
def emacs(r):
    r.settle(until=b"answer.c")
    r.type(ctrl("X") + b"2" + ctrl("X") + b"3")
    r.type(ctrl("X") + ctrl("F") + b"words.txt" + ENTER, until=b"line 0001")
    r.type(ctrl("S") + b"lazy" + ctrl("S") + ctrl("S") + ENTER)
    r.resize(75, 20)
    r.type(ctrl("V") + ctrl("V") + ESC + b"<" + ctrl("K") + ctrl("K") + ctrl("Y"))
    r.type("日本語 é 🎉".encode() + ENTER)
    r.resize(111, 34)
    r.type(ESC + b"xdired" + ENTER + ENTER)
    r.type(ctrl("X") + b"1")
    r.type(ctrl("X") + ctrl("C"))
    r.type(b"nyes" + ENTER)


GIT_LOG = ["git", "-c", "color.ui=always", "log", "--graph", "--stat", "-p", "--decorate"]


@scenario("git-log", GIT_LOG, "repo", (USUAL, SMALL))
def git_log(r):
    r.settle(until=b":")
    r.type(b"   ")
    r.resize(66, 22)
    r.type(b"/Answer" + ENTER + b"nn")
    r.resize(97, 16)
    r.type(b"G" + b"q")


@scenario("git-shell", SHELL, "repo", (USUAL,))
def git_shell(r):
    r.settle(until=PROMPT)
    run(r, "git -c color.ui=always --no-pager log --graph --oneline --all")
    r.resize(50, 24)
    run(r, "git -c color.ui=always --no-pager diff --word-diff v1.0~3 v1.0 | head -40")
    r.resize(120, 20)
    run(r, "git status")
    run(r, "git grep --color=always -n fox | head -30")
    r.resize(37, 30)


@scenario("build", SHELL, "build", (USUAL, SMALL))
def build(r):
    r.settle(until=PROMPT)
    run(r, "ninja -j2", then=rb"60/60[^$]*\$ $")
    r.resize(66, 24)
    run(r, "ninja -t clean; ninja -v -j1 | tail -25")
    r.resize(100, 24)
    bar = "$(printf '#%.0s' $(seq 1 $((n/5))))"
    run(r, f"for n in $(seq 5 5 100); do printf '\\r\\033[K[%-20s] %3d%%' {bar} $n; done; echo")


@scenario("npm", SHELL, "app", (USUAL,))
def npm(r):
    r.settle(until=PROMPT)
    run(r, "npm install --offline --no-audit --no-fund")
    run(r, "npm ls")
    r.resize(55, 24)
    run(r, "npm run build")
    run(r, "npm run fail")
    r.resize(100, 30)
    run(r, "npm help run-script | cat | head -40")


@scenario("apt", SHELL, ".", (USUAL,))
def apt(r):
    r.settle(until=PROMPT)
    run(r, "apt-get install -y -o Dpkg::Progress-Fancy=1 -o APT::Color=1 ./demo-package.deb")
    r.resize(60, 15)
    run(r, "apt-get purge -y -o Dpkg::Progress-Fancy=1 demo-package")
    r.resize(90, 30)
    run(r, "apt list --installed bash coreutils dpkg grep less sed tar")


@scenario("ls", SHELL, ".", (USUAL, SMALL))
def ls(r):
    r.settle(until=PROMPT)
    run(r, "ls --color=always --hyperlink=always files")
    r.resize(52, 24)
    run(r, "ls -la --time-style=long-iso --color=always --hyperlink=always files | cut -d' ' -f1,5-")
    r.resize(97, 18)
    run(r, "ls -R --color=always --hyperlink=always files repo")


@scenario("unicode", SHELL, ".", (USUAL, SMALL, (21, 9)))
def unicode(r):
    r.settle(until=PROMPT)
    run(r, "cat unicode.txt")
    r.resize(33, 12)
    run(r, "cat unicode.txt | tr -d '\\n'; echo")
    r.resize(60, 20)
    run(r, "tac unicode.txt")
    r.resize(17, 10)
    r.resize(110, 24)
    run(r, "echo done")


@scenario("readline", SHELL, ".", (USUAL, SMALL))
def readline(r):
    r.settle(until=PROMPT)
    r.type(b"echo " + b"a long line that wraps because it does not fit " * 3)
    r.type(ctrl("A") + RIGHT * 10 + "日本語é".encode())
    r.resize(31, 14)
    r.type(ctrl("E") + b" more" + ESC + b"b" + ctrl("K") + ctrl("Y") + ctrl("Y"))
    r.type(ENTER)
    r.type(b"ls files/document-" + TAB + TAB)
    r.resize(77, 14)
    r.type(ctrl("U") + ctrl("R") + b"long")
    r.type(ctrl("G") + ctrl("L") + b"seq 1 60" + ENTER)
    r.resize(77, 30)
    r.resize(50, 8)


@scenario("flood", SHELL, ".", (USUAL,))
def flood(r):
    """Resizes while output is on its way, so that they fall anywhere in it."""
    r.settle(until=PROMPT)
    r.send(b"for n in $(seq 1 40); do cat unicode.txt | cut -c1-$((n * 3)); sleep 0.01; done" + ENTER)
    for cols, rows in [(61, 20), (100, 30), (33, 10), (80, 24), (9, 5), (120, 12)]:
        r.run_for(0.07)
        r.resize(cols, rows, wait=False)
    r.settle(until=PROMPT)
