import type { CompletedCommand, Value } from './tree.js'

/** A completion script for bash. It is made of tables, so that pressing Tab starts no other program. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const table = (lines: readonly string[]) => lines.map((line) => `    ${line}`).join('\n')
  const rows = (of: (command: CompletedCommand) => string) =>
    table(commands.map((command) => `${quote(command.path.join(' '))}) REPLY=${quote(of(command))} ;;`))
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flag, value }) =>
      value ? [`${quote([...path, flag].join(' '))}) REPLY=${quote(describe(value))} ;;`] : [],
    ),
  )
  return `# Completion of rookery for bash. Load it with: source <(rookery completion bash)
_rookery_commands() {
  REPLY=''
  case "$1" in
${rows(({ subcommands }) => subcommands.map(({ name }) => name).join(' '))}
  esac
}
_rookery_options() {
  REPLY=''
  case "$1" in
${rows(({ options }) => [...options.map(({ flag }) => flag), '--help'].join(' '))}
  esac
}
_rookery_argument() {
  REPLY=''
  case "$1" in
${rows(({ argument }) => (argument ? describe(argument) : ''))}
  esac
}
_rookery_value() {
  REPLY=''
  case "$1" in
${table(values)}
  esac
}
_rookery_wallets() {
  local file
  REPLY=''
  for file in "\${XDG_CONFIG_HOME:-$HOME/.config}"/rookery/wallets/*.json; do
    [[ -e $file ]] || continue
    file="\${file##*/}"
    REPLY+=" \${file%.json}"
  done
}
_rookery_reply() {
  case "$1" in
    @free) COMPREPLY=() ;;
    @file) mapfile -t COMPREPLY < <(compgen -f -- "$2") ; compopt -o filenames 2>/dev/null ;;
    @wallet) _rookery_wallets ; mapfile -t COMPREPLY < <(compgen -W "$REPLY" -- "$2") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2") ;;
  esac
}
_rookery() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words=0 word expected='' at REPLY
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ -n $expected ]]; then
      expected=''
    elif [[ $word == -* ]]; then
      _rookery_value "\${path:+$path }$word"
      expected="$REPLY"
    else
      _rookery_commands "$path"
      if [[ $words -eq 0 && " $REPLY " == *" $word "* ]]; then
        path="\${path:+$path }$word"
      else
        words=$((words + 1))
      fi
    fi
  done
  if [[ -n $expected ]]; then
    _rookery_reply "$expected" "$current"
  elif [[ $current == -* ]]; then
    _rookery_options "$path"
    _rookery_reply "$REPLY" "$current"
  else
    _rookery_commands "$path"
    if [[ -z $REPLY && $words -eq 0 ]]; then _rookery_argument "$path"; fi
    _rookery_reply "$REPLY" "$current"
  fi
}
complete -F _rookery rookery
`
}

function describe(value: Value): string {
  return value.kind === 'choices' ? value.choices.join(' ') : `@${value.kind}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
