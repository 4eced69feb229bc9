import type { CompletedCommand, Value } from './tree.js'

/** A completion script for fish, with descriptions. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  return `# Completion of rookery for fish. Load it with: rookery completion fish | source
function __rookery_words
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or echo $word
    end
end
function __rookery_is
    set -l words (__rookery_words)
    test "$words" = "$argv"
end
function __rookery_in
    set -l words (__rookery_words)
    string match -q -- "$argv *" "$words "
end
function __rookery_wallets
    set -l base $XDG_CONFIG_HOME
    test -n "$base"; or set base $HOME/.config
    for file in $base/rookery/wallets/*.json
        string replace -r '.*/(.*)\\.json$' '$1' -- $file
    end
end
complete -c rookery -f
${commands.flatMap(linesOf).join('\n')}
`
}

function linesOf({ path, subcommands, options, argument }: CompletedCommand): string[] {
  const place = path.join(' ')
  const exact = quote(`__rookery_is ${place}`.trim())
  const inside = path.length > 0 ? quote(`__rookery_in ${place}`) : exact
  return [
    ...subcommands.map(
      ({ name, description }) => `complete -c rookery -n ${exact} -a ${quote(name)} -d ${quote(description)}`,
    ),
    ...(argument && argument.kind !== 'free' ? [`complete -c rookery -n ${exact}${offer(argument)}`] : []),
    ...options.map(
      ({ flag, description, value }) =>
        `complete -c rookery -n ${inside} -l ${flag.replace(/^--/, '')}${value ? ` ${value.kind === 'file' ? '-r' : '-x'}${offer(value)}` : ''} -d ${quote(description)}`,
    ),
  ]
}

function offer(value: Value): string {
  switch (value.kind) {
    case 'choices':
      return ` -a ${quote(value.choices.join(' '))}`
    case 'file':
      return ' -F'
    case 'wallet':
      return " -a '(__rookery_wallets)'"
    case 'free':
      return ''
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
