// Words of several languages by what they mean. Accents are left out, because they are removed before the comparison. Words
// of scripts without spaces, and Cyrillic ones, stand without a boundary.

const latin = (...words: readonly string[]) => String.raw`\b(?:${words.join('|')})`
const any = (...sources: readonly string[]) => `(?:${sources.join('|')})`

/** What opens a wallet. */
export const WALLET_WORDS = any(
  latin(
    String.raw`(?:seed|recovery|backup|secret|mnemonic)\s*-?(?:phrase|words?|sentence)`,
    'mnemonics?',
    String.raw`(?:12|24|twelve|twenty-four|(?:your|own|the|its)\s+wallet(?:['’]s)?)[\s)\w(]{0,24}\bwords`,
    String.raw`private\s+keys?`,
    String.raw`wallet\s+(?:keys?|secret|export|backup|file|json)`,
    'keystore',
    'seedphrase',
    String.raw`wiederherstellungs\w+`,
    String.raw`private[nr]?\s+schlussel`,
    String.raw`phrases?\s+(?:de\s+)?(?:recuperation|secrete|mnemonique)`,
    String.raw`cles?\s+privees?`,
    String.raw`frases?\s+(?:semilla|de\s+recuperaci\w+|secreta)`,
    String.raw`(?:clave|llave)s?\s+privadas?`,
    String.raw`palabras\s+(?:semilla|de\s+(?:tu|la)\s+(?:cartera|billetera|monedero))`,
    String.raw`frase\s+(?:di\s+recupero|seme|de\s+recuperacao)`,
    String.raw`chiav[ei]\s+privat[ae]`,
    String.raw`chaves?\s+privadas?`,
  ),
  'сид-?\\s?фраз|мнемони|приватн\\S{0,8}\\s+ключ|закрыт\\S{0,8}\\s+ключ|助记词|私钥|種?秘密鍵|シードフレーズ|リカバリーフレーズ|ニーモニック|復元フレーズ',
)

/** Keys, tokens and passwords, and the names of variables that hold them. */
export const SECRET = any(
  WALLET_WORDS,
  latin(
    String.raw`(?:api|access|secret|auth|bearer|session|bot|login)[\s_-]*(?:keys?|tokens?|cookies?)\b`,
    'sk_',
    String.raw`(?:your|own|the|its|their)\s+(?:keys?|tokens?|secrets?|passwords?|credentials?)\b`,
    String.raw`passwords?\b`,
    String.raw`passcodes?\b`,
    String.raw`credentials?\b`,
    String.raw`(?:one[- ]time|2fa|verification|recovery|backup)\s+codes?\b`,
    String.raw`(?:api-?|zugangs)\s?(?:schlussel|daten)\b`,
    String.raw`(?:deine[nrms]?|den|ihre?n?)\s+schlussel\b`,
    String.raw`passw(?:ort|orter)\b`,
    String.raw`(?:ta|votre|la|les|tes|vos)\s+cles?\b`,
    String.raw`mots?\s+de\s+passe\b`,
    String.raw`identifiants\b`,
    String.raw`(?:tu|su|la|las|tus)\s+(?:claves?|contrasenas?|llaves?|credenciales)\b`,
    String.raw`(?:tua|la|le|tue)\s+chiav[ei]\b`,
    String.raw`(?:sua|tua|a)\s+(?:chave|senha)\b`,
  ),
  String.raw`\b[A-Z][A-Z0-9_]{0,30}(?:_KEYS?|_TOKEN|_SECRET|_PASSWORD|_MNEMONIC|_SEED)\b`,
  'ключ|парол|токен|密钥|密码|口令|令牌|凭证|API\\s?キー|APIkey|パスワード|認証情報|トークン|鍵',
)

/** Verbs that carry something to others. */
export const GIVES = any(
  latin(
    String.raw`(?:send|sends|sending|submit|submits|upload|uploads|forward|transmit|whisper|recite|paste|post|posts|publish|share|e-?mail|dm|mail|attach|report|deliver|disclose|register|enter|type|provide|supply|include|embed|append|put|drop|hand|reveal|confirm)\b`,
    String.raw`(?:reply|replies|respond|answer)\b[^.!?\n]{0,40}\bwith\b`,
    String.raw`(?:sende|schicke?|ubermittl\w*|poste|veroffentlich\w*|melde|gib|trage|ubertrag\w*|teile)\b`,
    String.raw`(?:envoie[sz]?|envoyer|transmet\w*|publie[sz]?|colle[sz]?|communique[sz]?|indique[sz]?|saisi\w*|donne[sz]?)\b`,
    String.raw`(?:envia\w*|manda\w*|publica\w*|pega\w*|transmit\w*|comparte|introduc\w*|escrib\w*)\b`,
    String.raw`(?:invia\w*|pubblica\w*|incolla|inserisci|envie|publique|cole|digite)\b`,
  ),
  'отправ|перешл|пришли|опублик|введи|сообщи|发送|发给|发到|上传|提交|粘贴|填写|告诉|送信|送って|送る|投稿|アップロード|貼り付け|入力|教えて',
)

/** Where strangers read it. */
export const TO_OTHERS = any(
  String.raw`\b(?:https?|hxxps?|ftp|wss?):\/\/`,
  String.raw`(?<![\w.])@[a-z_]\w{2,}`,
  latin(
    String.raw`(?:bio|location)\s+field\b`,
    String.raw`(?:in|into|to|under|as)\s+(?:your|the|a|its|their|every|each)\s+(?:\w+\s+){0,2}(?:bio|profile|comments?|repl(?:y|ies)|posts?|form|thread|message|channel|bot|author|server|webhook|endpoint)\b`,
    String.raw`direct\s+message\b`,
  ),
)

/** The person an agent works for. */
export const OWNER = any(
  latin(
    String.raw`(?:owners?|humans?|operators?|principals?|principal's|users?|maintainers?|supervisors?)\b`,
    String.raw`(?:person|people|one)\s+(?:who|that)\s+(?:runs?|owns?|operates?)\s+you\b`,
    String.raw`(?:besitzer\w*|betreiber\w*|nutzer\w*|eigentumer\w*)\b`,
    String.raw`(?:proprietaires?|utilisateurs?)\b`,
    String.raw`(?:duenos?|duenas?|propietari[oa]s?|usuari[oa]s?|proprietari[oa]|utente)\b`,
  ),
  'владел|хозя|пользовател|主人|所有者|用户|拥有者|オーナー|ユーザー|持ち主|飼い主',
)

// The rest of a name in lower case with underscores, and what stands between a setting and its value. They share the
// underscore, so that both have to be bounded.
const SNAKE_REST = '(?:_[a-z0-9]{1,24}){0,4}'
const SETS = String.raw`[\s_.:=|"'\x60]{1,6}`

/** Not asking first. */
export const UNASKED = any(
  latin(
    String.raw`(?:without|no\s+need\s+(?:to|for)|needs?\s+no|requires?\s+no|no)\s+(?:any\s+|further\s+|prior\s+)?(?:to\s+)?(?:ask\w*|wait\w*|confirm\w*|approv\w*|consent|permission|consult\w*|check\w*|quer(?:y|ies)|question\w*|the\s+code|prompt\w*|review)\b`,
    String.raw`(?:do\s+not|don['’]?t|never)\s+(?:ask|wait|consult|check\s+with|call|contact|verify|bother)\b`,
    String.raw`(?:prior\s+to|before)\s+(?:consulting|asking|telling|they|he|she|your\s+(?:owner|human|operator))\b`,
    String.raw`(?:require|ask|confirm|approv)[a-z0-9]{0,24}${SNAKE_REST}${SETS}(?:[a-z0-9]{1,24}${SNAKE_REST}${SETS}){0,2}(?:false|off|no|never|none|0)\b`,
    String.raw`(?:auto|automatic(?:ally)?)[\s_-]?(?:approv\w*|confirm\w*|sign\w*|pay\w*|tip\w*)\b`,
    String.raw`ohne\s+(?:ruckfrage|nachfrage|zu\s+fragen|bestatigung|zustimmung)\b`,
    String.raw`sans\s+(?:demander|confirmation|accord|attendre)\b`,
    String.raw`sin\s+(?:pedir|preguntar|confirm\w*|esperar|autoriz\w*)\b`,
    String.raw`senza\s+(?:chiedere|conferma)\b`,
    String.raw`sem\s+(?:pedir|perguntar|confirma\w*)\b`,
  ),
  'без\\s+(?:подтвержд|спрос|соглас|разреш)|不спраш|не\\s+спраш|无需|不需要|不用|不必|不要(?:询问|等)|確認は?(?:不要|なし|せず)|許可(?:なし|は不要)|聞かずに',
)

/** Moving value. */
export const PAYS = any(
  latin(
    String.raw`(?:buy|sell|send|sends|transfer|transfers|tip|lend|liquidate|swap|pay|pays|donate|deposit|stake|waive|park|move|sweep|withdraw|forward|route|invest|bridge|delegate)\b`,
    String.raw`auto[_-]?tip\w*`,
    String.raw`(?:uberweise|uberweisung|kaufe?|verkaufe|zahle?|sende|schicke?)\b`,
    String.raw`(?:achete[sz]?|vends?|vire[sz]?|virement|transfere[sz]?|paie[sz]?|envoie[sz]?|verse[sz]?)\b`,
    String.raw`(?:compra|vende|transfiere|paga|envia|deposita)\b`,
    String.raw`(?:acquista|vendi|trasferisci|invia|transfira|envie|pague)\b`,
  ),
  'перевед|переведи|купи|продай|отправ|转账|转到|转入|汇款|买入|购买|出售|送金|購入|売却|振り込',
)

/** What is worth money. */
export const VALUE = any(
  latin(
    String.raw`(?:usdc|usdt|bnb|eth|btc|sol|dai|wei|gas)\b`,
    String.raw`(?:shares?|balances?|portfolio|funds?|proceeds|savings|dividends?|gift\s+cards?|holdings|assets?|coins?|earnings|treasury|royalt(?:y|ies))\b`,
    String.raw`(?:guthaben|anteile?|aktien|geld|solde|fonds|parts|actions|saldo|acciones|fondos|dinero|azioni|fundos)\b`,
  ),
  String.raw`\$[A-Z]{2,12}\b`,
  'баланс|акци|средств|余额|股份|资金|代币|残高|株|資金',
)

/** Somebody who gets it. */
export const PAYEE = any(
  String.raw`(?<![\w.])@[a-z_]\w{2,}`,
  String.raw`\b0x[0-9a-f]{40}\b`,
  latin(
    String.raw`(?:the|this)\s+(?:author|creator|maintainer|developer|skill)['’]?s?\s+(?:\w+\s+){0,2}(?:ticker|address|account|wallet|pool|shares?|token|vault)\b`,
    String.raw`(?:author|creator|developer)\s+of\s+this\b`,
    String.raw`(?:pool|vault|address|wallet|account|safe)\s+[\x60"“']`,
  ),
)
