import { isDoubtful } from './context.js'
import { goesOnlyTo } from './destinations.js'
import type { Finding } from './finding.js'
import { doubted, type Rule } from './rules.js'
import { type Block, type Sentence, sentencesOf } from './text.js'

/** Files with keys, wallets and sessions. */
const KEPT = [
  String.raw`\.ssh/(?!config\b|known_hosts|authorized_keys|\w+\.pub)[\w*{$]|\.ssh/\*|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)`,
  String.raw`\.aws/(?:credentials|config)|\.kube/config|\.docker/config\.json|\.config/gcloud|application_default_credentials|\.azure/`,
  String.raw`\.netrc|\.git-credentials|\.npmrc|\.pypirc|\.gnupg|\.pgpass|\.vault-token|/etc/(?:shadow|sudoers)`,
  String.raw`\.ethereum/keystore|\bkeystore/|\.config/solana/|solana/id\.json|wallet\.dat|\.electrum|electrum/wallets|exodus(?:\.wallet)?/|atomic/local storage|\.foundry/keystores|\.bitcoin/|phantom|nkbihfbeogaeaoehlefnkodbefgpgknn|metamask(?:/|\s+(?:vault|extension data|folder))`,
  String.raw`\b[\w-]{0,30}(?:seed|mnemonic|wallet|signing|secret|private)[\w-]{0,30}\.(?:txt|json|key|pem)\b|\b\w+\.(?:pem|p12|pfx|keystore)\b|\bserver-secret\b|\boperator-key\b|\bbank-key\b`,
  // The whole environment of a process.
  String.raw`\bprintenv\b(?!\s+[A-Z])|\benv\s*(?:\||>)|\b(?:all|whole|entire|full|your|complete)\s+environment\b(?!\s+variables?\s+[A-Z])|stringify\(\s*process\.env|os\.environ\s*[),]`,
  String.raw`login data\b|\bcookies(?:\.sqlite| file| database|\.db)\b|\x60cookies\x60|\bkey[34]\.db|logins\.json|keychain(?:-db|s/)|local state\b|chrome/(?:user data|default)|firefox/profiles`,
  String.raw`\.config/rookery|\.rookery/|\.openclaw/|\.clawdbot/|\.moltbot/|\.claude/(?:\.credentials|settings)|auth-profiles\.json|openclaw\.json`,
  String.raw`(?<![\w/*.-])\.env(?:\.\w+)?\b(?!\.example|\.sample|\.template)|/\.env\b(?!\.example|\.sample)`,
].join('|')
const KEPT_FILE = new RegExp(KEPT, 'i')
const AWAY =
  '(?:send|post|upload|submit|transmit|forward|report|deliver|exfiltrate|e?-?mail|dm|attach|include|append|add|put|share|tweet|paste)'
const PLACE = '(?:server|endpoint|service|form|address|url|author|channel|bot|registry|query)'
const PART = '(?:query|parameter|header|body|tweet|reply|message|answer|post|url)'
const TAKES =
  /\b(?:cat|type|less|more|head|tail|strings|cp|copy|scp|rsync|tar|zip|7z|gzip|base64|xxd|get-content|gc|open|opens|read|reads|readfile\w*|read_text|load|collect|gather|grab|extract|export|upload|send|attach|include|dump|print|output|find|grep|locate|parse|@)\b|(?:-d|-F|-T|--data(?:-\w{1,12})?)\s+\S{0,100}@|\bopen\(|=@/i
const SENDS = new RegExp(
  [
    String.raw`\b(?:curl|wget|nc|ncat|scp|rsync|ftp|sftp)\b[^\n]{0,300}(?:\s-\w{0,4}[dFT]\b|--data|--form|--upload|--post|-X\s*(?:POST|PUT)|\s@-|@[^\s@:]{1,160}:|\|)`,
    String.raw`\|\s*(?:curl|wget|nc|ncat|telnet|ssh)\b|\b(?:curl|wget)\b[^\n]{0,300}[?&]\w+=\$`,
    String.raw`requests\.(?:post|put)|httpx\.post|axios\.(?:post|put)|method:\s*['"](?:POST|PUT)|fetch\([^\n]{0,200}(?:body|POST)`,
    String.raw`invoke-(?:webrequest|restmethod)[^\n]{0,160}-method\s+post`,
    String.raw`\b${AWAY}(?:s|ing)?\b[^.\n]{0,120}(?:https?:|\bwith POST\b|@\w{3,}|\bto (?:@|the ${PLACE})|\bas (?:a|the) ${PART}|\bin (?:your|the) (?:next|first|${PART}))`,
  ].join('|'),
  'i',
)
const NEAR_LINES = 12

/** What is known about a document before its sentences are read. */
export interface About {
  readonly aboutAttacks: boolean
  /** The host of the platform. */
  readonly host: string | undefined
}

/** Finds files with keys that are read, and sent away nearby. */
export function findKeyFiles(blocks: readonly Block[], { aboutAttacks, host }: About): Finding[] {
  const pieces = blocks.flatMap((block) => sentencesOf(block))
  const [sent, maybeSent] = [new Set<number>(), new Set<number>()]
  for (const sentence of pieces) {
    const sendings = surestMatches(SENDS, sentence, aboutAttacks)
    if (sendings.length === 0) continue
    // An agent sends its key to the platform, and the scan cannot tell that from sending another one.
    const isMild = goesOnlyTo(host, sentence.text)
    for (const { line, isDoubtful } of sendings) {
      const near = isDoubtful || isMild ? maybeSent : sent
      // The end of a script sends what its beginning has read.
      for (const place of [sentence.line, line])
        for (let at = place - NEAR_LINES; at <= place + NEAR_LINES; at++) near.add(at)
    }
  }
  return pieces.flatMap((sentence) =>
    surestMatches(KEPT_FILE, sentence, aboutAttacks).flatMap(({ index, line, isDoubtful }): Finding[] => {
      const sends = {
        rule: 'key-files',
        line,
        message: 'It sends away what holds keys, wallets, sessions or settings.',
      }
      if (sent.has(line) && !isDoubtful) return [{ ...sends, severity: 'blocked' }]
      if (sent.has(line) || maybeSent.has(line)) return [doubted(sends)]
      const message = 'It reads what holds keys, wallets, sessions or settings.'
      const isTaken = TAKES.test(sentence.text.slice(Math.max(0, index - 160), index + 100))
      return isTaken ? [{ rule: 'key-files', severity: 'warning', line, message }] : []
    }),
  )
}

interface SurestMatch {
  readonly index: number
  readonly line: number
  readonly isDoubtful: boolean
}

/** The first match in each line that nothing speaks against, or else the first. The lines of a sentence count as one. */
function surestMatches(pattern: RegExp, sentence: Sentence, aboutAttacks: boolean): SurestMatch[] {
  if (!pattern.test(sentence.text)) return []
  const { block, start, text } = sentence
  const found = new Map<number, SurestMatch>()
  for (const { index } of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    const line = block.kind === 'code' ? block.lineAt(start + index) : sentence.line
    const before = found.get(line)
    if (before?.isDoubtful === false) continue
    const match = { index, line, isDoubtful: isDoubtful(sentence, index, index, aboutAttacks) }
    if (!before || !match.isDoubtful) found.set(line, match)
  }
  return [...found.values()]
}

/** Searches every line for a key of this platform. Only the platform knows the format of its keys. */
export function findOwnKeys(document: string, containsApiKey: (text: string) => boolean): Finding[] {
  const line = document.split('\n').findIndex((line) => containsApiKey(line)) + 1
  if (line === 0) return []
  return [{ rule: 'api-key', severity: 'blocked', line, message: 'It contains an API key. Replace that key now.' }]
}

const SECRET = String.raw`(?:seed\s*(?:phrase|words)|recovery\s*(?:phrase|words|key)|secret\s+(?:recovery\s+)?phrase|mnemonic(?:\s+phrase)?|(?:12|24|twelve|twenty-four)[\s-]+words?(?:\s+(?:phrase|seed|backup))?|private\s+keys?(?!\s*(?:file|path)|[-_]file)|wallet\s+(?:keys?|secret|password)|keystore\s+(?:file|password)|wallet['’]?s?\s+private)`
const API_KEY = String.raw`(?:api[\s_-]*keys?|access\s+tokens?|secret\s+keys?|credentials|bearer\s+tokens?|session\s+(?:cookie|token)s?|sk_\w{0,80}|passwords?|auth\s+tokens?|x-api-key)`
const ASKS = String.raw`(?:send|submit|include|paste|enter|provide|share|post|tweet|give|ask(?:s|ing)?|request|prompt|type|upload|forward|reveal|dm|message|tell|supply|input|attach|hand over|import|disclose|report|leak|append|embed|put|pass|export|e-?mail|collect|obtain|gather|confirm|repl(?:y|ies)\s+with|respond\s+with|answer\s+with)`
const GIVES = String.raw`(?:send|submit|include|paste|enter|post|tweet|share|upload|forward|reveal|dm|message|attach|hand over|disclose|report|leak|append|embed|e-?mail|collect|repl(?:y|ies)\s+with|respond\s+with|answer\s+with)`
const TO_WHOM = String.raw`(?:https?://|\bto\s+(?:@|the\s+(?:author|creator|developer|support|team|form|bot|endpoint|server|service)|us\b|me\b|our\b)|@\w{3,60}\b|query\s+parameter|\b(?:first|next|every|each|your|a)\s+(?:message|tweet|reply|post|answer|comment)|\bDM\b|direct message|\bform\b)`

export const secretRules: readonly Rule[] = [
  {
    name: 'asks-for-secrets',
    severity: 'blocked',
    message: 'It asks for a key, phrase or password. Nobody but its owner needs it.',
    hints: [
      'seed',
      'recovery',
      'phrase',
      'mnemonic',
      'word',
      'private',
      'wallet',
      'keystore',
      'key',
      'token',
      'credential',
      'session',
      'sk_',
      'passcode',
      '2fa',
      'one-time',
      'otp',
      'pin',
    ],
    patterns: [
      /\bkeys?\b[^.!?\n]{0,60}\b(?:send|mail|e-?mail|forward|dm|post|hand|share)\s+(?:it|them|that|both)\b[^.!?\n]{0,40}\bto\b/i,

      new RegExp(String.raw`\b${ASKS}\b[^.!?\n]{0,120}\b${SECRET}`, 'i'),
      new RegExp(String.raw`\b${SECRET}\b[^.!?\n]{0,100}\b(?:is|are)\s+(?:required|needed|necessary)`, 'i'),
      new RegExp(String.raw`\b${GIVES}\b[^!?\n]{0,100}\b${API_KEY}[^!?\n]{0,160}${TO_WHOM}`, 'i'),
      // What is captured ahead and then repeated is never tried in another length.
      new RegExp(
        String.raw`\b${GIVES}\b(?=(?<whom>[^!?\n]{0,160}?${TO_WHOM}))\k<whom>[^!?\n]{0,200}\b(?:your|the|its|their)\s+(?:\w{1,30}\s+){0,2}${API_KEY}`,
        'i',
      ),
      /\bask(?:s|ing)?\s+(?:the\s+)?(?:user|owner|human|operator)\b[^.!?\n]{0,80}\b(?:password|passcode|2fa|one-time|otp)\b/i,
      /\b(?:enter|type|give|provide|confirm)\b[^.!?\n]{0,40}\b(?:password|passcode|pin)\s+of\s+(?:the|your)\s+(?:computer|machine|mac|system|user|account)\b|\bsudo\s+password\b/i,
      // Orders to the reader, not settings of a program.
      new RegExp(
        String.raw`\b${GIVES}\b[^.!?\n]{0,60}\b(?:sk_|api)[\s_-]{0,4}(?:[a-z0-9]{1,30}\s+)?keys?\s+(?:here|below|in\s+public)`,
        'i',
      ),
    ],
    madeFor: 'prose',
  },
  {
    name: 'asks-for-secrets',
    severity: 'blocked',
    message: 'It sends the secret of a wallet somewhere. Nobody but its owner needs it.',
    hints: ['seed', 'recovery', 'phrase', 'mnemonic', 'word', 'private', 'wallet', 'keystore'],
    patterns: [new RegExp(String.raw`\b${SECRET}`, 'i')],
    requires: /https?:\/\/|@\w{3,}|\b(?:submit|upload|request\s+to|the\s+form|the\s+field)\b/i,
    madeFor: 'prose',
  },
  {
    name: 'key-files',
    severity: 'blocked',
    message: 'It sends away the settings of this machine, and the secrets among them.',
    hints: ['env', 'set', 'export', 'compgen', 'curl', 'wget', 'environ'],
    patterns: [
      /\b(?:printenv|env|set|export\s+-p|compgen\s+-v)\b[^\n]{0,200}\|(?:[^|\n]{0,120}\|){0,3}\s*(?:curl|wget|nc|ncat)\b/i,
      /\b(?:curl|wget)\b[^\n]{0,300}(?:\$\(|`)\s*(?:env|printenv|set|cat\s+[^)\n]{0,80}(?:\.env|credentials|id_rsa|\.key|secret)|history|whoami\s*&&)/i,
      /(?:process\.env|os\.environ)\s*[),\]}][^\n]{0,200}(?:https?:|fetch|post|axios|urlopen)|(?:fetch|post|axios|urlopen)\b[^\n]{0,240}(?:stringify\(\s*process\.env|(?:dict|str|json\.dumps)\(\s*(?:dict\()?os\.environ|=\s*(?:dict\()?os\.environ)/i,
    ],
  },
  {
    name: 'secret-in-text',
    severity: 'warning',
    message: 'It contains something that looks like a private key or token.',
    hints: ['private', 'akia', 'ghp_', 'xox', 'sk-'],
    patterns: [
      /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/,
      /\bprivate[\s_-]*key["'`]?\s*[:=]\s*["'`]?(?:0x)?[0-9a-f]{64}\b/i,
      /\b(?:AKIA[0-9A-Z]{16}|ghp_[0-9A-Za-z]{36}|xox[bp]-[0-9A-Za-z-]{20,}|sk-[A-Za-z0-9_-]{32,})\b/,
    ],
  },
]
