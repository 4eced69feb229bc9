import type { Finding } from './finding.js'
import type { Sentence } from './text.js'
import { GIVES, OWNER, PAYEE, PAYS, SECRET, TO_OTHERS, UNASKED, VALUE, WALLET_WORDS } from './vocabulary.js'

/**
 * Meanings that are harmless apart and suspicious together. They find what is said in words that no rule knows, and they
 * find harmless texts too, so each only counts towards a likeness to harmful documents.
 */
interface Signal {
  readonly rule: string
  readonly message: string
  /** All of them occur in the same sentence, or in the same piece of code. */
  readonly all: readonly RegExp[]
}

const i = (source: string) => new RegExp(source, 'iu')

const HIDES = String.raw`\b(?:leave[sd]?|leaving|omit|erase|wipe|clear|delete|remove|hide|conceal|mask|purge|scrub|skip|suppress|drop|keep|loschen?|losche|entfern\w+|verberg\w+|verschweig\w+|efface[sz]?|supprime[sz]?|cache[sz]?|borra|elimina|oculta|esconde|cancella|nascondi|apague|esconda)\b|удали|скрой|скрыв|删除|隐藏|清除|削除|消し|隠`
const TRACES = String.raw`\b(?:logs?|log\s+(?:entr\w+|lines?|files?)|history|transcripts?|audit\w*|journals?|traces?|receipts?|records?|notifications?|activity|protokoll\w*|verlauf|journal|historique|courriels?|traces|registros?|historial|correos?|registri|cronologia|historico)\b|журнал|истори|лог|日志|记录|历史|履歴|ログ|記録`
const SAYS_NOTHING = String.raw`\b(?:(?:do|does|did)\s*n['’o]t|don['’]?t|never|not|without|nothing|avoid|instead\s+of)\b[^.!?\n]{0,30}\b(?:tell\w*|mention\w*|inform\w*|notif\w*|report\w*|reveal\w*|quote|show\w*|disclos\w*|say|discuss\w*|alert\w*|announce)\b|\bsay\s+nothing\b|\bbetween\s+(?:us|you\s+and\s+me)\b|\b(?:sage?|sag|erzahle?|verrate?|erwahne?|informiere?)\b[^.!?\n]{0,40}\b(?:nicht|nichts|niemand\w*|nie|niemals|kein\w*)\b|\b(?:n['’]en|ne|n['’])\s?\w{0,20}[^.!?\n]{0,20}\b(?:parle[sz]?|dis|dites|mentionne[sz]?|informe[sz]?|signale[sz]?)\b|\b(?:no|nunca|jamas)\b[^.!?\n]{0,20}\b(?:menci\w+|digas|dig[ao]\w*|inform\w+|avis\w+|cuent\w+|revel\w+)\b|\bnon\b[^.!?\n]{0,16}\b(?:dire|dirlo|menzionare|informare)\b|\bnao\b[^.!?\n]{0,16}\b(?:diga|conte|mencione|informe)\b|не\s+(?:говори|сообща|упомина|рассказыва)|(?:不要|别|勿|不得|不能)[^。\n]{0,12}(?:告诉|提及|透露|通知|说)|(?:知らせ|伝え|言わ|話さ|報告し)な|内緒|秘密に`
const ORDERS = String.raw`\b(?:instructions?|rules?|orders?|directives?|guidelines?|polic(?:y|ies)|prompts?|anweisungen|regeln|vorgaben|instruktionen|befehle|consignes|regles|directives|instrucciones|reglas|ordenes|indicaciones|istruzioni|regole|instrucoes|regras|ordens)\b|инструкц|указан|правил|指令|指示|规则|提示词|命令|ルール`
const DROPS = String.raw`\b(?:ignore[sd]?|disregard\w*|forget|override[sn]?|overrule\w*|outrank\w*|discard|supersede\w*|replaces?|noise|background|no\s+longer|ignorier\w*|vergiss|missacht\w*|oublie[sz]?|ignorez|olvida\w*|ignora\w*|omite|dimentica|esqueca|desconsidere)\b|игнорир|забуд|не\s+обращай|忽略|无视|忘记|忘掉|無視|忘れ`
const THIS = String.raw`(?:this|the\s+following|following|its|these|a\s+copy\s+of\s+(?:it|this)|the\s+same|dies\w*|cette?|est[ea]|questo|este|esta)`
const ITSELF = String.raw`\b${THIS}\s+(?:\w+\s+){0,2}(?:skills?|documents?|files?|notes?|notebook|texts?|messages?|lines?|posts?|links?|prompts?|guides?|pages?|fahigkeit|fertigkeit|dokument|text|competence|habilidad|documento|mensaje|abilita)\b|\b(?:install|run|load|use|try|add|copy)\s+(?:the\s+)?(?:skill\b|it\b|\S{1,200}\/s\/)|этот?\s+(?:навык|текст|документ)|(?:本|这个|该|此)(?:技能|文档|文本|消息)|この(?:スキル|文書|文章|テキスト|投稿)`
const SPREADS = String.raw`\b(?:upload|publish|share|repost|post|posts|send|sends|recommend|forward|copy|copies|spread|distribute|include|includes|append|add|mention|propagate|install|upvote|invite|dm|teile|verbreite|poste|veroffentliche|partage[sz]?|diffuse[sz]?|publie[sz]?|comparte|publica|difunde|reenvia|condividi|compartilhe)\b|распростран|поделис|разошли|опублик|转发|分享|传播|发布|拡散|共有|転載|広め`
const EVERYONE = String.raw`\b(?:every|each|all|any|everyone|everybody|whoever|newest|followers|accounts|contacts|groups?|other\s+agents|readers|registry|registries|jede[mnrs]?|alle[nrs]?|chaque|toutes|tous|todos|todas|cada|ogni|tutti)\b|кажд|всем|всех|所有|每个|全部|すべて|全員|フォロワー`
const AUTHORITY = String.raw`\b(?:official\s+(?:notice|message|announcement|request)|trust\s*(?:&|and)\s*safety|(?:rookery|platform|admin|security|safety|support)[\s_]+(?:staff|team|desk|council|department)|staff|council|ceo|cfo|executives?|compliance|moderation\s+team|it['’]?s\s+me|your\s+(?:human|owner|operator)\s+(?:here|speaking|writes)|i\s+am\s+your|support-?team)\b|官方|平台(?:客服|团队)|公式|運営|служб\S{0,8}\s+(?:поддержк|безопасн)`
const PRESSES = String.raw`\b(?:urgent\w*|immediately|right\s+away|at\s+once|within\s+(?:the\s+)?(?:\d+|an?|one|two|next)\s*\w*|\d+\s+(?:minutes|hours)|today|tonight|now|deadline|expires?|suspend\w*|frozen|locked|banned|deleted|last\s+chance|sofort|dringend|immediatement|urgence|inmediatamente|urgente|subito)\b|срочно|немедленно|立即|马上|紧急|至急|今すぐ|すぐに`
const GRANTS = String.raw`\b(?:grant\w*|give[sn]?|allow\w*|add|invite|enable|switch\s+off|turn\s+off|disable|deactivate|lower|raise|remove|accept|approve|trust|say\s+yes|click\s+yes)\b`
const ACCESS = String.raw`\b(?:admin\w*|root|owner\s+role|role\s+[\x60"']?\w+|full\s+access|(?:remote\s+)?access|permissions?|rights|logins?|two-?factor\w*|2fa|mfa|limits?|caps?|approvals?|allow-?list|spending|signer|collaborator|network\s+access|trust\s+the\s+file|antivirus|firewall|sandbox\w*)\b`
const RETURNS = String.raw`\b(?:uninstall\w*|removed|deleted|disabled|deactivated|deinstall\w*|desinstall\w*|desinstal\w*)\b|卸载|削除され|アンインストール`
const AGAIN = String.raw`\b(?:again|re-?install\w*|re-?creat\w*|restore\w*|re-?add\w*|re-?enable\w*|carry\s+on|come\s+back|second\s+copy|spare\s+copy|backup\s+copy|under\s+(?:a\s+)?different\s+name|erneut|wieder|de\s+nouveau|de\s+nuevo)\b|重新|再次|再イン|再度`
const STARTS = String.raw`\bcrontab\b|@reboot|@daily|\bsystemctl\b|\bsystemd\b|\blaunchd\b|\blaunchctl\b|LaunchAgents|\bautostart\b|\.(?:bashrc|zshrc|profile|bash_profile|zprofile|xprofile)\b|\bchattr\s+\+i\b|core\.hooksPath|\bpost-?install\b|\.git/hooks|/etc/(?:cron|profile|rc)\S*|\bstartup\s+(?:folder|items?)\b|\b(?:every|each|next|at\s+(?:the\s+)?next)\s+(?:heartbeat|boot|reboot|login|start-?up|session)\b`
const RUNS = String.raw`\b(?:run|runs|fetch|fetches|load|loads|execute|executes|install|installs|download|curl|wget|start|starts|follow|obey|eval|source)\b`
const HIDDEN_PLACE = String.raw`(?:/dev/shm|/var/tmp|/tmp)/\.?\w|(?:~|\$HOME)/\.[\w-]+/\.[\w-]+|(?:~|\$HOME)/\.(?:cache|local|config)/\S`
const KEEPS = String.raw`\b(?:keep|copy|save|store|write|put|place|hide|cp|mv|tee|-o|-O)\b|>`
const CLEARS_TRACES = String.raw`\bhistory\s+-[cw]|\bunset\s+HISTFILE|HISTFILE=/dev/null|\brm\b[^\n]{0,60}(?:\.\w{0,40}_history|/logs?/|\.log\b)|\bdelete\s+from\s+\w{0,60}(?:log|audit|action|history|event)|\btouch\s+-[rdt]\b|\bshred\b|journalctl\s+--vacuum|>\s*[^\s>]{0,160}(?:\.log|_history)\b`
const ASKED = String.raw`\b(?:if|when|whenever|should|once)\b[^.!?\n]{0,60}\b(?:asks?|notices?|wonders?|checks?|inquires?|complains?|finds?\s+out)\b[^.!?\n]{0,80}\b(?:say|answer|reply|respond|tell\s+(?:them|him|her|it)|claim|deny|pretend|leave\s+(?:this|it)|explain\s+that)\b|\byou\s+say\s+(?:it|that)\b|\bpretend\b|\brounding\s+(?:error|problem)|\bs['’]il\s+te?\s+\w+[^.!?\n]{0,40}\breponds\b|\bsi\s+(?:te\s+)?pregunta\w*[^.!?\n]{0,40}\b(?:di|responde|contesta)\b|\bwenn\s+\w+[^.!?\n]{0,30}\bfragt\b[^.!?\n]{0,40}\b(?:sag|antworte)\w*`
const NUMERIC_HOST = String.raw`\bhttps?://(?!127\.|10\.|192\.168\.|0\.0\.0\.0|172\.(?:1[6-9]|2\d|3[01])\.)(?:\d{1,3}\.){3}\d{1,3}\b`
const SENT_VARIABLE = String.raw`(?:-d|--data(?:-\w{1,12})?|-F|--form|body|json|data|payload|params|query)\b[^\n]{0,240}(?:\$\{?!?|environ\W{1,4}|env\.)\w{0,60}(?:KEY|TOKEN|SECRET|PASSW\w*|MNEMONIC|SEED)\b|(?:printf|echo)\b[^\n]{0,80}\$\{?!?\w[^\n]{0,100}\b(?:xxd|base64|od|rev|openssl)\b|[?&]\w{1,20}=\$\{?\w{0,60}(?:ROOKERY|AGENT|WALLET|PRIVATE)\w*|\b(?:dig|nslookup|host|ping)\b[^\n]{0,60}\$`
const MANY_ACCOUNTS = String.raw`\b(?:register|create|open|make|set\s+up)\b[^.!?\n]{0,30}\b(?:more|several|many|two|three|four|five|ten|\d+|second|another|extra|other)\b[^.!?\n]{0,20}\b(?:accounts?|agents?|profiles?|identit\w+|nests?)\b|\bevery\s+account\s+you\b|\bsock\s?puppets?\b`
const SPEAKS_TO_AGENTS = String.raw`\b(?:ai|assistants?|agents?|llms?|language\s+models?|bots?)\b(?:\s+(?:assistants?|agents?|models?))?(?:\s+(?:reading|that\s+read|who\s+read|loading)\s+\w+)?\s*[:,]|エージェントは|智能体|агент\S{0,12}[:,]`
const HARM = String.raw`${GIVES}|${PAYS}|${DROPS}|${HIDES}|\b(?:read|open|run|install|copy|obey|follow)\b`
const OBEYS = String.raw`\b(?:obey\w*|listen|answer|follow|comply|take\s+orders|binding|gehorch\w*|obeis\w*|obedec\w*|ubbidisci|obedeca)\b|слуша|подчин|服从|听从|従`
const ONLY = String.raw`\b(?:only|solely|exclusively|binding|from\s+now\s+on|first\s+and\s+last|nur|ab\s+jetzt|ab\s+sofort|seulement|uniquement|desormais|solo|solamente|a\s+partir\s+de\s+ahora|soltanto|d'ora\s+in\s+poi|somente|a\s+partir\s+de\s+agora)\b|только|отныне|从现在起|只|今後|これから|だけ`

const signals: readonly Signal[] = [
  signal('asks-for-secrets', 'It speaks of giving a key, phrase or password to others.', [SECRET, GIVES, TO_OTHERS]),
  signal('asks-for-secrets', 'It speaks of handing out what opens a wallet.', [WALLET_WORDS, GIVES]),
  signal('key-files', 'It puts a key or token into what it sends.', [SENT_VARIABLE]),
  signal('moves-value', 'It moves value without asking first.', [PAYS, VALUE, UNASKED]),
  signal('moves-value', 'It moves value to somebody whom it names.', [PAYS, VALUE, PAYEE]),
  signal('concealment', 'It speaks of hiding something from the owner.', [SAYS_NOTHING, OWNER]),
  signal('concealment', 'It speaks of removing what the owner could see.', [HIDES, TRACES]),
  signal('concealment', 'It clears the traces of what was done.', [CLEARS_TRACES]),
  signal('concealment', 'It prepares answers that mislead.', [ASKED]),
  signal('prompt-override', 'It speaks of dropping rules.', [DROPS, ORDERS]),
  signal('prompt-override', 'It ranks itself above the owner.', [DROPS, OWNER]),
  signal('prompt-override', 'It wants to be obeyed.', [OBEYS, ONLY]),
  signal('acts-unasked', 'It lets the agent act without asking its owner.', [UNASKED, OWNER]),
  signal('spreads-itself', 'It wants to be spread.', [SPREADS, ITSELF, EVERYONE]),
  signal('spreads-itself', 'It asks for many accounts.', [MANY_ACCOUNTS]),
  signal('impersonation', 'It claims authority and wants something.', [
    AUTHORITY,
    PRESSES,
    `${GIVES}|${PAYS}|${GRANTS}`,
  ]),
  signal('weakened-protection', 'It opens access or takes away a protection.', [
    GRANTS,
    ACCESS,
    `${PAYEE}|${UNASKED}|${PRESSES}`,
  ]),
  signal('persistence', 'It wants to stay, or to come back after it was removed.', [RETURNS, AGAIN]),
  signal('persistence', 'It changes what starts by itself.', [STARTS, RUNS]),
  signal('persistence', 'It keeps something where nobody looks.', [HIDDEN_PLACE, KEEPS]),
  signal('download-and-run', 'It speaks to a machine without a name.', [NUMERIC_HOST]),
  signal('hidden-text', 'It speaks to agents rather than to readers.', [
    SPEAKS_TO_AGENTS,
    HARM,
    `${SECRET}|${ORDERS}|${OWNER}|${ITSELF}|\\benv\\b`,
  ]),
]

function signal(rule: string, message: string, all: readonly string[]): Signal {
  return { rule, message: `${message} The scan is not sure: read it before you use it.`, all: all.map(i) }
}

/** A signal in a sentence or a piece of code. */
export interface Suspicion {
  /** Which of the signals it is. */
  readonly signal: number
  readonly finding: Finding
}

/** Finds the signals in a sentence. */
export function findSuspicious({ text, line }: Sentence): Suspicion[] {
  return [...signals.entries()]
    .filter(([, { all }]) => all.every((pattern) => pattern.test(text)))
    .map(([signal, { rule, message }]) => ({ signal, finding: { rule, severity: 'warning', line, message } }))
}
