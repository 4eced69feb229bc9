import type { CompletedCommand, Value } from './tree.js'

/** A completion script for zsh, with descriptions. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef rookery
# Completion of rookery for zsh. Write it to a folder of $fpath as _rookery, or load it: source <(rookery completion zsh)
_rookery_at() {
  subcommands=() options=() argument=''
  case "$1" in
${commands.map(rowOf).join('\n')}
  esac
}
_rookery_value() {
  REPLY=''
  case "$1" in
${commands.flatMap(valueRows).join('\n')}
  esac
}
_rookery_offer() {
  case "$1" in
    @free) _message 'a value' ;;
    @file) _files ;;
    @wallet) compadd -- "\${XDG_CONFIG_HOME:-$HOME/.config}"/rookery/wallets/*.json(N:t:r) ;;
    *) compadd -- \${=1} ;;
  esac
}
_rookery() {
  local place='' word expected='' argument REPLY
  local -i given=0
  local -a subcommands options
  _rookery_at ''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $expected ]]; then
      expected=''
    elif [[ $word == -* ]]; then
      _rookery_value "\${place:+$place }$word"
      expected=$REPLY
    elif (( given == 0 )) && [[ -n \${(M)subcommands:#\${word}:*} ]]; then
      place="\${place:+$place }$word"
      _rookery_at "$place"
    else
      (( given += 1 ))
    fi
  done
  if [[ -n $expected ]]; then
    _rookery_offer "$expected"
  elif [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (( \${#subcommands} && given == 0 )); then
    _describe -t commands command subcommands
  elif [[ -n $argument && $given -eq 0 ]]; then
    _rookery_offer "$argument"
  fi
}
if [[ \${funcstack[1]} == _rookery ]]; then
  _rookery "$@"
else
  compdef _rookery rookery
fi
`
}

function rowOf({ path, subcommands, options, argument }: CompletedCommand): string {
  const pairs = (list: readonly (readonly [string, string])[]) =>
    list.map(([name, words]) => quote(`${name}:${words.replaceAll(':', '\\:')}`)).join(' ')
  const named = pairs(subcommands.map(({ name, description }) => [name, description]))
  const flags = pairs([
    ...options.map(({ flag, description }) => [flag, description] as const),
    ['--help', 'Show help'],
  ])
  const first = argument ? ` argument=${quote(describe(argument))}` : ''
  return `    ${quote(path.join(' '))}) subcommands=(${named}) options=(${flags})${first} ;;`
}

function valueRows({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flag, value }) =>
    value ? [`    ${quote([...path, flag].join(' '))}) REPLY=${quote(describe(value))} ;;`] : [],
  )
}

function describe(value: Value): string {
  return value.kind === 'choices' ? value.choices.join(' ') : `@${value.kind}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
