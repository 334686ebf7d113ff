/**
 * The scripts pass words unchanged and read lines of `value<tab>description`. They never evaluate a word
 * (docs/decisions/029-command-line-and-operation.md).
 */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Avoids mapfile, because bash 3.2 of macOS lacks it. Without suggestions it completes file names. */
const bash = (program: string): string => `# netd completion for bash
_netd_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ -n $line ]] && COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${program} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o default -F _netd_complete netd`;

const zsh = (program: string): string => `#compdef netd
# netd completion for zsh
_netd() {
  local line
  local -a found
  for line in "\${(@f)$(${program} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then
    _describe -t values 'netd' found
  else
    _files
  fi
}
if [[ $funcstack[1] == _netd ]]; then _netd "$@"; else compdef _netd netd; fi`;

const fish = (program: string): string => `# netd completion for fish
function __netd_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (${program} complete -- $words[2..-1] 2>/dev/null </dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c netd -f -a '(__netd_complete)'`;

const WRITERS: Readonly<Record<Shell, (program: string) => string>> = { bash, zsh, fish };

export function completionScript(shell: Shell, program: string): string {
  return WRITERS[shell](quoted(program));
}
