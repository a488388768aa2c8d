# Shell integration for bash: marks prompts, commands and their ends in the output. docs/shell.md
# describes the marks.
#
# Holdfast starts bash in POSIX mode, in which it reads this file (ENV) and no other. So first comes
# what bash would have done without us.

builtin unset -v POSIXLY_CORRECT
builtin set +o posix
builtin shopt -u inherit_errexit 2>/dev/null
if [[ -v HOLDFAST_SHELL_ENV ]]; then
  builtin export ENV="$HOLDFAST_SHELL_ENV"
  builtin unset -v HOLDFAST_SHELL_ENV
else
  builtin unset -v ENV
fi
# Defaults that differ in POSIX mode.
if [[ $HISTFILE == "$HOME/.sh_history" ]]; then HISTFILE=$HOME/.bash_history; fi
if [[ $MAILCHECK == 600 ]]; then MAILCHECK=60; fi

if builtin shopt -q login_shell; then
  if [[ -r /etc/profile ]]; then builtin source /etc/profile; fi
  if [[ -r ~/.bash_profile ]]; then
    builtin source ~/.bash_profile
  elif [[ -r ~/.bash_login ]]; then
    builtin source ~/.bash_login
  elif [[ -r ~/.profile ]]; then
    builtin source ~/.profile
  fi
else
  # Where bash looks for the system's file was decided when it was compiled.
  if [[ -r /etc/bash.bashrc ]]; then
    builtin source /etc/bash.bashrc
  elif [[ -r /etc/bash/bashrc ]]; then
    builtin source /etc/bash/bashrc
  fi
  if [[ -r ~/.bashrc ]]; then builtin source ~/.bashrc; fi
fi

# Without PS0 (before bash 4.4) there is no mark where a command begins.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && [[ $- == *i* && ! -o posix ]]; then
  builtin printf -v _holdfast_key '%04x%04x%04x%04x' $RANDOM $RANDOM $RANDOM $RANDOM
  _holdfast_status=0
  _holdfast_next='\!' # As a prompt: the number of the next command in the history.
  _holdfast_number=
  _holdfast_text=

  # Prints the words as a mark.
  _holdfast_mark() {
    builtin printf '\e]133;%s;aid=%s\a' "$1" "$_holdfast_key"
  }

  # Sets _holdfast_text to the path, percent-encoded.
  _holdfast_encode_path() {
    builtin local LC_ALL=C byte i
    _holdfast_text=$1
    if [[ $1 != *[!A-Za-z0-9/._~-]* ]]; then builtin return; fi
    _holdfast_text=
    for ((i = 0; i < ${#1}; ++i)); do
      byte=${1:i:1}
      if [[ $byte == [!A-Za-z0-9/._~-] ]]; then builtin printf -v byte '%%%02X' "'$byte"; fi
      # In some locales a byte is a negative number.
      _holdfast_text+=${byte/#%FFFFFFFFFFFFFF/%}
    done
  }

  # Runs before everything else in PROMPT_COMMAND, and leaves the status as it was.
  _holdfast_ended() {
    _holdfast_status=$?
    _holdfast_mark "D;$_holdfast_status"
    builtin return "$_holdfast_status"
  }

  # Runs after everything else in PROMPT_COMMAND, which may have set PS1.
  _holdfast_prompt() {
    _holdfast_encode_path "$PWD"
    builtin printf '\e]7;file://%s%s\a' "$HOSTNAME" "$_holdfast_text"
    _holdfast_mark A
    if [[ $PS1 != *"aid=$_holdfast_key"* ]]; then
      PS1+="\[\e]133;B;aid=$_holdfast_key\a\]"
    fi
    if [[ ${PS0-} != *_holdfast_started* && ${PS0-} != *"aid=$_holdfast_key"* ]]; then
      if builtin shopt -q promptvars; then
        PS0="${PS0-}"'$(_holdfast_started)'
      else
        PS0="${PS0-}\e]133;C;aid=$_holdfast_key\a"
      fi
    fi
    if [[ ${PS2-} != *"aid=$_holdfast_key"* ]]; then
      PS2="\[\e]133;A;k=s;aid=$_holdfast_key\a\]${PS2-}"
    fi
    _holdfast_number=${_holdfast_next@P}
    # Without any entries, bash counts as if there were one.
    if [[ $_holdfast_number == 1 && -z $(builtin history 1) ]]; then _holdfast_number=0; fi
    builtin return "$_holdfast_status"
  }

  # Sets _holdfast_text to the command that was just read, if the history tells. It does not if the
  # user's settings kept the command out of it: then the newest entry is another one.
  _holdfast_find_command() {
    _holdfast_text=
    if [[ ! -o history ]]; then builtin return; fi
    if [[ ${_holdfast_next@P} == "$_holdfast_number" &&
      (${HISTCONTROL-} == *ignorespace* || ${HISTCONTROL-} == *ignoreboth* || -n ${HISTIGNORE-}) ]]; then
      builtin return
    fi
    _holdfast_text=$(HISTTIMEFORMAT='' builtin history 1)
    _holdfast_text=${_holdfast_text#*[0-9][ *] }
  }

  # Runs in a subshell.
  _holdfast_started() {
    _holdfast_find_command
    if [[ -z $_holdfast_text ]]; then
      _holdfast_mark C
      builtin return
    fi
    _holdfast_text=${_holdfast_text:0:2000}
    _holdfast_text=${_holdfast_text//'%'/%25}
    _holdfast_text=${_holdfast_text//';'/%3B}
    _holdfast_text=${_holdfast_text//$'\n'/%0A}
    _holdfast_text=${_holdfast_text//$'\t'/%09}
    _holdfast_mark "C;cmdline_url=${_holdfast_text//[[:cntrl:]]/}"
  }

  # What clears the line for `holdfast exec`, in every keymap.
  for _holdfast_text in emacs vi-insert vi-command; do
    builtin bind -m "$_holdfast_text" '"\e[133;133~": kill-whole-line' 2>/dev/null
  done

  if [[ $(builtin declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
    PROMPT_COMMAND=(_holdfast_ended "${PROMPT_COMMAND[@]}" _holdfast_prompt)
  else
    PROMPT_COMMAND="_holdfast_ended${PROMPT_COMMAND:+; $PROMPT_COMMAND}"$'\n_holdfast_prompt'
  fi
fi
