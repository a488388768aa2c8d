# Shell integration for zsh: marks prompts, commands and their ends in the output. docs/shell.md
# describes the marks.
#
# Read before the user's files. What depends on them waits for the first prompt.

'builtin' 'typeset' -g _holdfast_key
'builtin' 'printf' -v _holdfast_key '%04x%04x%04x%04x' $RANDOM $RANDOM $RANDOM $RANDOM

# Prints the words as a mark.
_holdfast_mark() {
  builtin printf '\e]133;%s;aid=%s\a' "$1" "$_holdfast_key"
}

# After the user's own functions, before the prompt. The status is that of the command.
_holdfast_precmd() {
  builtin emulate -L zsh -o no_multibyte -o extended_glob
  _holdfast_mark "D;$1"
  # Percent-encoded, byte by byte.
  builtin local path_="${PWD//(#m)[^A-Za-z0-9\/._~-]/%${(l:2::0:)$(( [##16] #MATCH ))}}"
  builtin printf '\e]7;file://%s%s\a' "$HOST" "$path_"
  _holdfast_mark A
}

# The line editor is ready. It turns bracketed paste on only after this; whoever waits for the mark
# may paste at once.
_holdfast_line_init() {
  if [[ $CONTEXT != start ]]; then builtin return; fi
  builtin print -n -r -- "${zle_bracketed_paste[1]-}"
  _holdfast_mark B
}

_holdfast_preexec() {
  builtin emulate -L zsh -o extended_glob
  builtin local text="${1[1,2000]}"
  text=${text//\%/%25}
  text=${text//;/%3B}
  text=${text//$'\n'/%0A}
  text=${text//$'\t'/%09}
  _holdfast_mark "C;cmdline_url=${text//[[:cntrl:]]/}"
}

# At each prompt: runs first, because it is the hook that the others must not come after.
_holdfast_hook() {
  builtin local -i holdfast_status=$?
  # Where output ends without a line end, zsh marks that before the hooks run, and its mark would
  # count as output. So the end is marked there, and once more in the hook for those who turned that
  # off; an end without a command counts for nothing.
  if [[ ${PROMPT_EOL_MARK-} != *"aid=$_holdfast_key"* ]]; then
    PROMPT_EOL_MARK=$'%{\e]133;D;%?;aid='"$_holdfast_key"$'\a%}'"${PROMPT_EOL_MARK-%B%S%#%s%b}"
  fi
  if [[ ${PS2-} != *"aid=$_holdfast_key"* ]]; then
    PS2=$'%{\e]133;A;k=s;aid='"$_holdfast_key"$'\a%}'"${PS2-}"
  fi
  if [[ ${precmd_functions[-1]} != _holdfast_hook ]]; then
    precmd_functions=(${precmd_functions:#_holdfast_hook} _holdfast_hook)
  fi
  if [[ ${preexec_functions[-1]-} != _holdfast_preexec ]]; then
    preexec_functions=(${preexec_functions:#_holdfast_preexec} _holdfast_preexec)
  fi
  if (( ! ${+_holdfast_is_ready} )); then
    builtin typeset -g _holdfast_is_ready=1
    builtin autoload -Uz add-zle-hook-widget
    add-zle-hook-widget line-init _holdfast_line_init
    # What clears the line for `holdfast exec`, in every keymap.
    builtin local keymap
    for keymap in emacs viins vicmd; do
      builtin bindkey -M $keymap '\e[133;133~' kill-buffer
    done
  fi
  _holdfast_precmd $holdfast_status
}

'builtin' 'typeset' -ga precmd_functions preexec_functions
precmd_functions+=(_holdfast_hook)
