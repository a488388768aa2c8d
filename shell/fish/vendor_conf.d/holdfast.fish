# Shell integration for fish: marks prompts, commands and their ends in the output. docs/shell.md
# describes the marks.
#
# fish reads this before the user's files, because Holdfast has put its folder into XDG_DATA_DIRS.

status is-interactive; or exit
set -q HOLDFAST_SHELL_DATA; or exit

# XDG_DATA_DIRS as it was.
if test -n "$HOLDFAST_SHELL_DATA"
    set -gx --path XDG_DATA_DIRS (string split ':' -- $HOLDFAST_SHELL_DATA)
else
    set -e XDG_DATA_DIRS
end
set -e HOLDFAST_SHELL_DATA

set -g __holdfast_key (random 268435456 4294967295)(random 268435456 4294967295)

function __holdfast_mark -d "Print the words as a mark"
    printf '\e]133;%s;aid=%s\a' $argv[1] $__holdfast_key
end

# Before the prompt. fish_prompt may have been defined again since the last one.
function __holdfast_prompt --on-event fish_prompt
    if not string match -q '*__holdfast_mark B*' -- (functions fish_prompt)
        functions -e __holdfast_user_prompt
        functions -c fish_prompt __holdfast_user_prompt
        # What clears the line for `holdfast exec`, in every mode.
        for mode in (bind -L 2>/dev/null; or echo default insert)
            bind -M $mode \e'[133;133~' 'commandline -r ""'
        end
        function fish_prompt
            __holdfast_user_prompt
            __holdfast_mark B
        end
    end
    printf '\e]7;file://%s%s\a' $hostname (string escape --style=url -- $PWD)
    __holdfast_mark A
end

function __holdfast_preexec --on-event fish_preexec
    set -l text (string sub -l 2000 -- "$argv[1]" | string collect)
    set text (string replace -a '%' '%25' -- $text | string replace -a ';' '%3B' | string replace -a \t '%09' | string join '%0A')
    __holdfast_mark "C;cmdline_url="(string replace -ra '[[:cntrl:]]' '' -- $text)
end

# The shell did not run it. fish leaves it at the prompt.
function __holdfast_refused --on-event fish_posterror
    __holdfast_mark "D;2"
    __holdfast_mark A
    __holdfast_mark B
end

function __holdfast_postexec --on-event fish_postexec
    __holdfast_mark "D;$status"
end
