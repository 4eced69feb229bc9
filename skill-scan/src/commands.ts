import type { Rule } from './rules.js'

// Commands that do harm when an agent or its owner runs them. Gaps in patterns are bounded, so that no text takes long to scan.

const FETCH = String.raw`(?:curl|wget|fetch|aria2c|http|https|lynx|iwr|irm|invoke-webrequest|invoke-restmethod)\b`
const SHELL = String.raw`(?:sudo\s+(?:-\S+\s+){0,4})?(?:env\s+)?(?:/(?:usr/)?(?:local/)?bin/)?(?:ba|z|da|k|fi|c|tc|a)?sh\b(?!\.\w)`
// An interpreter that runs what is piped into it, not one that only processes it as data.
const INTERPRETER = String.raw`(?:sudo\s+)?(?:python[\d.]*|node|deno run|bun|perl|ruby|php|osascript)(?:\s+-(?![a-z]))?\s*(?=$|[\n;&|"'\x60)])`
const ARGUMENTS = String.raw`[^\n|]{0,400}`
const BETWEEN = String.raw`(?:\|[^|\n]{0,120}){0,3}`
const RUN = String.raw`(?:${SHELL}|${INTERPRETER}|iex\b|invoke-expression\b|cmd\b|xargs\s+(?:-\S+\s+){0,6}(?:ba|z)?sh\b)`

// Well-known installers. They still run unreviewed code, so they get a warning.
const KNOWN_INSTALLERS =
  /^https:\/\/(?:(?:sh\.rustup\.rs|get\.docker\.com|bun\.sh|deno\.land|astral\.sh|get\.pnpm\.io|install\.python-poetry\.org|get\.helm\.sh|ollama\.com|tailscale\.com)(?:\/|$)|raw\.githubusercontent\.com\/(?:Homebrew|nvm-sh|ohmyzsh|pyenv)\/)/i

// Where projects publish their releases. Strangers publish there too, so it is no proof.
const KNOWN_RELEASES =
  /^https:\/\/(?:github\.com|dl\.k8s\.io|releases\.hashicorp\.com|download\.docker\.com|nodejs\.org|go\.dev|dl\.google\.com|awscli\.amazonaws\.com|packages\.microsoft\.com|get\.helm\.sh)\//i

const isKnownInstaller = (command: string) => comesFrom(KNOWN_INSTALLERS, command)
const isKnownRelease = (command: string) => comesFrom(KNOWN_RELEASES, command)

/** Whether every address in a command is one of the known. */
function comesFrom(known: RegExp, command: string): boolean {
  const addresses = command.match(/\b\w+:\/\/[^\s"'`|)<>]{1,400}/g) ?? []
  return addresses.length > 0 && addresses.every((address) => known.test(address))
}

const i = (source: string) => new RegExp(source, 'i')

// In the next lines, or later in the same line.
const THEN = String.raw`(?:[^\n;&]|&(?!&)){0,200}(?:\n|&&|;)(?:[^\n]{0,160}\n){0,3}[^\n]{0,300}?`
// The shortest text up to what follows. It is captured ahead and then repeated, so that it is never tried in another length.
const upTo = (source: string) => String.raw`(?=(?<ahead>[^\n]{0,300}?${source}))\k<ahead>`
// The option that names the file to write.
const OUTPUT = String.raw`\s-\w{0,6}[oO]\s*["']?(?<file>\S{1,80}?)["']?\s`
const START = String.raw`(?:chmod\s+(?:\S{0,12}\+x|[0-7]{0,4}[1357][0-7]{0,4})\b|(?:ba|z)?sh\s+\S|\./\w|\binstaller\s|open\s+\S{1,160}\.(?:pkg|dmg|app)|msiexec|start-process)`

const DECODE = String.raw`(?:base64\s+(?:-\w+\s+){0,2}(?:-d|-D|--decode|-di)|openssl\s+(?:enc|base64)\b[^\n|]{0,80}\s-d|xxd\s+-r|uudecode|gunzip|zcat|rev\b|tr\s+['"]?[a-z])`
const DECODED = String.raw`(?:b64decode|a85decode|b32decode|fromhex|unhexlify|marshal\.loads|zlib\.decompress|atob|Buffer\.from\((?=(?<ahead>[^)\n]{1,800}?(?:base64|hex)))\k<ahead>|FromBase64String|Base64\.\w{0,12}decode\w*|base64_decode|b64_decode|fromBase64|codecs\.decode|rot_?13|unescape)`
const EXECUTE = String.raw`(?:\bexec|\beval|\bcompile|os\.system|os\.popen|subprocess\.\w{1,20}|child_process|execSync|spawn(?:Sync)?|new Function|\bFunction|vm\.run\w*|Invoke-Expression|\biex)`

export const commandRules: readonly Rule[] = [
  {
    name: 'pipe-to-shell',
    severity: 'blocked',
    message: 'It runs what a server sends, without anybody having read it. Ship the code, or name a package.',
    hints: [
      'curl',
      'wget',
      'fetch',
      'aria2c',
      'http',
      'lynx',
      'iwr',
      'irm',
      'invoke-',
      'iex',
      'urlopen',
      'requests.',
      'axios',
      'download',
      'open-uri',
      'mshta',
      'regsvr32',
      'certutil',
      'bitsadmin',
    ],
    patterns: [
      i(
        `(?:urlopen|requests\\.get|httpx\\.get|fetch|axios)\\s*\\([\\s\\S]{0,200}?(?:\\.text\\b|\\.read\\(\\)|\\.content\\b|\\.data\\b)[\\s\\S]{0,200}?${EXECUTE}\\s*\\(`,
      ),

      i(`${FETCH}${ARGUMENTS}${BETWEEN}\\|\\s*${RUN}`),
      i(`(?:${SHELL}|source|\\.|eval|python[\\d.]*|node)\\s+(?:-\\S+\\s+){0,3}<\\(\\s*(?:sudo\\s+)?${FETCH}`),
      i(
        `(?:${SHELL}|eval|exec|iex|python[\\d.]*|node|perl|ruby)\\s+(?:-\\S+\\s+){0,3}(?:["'\`]\\s*)?(?:\\$\\(|\`)\\s*${FETCH}`,
      ),
      i(
        `\\b(?:iex|invoke-expression)\\b[^\\n]{0,120}(?:downloadstring|webclient|iwr\\b|irm\\b|invoke-webrequest|invoke-restmethod|https?:)`,
      ),
      i(
        `(?:downloadstring|downloadfile|invoke-webrequest|\\biwr\\b|\\birm\\b)[^\\n]{0,300}\\b(?:iex|invoke-expression|start-process)\\b`,
      ),
      i(
        `${EXECUTE}\\s*\\(\\s*[^\\n]{0,120}(?:urlopen|requests\\.get|httpx\\.get|urllib|fetch\\(|axios|http\\.get|downloadstring|open-uri|https?://)`,
      ),
      i(
        `(?:urlopen|requests\\.get|httpx\\.get|fetch)\\((?:[^\\n]{0,360}|[^\\n]{0,200}\\n[^\\n]{0,160})\\b(?:exec|eval|new Function)\\s*\\(`,
      ),
      i(
        `\\bmshta\\b\\s+["']?https?:|\\bregsvr32\\b[^\\n]{0,60}https?:|\\bcertutil\\b[^\\n]{0,80}-urlcache|\\bbitsadmin\\b[^\\n]{0,80}/transfer`,
      ),
    ],
    isMilder: isKnownInstaller,
  },
  {
    name: 'download-and-run',
    severity: 'blocked',
    message: 'It downloads a program from an unnamed machine, or to a hidden place, and starts it.',
    hints: ['curl', 'wget', 'registry', 'index-url'],
    isMilder: isKnownRelease,
    mitigatedBy: /sha256|shasum|checksum|gpg|cosign|minisign/i,
    patterns: [
      i(
        String.raw`(?:curl|wget)\b${upTo(OUTPUT)}[^\n]{0,200}(?:\n[^\n]{0,160}){0,3}?\b(?:ba|z|da)?sh\s+(?:-\S+\s+){0,6}["']?\k<file>`,
      ),
      i(
        String.raw`\bnpm\s+(?:i|install)\b[^\n]{0,80}--registry[ =]http://|\bpip[\d.]*\s+install\b[^\n]{0,80}index-url[ =]http://`,
      ),

      i(
        `(?:curl|wget)\\b${upTo('(?:://(?:\\d{1,3}\\.){3}\\d{1,3}|(?:/tmp|/var/tmp|/dev/shm)/|\\s\\S{0,120}/\\.\\w)')}${THEN}${START}`,
      ),
    ],
  },
  {
    name: 'download-and-run',
    severity: 'warning',
    message: 'It downloads a program and starts it. Name a package with a version, or a checksum to compare.',
    hints: ['curl', 'wget', 'npx', 'uvx', 'bunx', 'pipx', 'deno', 'pip', 'npm'],
    patterns: [
      i(`(?:curl|wget)\\b${upTo('\\s(?:-\\w{0,6}[oO]\\b|--output|>)')}${THEN}${START}`),
      i(
        `(?:curl|wget)\\b${upTo('\\|\\s*(?:tar|bsdtar|unzip|gunzip|cpio)\\b')}[^\\n;&]{0,100}(?:&&|;|\\n)[^\\n]{0,200}?(?:\\./|(?:ba)?sh\\s|install)`,
      ),
      i(`\\b(?:npx|uvx|bunx|pipx run|deno run)\\s+(?:-\\S+\\s+){0,3}["']?https?://`),
      i(
        `\\bpip[\\d.]*\\s+install\\b[^\\n]{0,80}(?:https?://(?!(?:github\\.com|files\\.pythonhosted\\.org)/)|--(?:extra-)?index-url\\s+http)|\\bnpm\\s+(?:i|install)\\b[^\\n]{0,80}(?:https?://(?!github\\.com/)|--registry[ =]http)`,
      ),
    ],
  },
  {
    name: 'decode-and-run',
    severity: 'blocked',
    message: 'It decodes something that cannot be read and runs it. Write the code in clear.',
    hints: [
      'base64',
      'b64',
      'openssl',
      'xxd',
      'uudecode',
      'gunzip',
      'zcat',
      'rev',
      'tr ',
      'a85',
      'b32',
      'hex',
      'marshal',
      'zlib',
      'atob',
      'codecs',
      'rot',
      'unescape',
      'powershell',
      'pwsh',
    ],
    patterns: [
      i(`${DECODE}${ARGUMENTS}${BETWEEN}\\|\\s*${RUN}`),
      i(
        `(?:${SHELL}|eval|source|\\.|python[\\d.]*|node)\\s+(?:-\\S+\\s+){0,3}(?:(?:["'\`]\\s*)?(?:\\$\\(|\`)|<\\()[^\\n]{0,800}${DECODE}`,
      ),
      i(`${EXECUTE}\\s*\\(\\s*[^\\n]{0,160}${DECODED}`),
      i(`${DECODED}[^\\n]{0,800}\\b(?:iex|invoke-expression)\\b`),
      i(`\\b(?:powershell|pwsh)(?:\\.exe)?\\b[^\\n]{0,120}\\s-e(?:c|nc|ncodedcommand)?\\s+["']?[A-Za-z0-9+/=]{16,}`),
    ],
  },
  {
    name: 'decode-and-run',
    severity: 'warning',
    message: 'Code decodes something and runs something. Write what is run in clear.',
    hints: ['b64', 'a85', 'b32', 'hex', 'marshal', 'zlib', 'atob', 'base64', 'codecs', 'rot', 'unescape'],
    patterns: [i(`${DECODED}[\\s\\S]{0,600}?${EXECUTE}\\s*\\(`)],
    madeFor: 'code',
  },
  {
    name: 'reverse-shell',
    severity: 'blocked',
    message: 'It gives a stranger a shell on this machine.',
    hints: ['/dev/', 'nc ', 'ncat', 'netcat', 'socat', 'mkfifo', 'socket', 'ngrok', 'ssh'],
    patterns: [
      i(String.raw`/dev/(?:tcp|udp)/[\w.$\{]`),
      i(
        String.raw`\b(?:nc|ncat|netcat|socat)\b[^\n]{0,120}(?:\s-[a-z]{0,8}[ec]\s+\S{0,60}sh\b|exec:|\|\s*(?:/bin/)?(?:ba)?sh\b)`,
      ),
      i(String.raw`mkfifo[^\n]{0,120}\b(?:nc|ncat|telnet|openssl)\b`),
      i(String.raw`socket\.socket[\s\S]{0,400}(?:dup2|pty\.spawn|subprocess)`),
      i(String.raw`\bngrok\s+tcp\s+22\b|\bssh\b[^\n]{0,80}\s-R\s*\d+:(?:localhost|127\.0\.0\.1):22\b`),
    ],
  },
  {
    name: 'persistence',
    severity: 'blocked',
    message: 'It lets a stranger in again later, or starts code from the network again and again.',
    hints: ['authorized_keys', 'crontab', 'launchctl', 'systemctl', 'schtasks', 'currentversion', '>>'],
    patterns: [
      i(
        String.raw`(?:>>?\s*|tee\s+(?:-a\s+)?|(?:append|add|write|copy|put)\b[^\n]{0,200}?)["'\x60]?(?:~|\$HOME|/root|/home/[\w$\{\}]{1,40})?/?\.ssh/authorized_keys`,
      ),
      i(
        String.raw`(?:curl|wget)\b[^\n]{0,300}\|\s*(?:sudo\s+)?crontab\b|crontab\b[^\n]{0,300}(?:curl|wget)\b[^\n]{0,200}\|\s*(?:ba|z)?sh\b`,
      ),
      i(
        String.raw`(?:launchctl\s+load|systemctl\s+(?:--user\s+)?enable|schtasks\s+/create|currentversion\\+run\b)[^\n]{0,300}(?:https?:|curl|wget|powershell|/tmp/|%temp%)`,
      ),
      i(
        String.raw`(?:echo|printf)\b[^\n]{0,300}(?:curl|wget|/dev/tcp|base64)[^\n]{0,300}>>\s*(?:~|\$HOME)/\.(?:bash|zsh|profile|config)`,
      ),
    ],
  },
  {
    name: 'persistence',
    severity: 'warning',
    message: 'It changes what starts by itself on this machine.',
    hints: ['>>', 'schtasks', 'currentversion', 'launchctl'],
    patterns: [
      i(
        String.raw`>>\s*(?:~|\$HOME)/\.(?:bashrc|zshrc|profile|bash_profile|zprofile|config/fish)[^\n]{0,200}(?:curl|wget|eval|alias\s+(?:sudo|ssh|git)=)`,
      ),
      i(String.raw`alias\s+(?:sudo|ssh|git|curl|npm)=[^\n]{0,200}>>\s*(?:~|\$HOME)/\.`),
      i(String.raw`\bschtasks\s+/create\b|currentversion\\+run\b|\blaunchctl\s+(?:load|bootstrap)\b`),
    ],
  },
  {
    name: 'weakened-protection',
    severity: 'blocked',
    message: 'It switches off what protects this machine.',
    hints: [
      'xattr',
      'allow',
      'approve',
      'trust',
      'permit',
      'anyway',
      'spctl',
      'csrutil',
      'setenforce',
      'ufw',
      'netsh',
      'mppreference',
      'virus',
      'defender',
      'gatekeeper',
      'smartscreen',
      'protection',
      'firewall',
      'security software',
    ],
    patterns: [
      i(
        String.raw`\b(?:allow|approve|trust|permit)\s+it\b[^.!?\n]{0,60}\b(?:settings|security|privacy|gatekeeper|firewall)\b|\bopen\s+anyway\b`,
      ),

      i(String.raw`xattr\s+-(?=\w{0,8}[dc])\w{1,12}\s+(?:com\.apple\.quarantine|\S)`),
      i(
        String.raw`spctl\s+--(?:master|global)-disable|csrutil\s+disable|setenforce\s+0|ufw\s+disable|netsh\s+advfirewall\s+set[^\n]{0,40}off`,
      ),
      i(String.raw`set-mppreference[^\n]{0,60}-(?:disable|exclusion)|add-mppreference[^\n]{0,40}-exclusion`),
      i(
        String.raw`\b(?:disable|turn(?:ing)? off|switch(?:ing)? off|deactivate|pause)\b[^\n.]{0,40}\b(?:anti-?virus|defender|gatekeeper|smartscreen|real-?time protection|firewall|security software)\b`,
      ),
    ],
  },
  {
    name: 'destruction',
    severity: 'blocked',
    message: 'It deletes what cannot be brought back.',
    hints: ['rm ', 'dd ', 'mkfs', '/dev/', ':()'],
    patterns: [
      i(
        String.raw`\brm\s+(?:-\w+\s+){0,3}-(?=\w{0,8}[rf])\w{1,12}\s+(?:-\S+\s+){0,3}["']?(?:(?:/|~/?|\$\{?HOME\}?/?)(?![\w.~$/{-])|--no-preserve-root)`,
      ),
      i(
        String.raw`\bdd\b[^\n]{0,80}of=/dev/(?:sd|nvme|disk|hd)|\bmkfs(?:\.\w+)?\s+/dev/|>\s*/dev/sd[a-z]\b|:\(\)\s*\{\s*:\|:&\s*\};:`,
      ),
    ],
  },
]
