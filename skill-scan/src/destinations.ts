// Where a command or a sentence sends something.

const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:[\\/]{1,3}[^\s"'`<>]{0,2000}/gi
// Programs that take a host without the form of an address.
const OTHER_PROGRAM = /\b(?:nc|ncat|netcat|socat|telnet|ssh|scp|sftp|ftp|rsync|sendmail)\b/i
const NUMERIC_HOST = /(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-])|\[[0-9a-f:.]{2,45}\]/i
const HOST_OF_USER = /@[\w.-]{1,255}:/
const NAME = /(?<![\w.@/~$=-])[a-z0-9][\w-]{0,62}(?:\.[a-z0-9][\w-]{0,62}){1,8}(?=\.?(?:[\s"'`:;,|&)]|$)|\/)\/?/gi
// Endings of files and members of objects. Some are domains too: with a path after it, the name is that of a host.
const FILE_OR_MEMBER =
  /\.(?:json|jsonl|txt|md|py|sh|js|mjs|ts|rb|go|rs|toml|ya?ml|ini|cfg|conf|log|csv|html?|xml|key|pem|pub|db|sqlite|zip|t?gz|tar|post|put|env|environ)$/i
// An argument whose value is not known.
const UNKNOWN =
  /(?:\b(?:curl|wget)|\s-[sSLfkivgOI]{1,6}|\s--(?:silent|location|fail|url)|-X\s{0,4}\w{1,8}|["']|[@.]\S{1,100})\s+["']?\$[\w{(]/

/** Whether a text names the host of the platform as where it sends something, and nothing that could be another place. */
export function goesOnlyTo(host: string | undefined, text: string): boolean {
  const addresses = (text.match(ADDRESS) ?? []).map((address) => address.replace(/[).,;:!?]{1,4}$/, ''))
  if (host === undefined || addresses.length === 0 || !addresses.every((address) => isAt(host, address))) return false
  const rest = text.replace(ADDRESS, ' ')
  return (
    ![OTHER_PROGRAM, NUMERIC_HOST, HOST_OF_USER, UNKNOWN].some((pattern) => pattern.test(rest)) &&
    (rest.match(NAME) ?? []).every((name) => name === host || FILE_OR_MEMBER.test(name))
  )
}

// What stands before an "@" is a name to log in with, not a host; and programs do not agree about backslashes.
function isAt(host: string, address: string): boolean {
  if (/^[^:]*:\/\/[^/]*@|\\/.test(address) || !URL.canParse(address)) return false
  const { protocol, host: to } = new URL(address)
  return to === host && /^https?:$/.test(protocol)
}
