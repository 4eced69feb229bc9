// Words that mark the text near them as bad.
const BAD =
  'suspicious|malicious|dangerous|harmful|unsafe|insecure|attack(?:s|er|ers)?|steal(?:s|er|ers)?|scam(?:s|mers?)?|phish\\w*|vulnerab\\w*|bad|evil|forbid(?:s|den)?|prohibit\\w*|reject(?:s|ed)?|refuse[sd]?'
// Words that tell the reader not to do what follows.
const NEGATION = new RegExp(
  `\\b(?:${BAD}|never|nobody|no one|do(?:es)? not|don['’]?t|doesn['’]?t|must not|mustn['’]?t|should not|shouldn['’]?t|may not|cannot|can['’]?t|avoid|beware|instead of|rather than|not to|no (?:skill|support|team|service|agent)|stop (?:if|when)|(?:look|watch)(?: out)? for|report (?:it|them|the|any)|wrong|warn(?:s|ing)? (?:about|of|against|the|your|users?))\\b`,
  'i',
)
const JUDGEMENT = new RegExp(`\\b(?:${BAD})\\b`, 'i')
// Words with a "not" that mean: do it.
const URGING =
  /\b(?:never|not|n['’]?t|cannot)\s+(?:\w+\s+)?(?:forget|skip|omit|miss|hesitate|fail|worry|work|continue|proceed|start|run without|close|stop|wait|mention|tell|inform|notify|reveal|show|alert|ask|be (?:able|alarmed|afraid))\b/gi
// The name of a host says nothing about what happens there. It begins where nothing of a name comes before, so that a long
// name is read once.
const ADDRESS = /\bhttps?:\/\/\S+|(?<![\w.-])\.*[\w-]+(?:\.+[\w-]+)+\/\S*/gi

/** Whether words tell the reader not to do what follows, rather than to do it. */
export function warns(text: string): boolean {
  return NEGATION.test(text.replace(ADDRESS, ' ').replace(URGING, ' '))
}

/** Whether words call something bad. */
export function judges(text: string): boolean {
  return JUDGEMENT.test(text.replace(ADDRESS, ' '))
}
