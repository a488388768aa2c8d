# zsh reads this instead of the user's .zshenv, because Holdfast has set ZDOTDIR. It puts ZDOTDIR
# back, so that zsh finds the user's other files by itself, and reads the user's .zshenv.

if [[ -n ${HOLDFAST_SHELL_ZDOTDIR+set} ]]; then
  'builtin' 'export' ZDOTDIR="$HOLDFAST_SHELL_ZDOTDIR"
  'builtin' 'unset' 'HOLDFAST_SHELL_ZDOTDIR'
else
  'builtin' 'unset' 'ZDOTDIR'
fi

# `always`: also if the user's file returns or fails.
{
  if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
    'builtin' 'source' "${ZDOTDIR-$HOME}/.zshenv"
  fi
} always {
  if [[ -o 'interactive' ]]; then
    'builtin' 'source' "${${(%):-%x}:A:h}/holdfast.zsh"
  fi
}
