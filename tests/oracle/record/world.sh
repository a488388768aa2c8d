#!/bin/sh
# Makes the small world that the recorded programs look at, in the directory given. The same files,
# names, authors and dates every time, so that a new recording resembles the old one.
set -eu

world=$1
mkdir -p "$world"
cd "$world"

make_text() {
  seq -f 'line %04g: the quick brown fox jumps over the lazy dog, and then goes on to say a few words more' 1 400 >words.txt
  cat >unicode.txt <<'TEXT'
日本語のテキストは一文字が二桁の幅を持つので、行の端で折り返すときに注意が必要です。
简体中文：终端里的每个汉字占两列。繁體中文：終端機裡的每個漢字佔兩欄。
한국어 텍스트도 두 칸을 차지합니다. 가각갂 ᄀ ᄀᆞᆼ
Ελληνικά, кириллица, עברית, العربية, हिन्दी, ไทย, தமிழ், ქართული
combining: e◌́ é à ç ñ ö Z͑ͫ̓a̴͉l͎g̃o̷, and one that starts a line:
̀here
emoji: 😀 😁 🎉 🚀 ❤️ ☎️ ✈ ⌚ ⏰ ☕ 🀄 🃏 | flags: 🇪🇺 🇯🇵 🇧🇷 | skin: 👍🏽 👩🏿 | joined: 👩‍👩‍👧‍👦 👨‍💻 🏳️‍🌈 🧑🏻‍🚀
keycaps: 1️⃣ 2️⃣ #️⃣ | ambiguous: § ° ± × ÷ … “ ” ‘ ’ — – • ※ ① Ⅷ α я
box: ┌─┬─┐ │ ├─┼─┤ └─┴─┘ ╔═╗ ║ ╚═╝ ░▒▓█ ▁▂▃▄▅▆▇ ⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏
invisible: a​b (zero width space) a‍b (joiner) a⁠b (word joiner) soft­hyphen nbsp here
halfwidth: ｱｲｳｴｵ fullwidth: ＡＢＣ１２３！ musical: 𝄞 math: 𝕳𝖔𝖑𝖉 cuneiform: 𒀀 rare: 𠀀𠮷
TEXT
}

make_files() {
  mkdir -p files/folder files/'name with spaces' files/絵文字😀
  printf '#!/bin/sh\n' >files/script.sh
  chmod +x files/script.sh
  ln -sf words.txt files/link
  ln -sf nowhere files/broken
  touch files/archive.tar.gz files/image.png files/sound.mp3 files/ünïcödé.txt files/folder/inside
  for n in $(seq 1 30); do touch "files/document-$n.txt"; done
  find files -exec touch -h -d '2024-05-01 12:00:00 UTC' {} +
}

make_build() {
  mkdir -p build
  {
    echo 'rule cc'
    echo '  command = sh -c "sleep 0.02; if [ $out = part13.o ]; then printf \"$esc[1mpart13.c:7:3: $esc[35mwarning: $esc[munused\\n\"; fi; : >$out"'
    echo '  description = Compiling $in into $out, with all the flags that make this line long enough to be cut'
    printf 'esc = \033\n'
    for n in $(seq 1 60); do echo "build part$n.o: cc part$n.c"; done
  } >build/build.ninja
  for n in $(seq 1 60); do : >"build/part$n.c"; done
}

commit() {
  GIT_AUTHOR_DATE="$1" GIT_COMMITTER_DATE="$1" git commit -q --allow-empty -m "$2"
}

make_repository() {
  rm -rf repo
  git init -q -b main repo
  cd repo
  git config user.name 'Ada Example'
  git config user.email ada@example.com
  for n in $(seq 1 12); do
    printf 'int answer() {\n  return %d;\n}\n' "$n" >answer.c
    cp ../words.txt . && sed -i "${n}s/fox/FOX $n/" words.txt
    git add .
    commit "2024-05-$(printf %02d "$n")T10:00:00Z" "Answer $n: a subject line, with some 日本語 and a 🎉"
    if [ "$n" = 6 ]; then git branch topic; fi
  done
  git switch -q topic
  for n in 1 2 3; do commit "2024-05-07T11:0$n:00Z" "On the topic, step $n"; done
  git switch -q main
  GIT_AUTHOR_DATE=2024-05-20T10:00:00Z GIT_COMMITTER_DATE=2024-05-20T10:00:00Z git merge -q --no-ff -m 'Merge topic' topic
  git tag v1.0
  cd ..
}

make_npm_package() {
  mkdir -p app dep
  echo '{"name":"dep","version":"2.1.0"}' >dep/package.json
  cat >app/package.json <<'JSON'
{"name":"app","version":"1.0.0","dependencies":{"dep":"file:../dep"},
 "scripts":{"build":"for n in 1 2 3 4 5; do printf '\\033[32m✔\\033[39m step %s\\n' $n; done","fail":"exit 3"}}
JSON
}

make_debian_package() {
  mkdir -p package/DEBIAN package/tmp
  cat >package/DEBIAN/control <<'CONTROL'
Package: demo-package
Version: 1.0
Architecture: all
Maintainer: Ada Example <ada@example.com>
Description: a package that holds one empty file
CONTROL
  printf '#!/bin/sh\nfor n in $(seq 1 40); do echo "Setting up part $n"; sleep 0.01; done\n' >package/DEBIAN/postinst
  chmod 755 package/DEBIAN/postinst
  : >package/tmp/demo-package-file
  dpkg-deb --build --root-owner-group package demo-package.deb >/dev/null
}

make_tmux_configuration() {
  cat >tmux.conf <<'CONF'
set -g status-right "#[fg=yellow]demo"
set -g default-command 'exec env PS1="$ " bash --norc'
set -g default-terminal "tmux-256color"
CONF
}

make_text
make_files
make_build
make_repository
make_npm_package
make_debian_package
make_tmux_configuration
