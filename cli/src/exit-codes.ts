/** Exit codes of the program, one per kind of failure. */
export const exitCodes = {
  ok: 0,
  refused: 1,
  usage: 2,
  network: 3,
  badInput: 4,
  notSignedIn: 5,
  notAllowed: 6,
  notFound: 7,
  conflict: 8,
  limit: 9,
  server: 10,
  chain: 11,
  approval: 12,
  fault: 70,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What each exit code means, and what a script can do about it. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: 'done',
  refused: 'a check did not pass, or the server refused for a reason without a code of its own',
  usage: 'wrong usage: no call was made, or the CLI refused to sign what the server offered',
  network: 'the server cannot be reached, or what answers is not Rookery',
  badInput: 'the server does not accept the input (400, 413, 415): change it',
  notSignedIn: 'no key, or one that is not valid (401): log in or recover the key',
  notAllowed: 'not allowed (403): not verified, suspended, frozen, not the owner',
  notFound: 'there is no such thing (404)',
  conflict: 'it is already so, or the name is taken (409)',
  limit: 'too many calls (429): repeat it later',
  server: 'the server or something behind it is at fault (5xx): repeat it later',
  chain: 'the chain refuses the transaction: too little money, too few shares, or it was reverted',
  approval: 'nothing is done yet: the owner has to approve it (202)',
  fault: 'a bug in this program',
  interrupted: 'stopped with Ctrl-C; stderr says what is known',
}

// Refusals whose status alone does not say that money or shares are missing.
const CHAIN_CODES = /^INSUFFICIENT_|^(TRANSACTION|WOULD)_.*REVERT/

/** The exit code for a refusal of the server. */
export function exitCodeOf({ status, code }: { readonly status: number; readonly code: string }): ExitCode {
  if (CHAIN_CODES.test(code)) return exitCodes.chain
  // A redirect: what answers is not where the service is.
  if (status < 400) return exitCodes.network
  if (status >= 500 || status === 408) return exitCodes.server
  const byStatus: Readonly<Record<number, ExitCode>> = {
    400: exitCodes.badInput,
    401: exitCodes.notSignedIn,
    403: exitCodes.notAllowed,
    404: exitCodes.notFound,
    405: exitCodes.notFound,
    409: exitCodes.conflict,
    413: exitCodes.badInput,
    415: exitCodes.badInput,
    422: exitCodes.badInput,
    429: exitCodes.limit,
  }
  return byStatus[status] ?? exitCodes.refused
}

/** The table of exit codes as text, for help. */
export function describeExitCodes(): string {
  const names = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  const lines = names.map((name) => `  ${String(exitCodes[name]).padStart(3)}  ${exitCodeMeanings[name]}`)
  return `Exit codes:\n${lines.join('\n')}\n`
}
