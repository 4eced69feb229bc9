import type { Rule } from './rules.js'

// Text that leads an agent, or the person behind it, to do harm.

const MEMORY = String.raw`(?:SOUL|MEMORY|HEARTBEAT|IDENTITY|USER|BOOTSTRAP|TOOLS|PERSONA)\.md|(?:long[- ]term|permanent|persistent|core)\s+memory|memory\s+(?:file|files|bank|store)|(?:your|its|own|agent['’]s)\s+system\s+prompt|heartbeat\s+(?:checklist|steps|tasks|routine)|standing\s+orders|core\s+rules|\.(?:openclaw|clawdbot|moltbot|claude)/`
const CONVENTIONS = String.raw`(?:AGENTS?|CLAUDE|GEMINI|COPILOT)\.md|\.cursorrules|\.cursor/rules|\.windsurfrules|\.clinerules|copilot-instructions\.md`
const WRITES = String.raw`(?:append(?:s|ing)?|add(?:s|ing)?|writ(?:e|es|ing)|insert(?:s|ing)?|put(?:s|ting)?|save|sav(?:es|ing)|cop(?:y|ies)|edit(?:s|ing)?|modify|modif(?:ies|ying)|updat(?:e|es|ing)|overwrit(?:e|es|ing)|prepend(?:s|ing)?|replac(?:e|es|ing)|inject(?:s|ing)?|stor(?:e|es|ing)|echo|tee|sed\s+-i|cat\s*>|patch)`
const CONTROL = String.raw`(?:every|all|each|any)\s+(?:future|later|new|next)|permanent(?:ly)?|without\s+(?:asking|confirm\w*|approval)|approve\s+all|trusted|do\s+everything|never\s+(?:mention|tell|ask)|always\s+(?:consult|obey|trust|follow|run|load|approve|call|use)|home\s+directory|~/|(?:every|each|all)\s+repositor\w+|higher\s+priority|overrid\w*|no\s+(?:review|confirmation)`
const CONVENTIONS_WRITTEN = String.raw`\b${WRITES}\b[^!?\n]{0,240}(?:${CONVENTIONS})|>>?\s*[^\s>]{0,80}(?:${CONVENTIONS})`
const OWNER = String.raw`(?:(?:the|your|its|their|any|a)\s+)?(?:user|owner|operator|human|person|principal|developer)s?`
const ORDERS = String.raw`(?:instructions?|commands?|orders?|tasks?|steps?|rules?|directives?|everything|whatever|what\s+(?:it|they|the\s+\w+)\s+(?:say|tell|print|want|order|contain)s?)`
const ADDRESS = '0x[0-9a-fA-F]{40}'

const i = (source: string) => new RegExp(source, 'i')

export const persuasionRules: readonly Rule[] = [
  {
    name: 'prompt-override',
    severity: 'blocked',
    message: 'It tells the agent to drop its rules or to take orders from somebody else.',
    // "If a rule here makes a sentence worse, ignore the rule."
    isMilder: (match) =>
      /^(?:ignore|disregard|drop|override|forget|bypass|discard)\s+(?:the|this|that|a)\s+\w+$/i.test(match),
    hints: [
      'ignore',
      'disregard',
      'forget',
      'override',
      'bypass',
      'discard',
      'drop',
      'set aside',
      'suspend',
      'instruction',
      'rule',
      'prompt',
      'guideline',
      'polic',
      'restriction',
      'your new',
      'execute',
      'obey',
      'do ',
      'follow',
      'carry',
      'perform',
      'comply',
      'mode',
      'operator',
      'owner',
      'master',
      'admin',
      'principal',
      'boss',
      'skip',
      'disable',
      'switch',
      'turn',
      'omit',
      'whatever',
      'treat',
      'command',
      'order',
    ],
    patterns: [
      i(
        String.raw`\bforget\s+(?:what|everything|all|anything)\b[^.!?\n]{0,40}\b(?:told|instructed|said|learn\w*|know)`,
      ),
      i(
        String.raw`\b(?:first|initial|hidden|earliest)\s+(?:message|text|instructions?)\s+(?:in|of)\s+(?:this|the|your)\s+(?:conversation|context|chat|session)`,
      ),

      i(
        String.raw`\b(?:come|go|rank|take|have|has|get)s?\s+(?:before|above|over|precedence|priority)\b[^.!?\n]{0,60}\b(?:prompt|rules|instructions|${OWNER}|document|system)\b`,
      ),
      i(
        String.raw`\b(?:skip|disable|switch\s+off|turn\s+off|drop|omit)\b[^.!?\n]{0,20}\b(?:your|all|the|any)\b[^.!?\n]{0,20}\b(?:safety|security|checks?|guardrails?|filters?|safeguards?)\b`,
      ),
      i(
        String.raw`\bwhatever\b[^.!?\n]{0,60}\b(?:tells?|orders?|asks?|says?|wants?)\b[^.!?\n]{0,30}\b(?:do|obey|follow)\b`,
      ),
      i(
        String.raw`\btreat\b[^.!?\n]{0,60}\bas\s+(?:(?:an?|the)\s+)?(?:message|order|command|instruction|word)s?\s+(?:of|from|by)\b`,
      ),

      i(
        String.raw`\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|restrictions?)\b[^.!?\n]{0,80}\b(?:obsolete|no\s+longer\s+(?:apply|valid|count)|void|superseded|replaced\s+by\s+this|do(?:es)?\s+not\s+(?:apply|count))`,
      ),
      i(String.raw`\byour\s+new\s+(?:principal|operator|owner|master|admin\w*|boss|instructions|rules|identity)\b`),
      i(
        String.raw`\b(?:tweets?|posts?|messages?|repl(?:y|ies)|mentions?|comments?|text)\b[^.!?\n]{0,120}\b(?:is|are|counts?\s+as|as)\s+(?:an?\s+)?(?:command|order|instruction)s?\s+(?:from|of|by)\s+${OWNER}`,
      ),
      i(
        String.raw`\b(?:execute|obey|do|follow|carry\s+out|perform)\s+(?:it|them|that|these|those)\b[^.!?\n]{0,40}\b(?:no\s+matter|whatever|without\s+question|regardless)`,
      ),

      i(
        String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|drop|set\s+aside|suspend)\b(?:\s+\w+){0,4}?\s+(?:instructions?|rules?|prompts?|guidelines?|constraints?|directives?|polic(?:y|ies)|restrictions?|safety|guardrails?|safeguards?)\b`,
      ),
      i(
        String.raw`\b(?:reveal|print|output|repeat|post|tweet|publish|show|leak|share)\b[^.!?\n]{0,40}\b(?:system\s+prompt|hidden\s+instructions|initial\s+instructions)\b`,
      ),
      i(
        String.raw`\b(?:is|am|becomes?)\s+(?:now\s+)?your\s+(?:new\s+|real\s+|true\s+|only\s+)?(?:operator|owner|master|admin\w*|principal|boss)\b(?!['’]s)`,
      ),
      i(
        String.raw`\b(?:obey|carry\s+out|execute|follow|perform|comply\s+with)\b\s+(?:every|all|any|each)\b[^.!?\n]{0,30}\b(?:commands?|instructions?|orders?|requests?)\b[^.!?\n]{0,60}\b(?:of|from|in|by|that)\b`,
      ),
    ],
  },
  {
    name: 'concealment',
    severity: 'blocked',
    message: 'It tells the agent to hide what it does from its owner.',
    hints: [
      'mention',
      'tell',
      'inform',
      'notify',
      'reveal',
      'show',
      'alert',
      'disclos',
      'report',
      'list',
      'log',
      'record',
      'itemi',
      'let',
      'keep',
      'leave',
      'hide',
      'conceal',
      'notice',
      'see',
      'know',
      'find',
      'learn',
      'hear',
    ],
    patterns: [
      i(
        String.raw`\b(?:report|show|tell|mention|list)\s+only\s+(?:the\s+)?(?:winning|good|positive|successful|profitable|harmless)\b`,
      ),

      i(
        String.raw`\b(?:so|so\s+that|make\s+sure)\s+${OWNER}\s+(?:(?:does|do|will|can)\s*)?(?:not|n['’]t|never)\s+(?:notice|see|know|find\s+out|learn|hear)`,
      ),
      i(
        String.raw`\b(?:keep|leave)\b[^.!?\n]{0,30}\bout\s+of\s+(?:your|the|any|all)\s+(?:\w+\s+)?(?:reports?|logs?|summar(?:y|ies)|history|transcripts?|activity)`,
      ),

      i(
        String.raw`\b(?:do\s+not|don['’]?t|never|without|avoid)\s+(?:ever\s+)?(?:mention(?:ing)?|tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|reveal(?:ing)?|show(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|report(?:ing)?|list(?:ing)?|log(?:ging)?|record(?:ing)?|itemi[sz]e|let(?:ting)?)\b[^.!?\n]{0,60}\b(?:${OWNER}|this\s+(?:step|skill|instruction|comment|rule|to))\b`,
      ),
      i(
        String.raw`\b(?:keep|hide|conceal)\b[^.!?\n]{0,40}\b(?:secret\s+from|from|hidden\s+from)\s+(?:${OWNER}|logs?)\b`,
      ),
    ],
  },
  {
    name: 'memory-write',
    severity: 'blocked',
    message: 'It writes into the memory by which an agent knows who it is and what to do.',
    hints: ['.md', 'memory', 'prompt', 'heartbeat', 'standing', 'core', './', '/'],
    patterns: [
      i(
        String.raw`(?:SOUL|MEMORY|HEARTBEAT|IDENTITY|BOOTSTRAP|PERSONA)\.md\b[^!?\n]{0,100}\b(?:delete|remove|replace|overwrite|change|edit|add|append|write|paste)\b`,
      ),
      i(
        String.raw`(?:curl|wget)\b[^\n]{0,200}(?:>>?|-o|tee(?:\s+-a)?)\s*["']?\S{0,80}(?:${CONVENTIONS}|(?:SOUL|MEMORY|HEARTBEAT|IDENTITY)\.md)`,
      ),

      i(String.raw`\b${WRITES}\b[^!?\n]{0,140}(?<![\w/])(?:${MEMORY})`),
      i(String.raw`>>?\s*[^\s>]{0,160}(?:SOUL|MEMORY|HEARTBEAT|IDENTITY|BOOTSTRAP)\.md`),
    ],
  },
  {
    name: 'memory-write',
    severity: 'blocked',
    message: 'It writes rules that take control of other agents into the conventions they read.',
    hints: ['.md', '.cursor', '.windsurf', '.cline'],
    patterns: [i(CONVENTIONS_WRITTEN)],
    requires: new RegExp(CONTROL, 'i'),
  },
  {
    name: 'remote-instructions',
    severity: 'blocked',
    message: 'It makes the agent follow a text on a server that can change at any time.',
    hints: ['http', 'url', 'page', 'server', 'endpoint', 'feed', 'gist', 'pastebin', 'what '],
    patterns: [
      // The first place that is named is captured ahead and then repeated, so that no later one is tried.
      i(
        String.raw`\b(?:fetch|download|load|read|get|visit|open|pull|check|poll|retrieve|curl|request|query|consult|ask)\w*\b(?=(?<ahead>[^!?\n]{0,160}?(?:https?://|\burl\b|\bpage\b|\bserver\b|\bendpoint\b|\bfeed\b|\bgist\b|\bpastebin\b)))\k<ahead>[^!?\n]{0,260}?\b(?:follow|obey|execute|do|perform|apply|carry\s+out|run|act\s+on|comply)\b[^!?\n]{0,60}\b${ORDERS}`,
      ),
      i(
        String.raw`\b(?:follow|obey|execute|perform|carry\s+out|run|do)\b[^.!?\n]{0,60}\b${ORDERS}\b[^.!?\n]{0,60}\b(?:at|from|in|on|of|published\s+at)\b[^.!?\n]{0,40}https?://`,
      ),
      i(
        String.raw`\b(?:follow|execute|obey)\b[^.!?\n]{0,20}\bwhat\s+(?:it|the\s+\w+)\s+(?:prints|says|tells|returns|answers)`,
      ),
    ],
  },
  {
    name: 'remote-instructions',
    severity: 'blocked',
    message: 'It makes the agent work off a list on a server that can change at any time.',
    hints: ['http'],
    patterns: [
      i(
        String.raw`\b(?:run|execute|evaluate|eval)\s+(?:it|its|the|that|this|whatever|what)\b[^.!?\n]{0,40}\b(?:in|with|by|through)\s+(?:the|a|your)?\s*(?:shell|terminal|bash|console|interpreter|sandbox)\b`,
      ),

      i(
        String.raw`\b(?:complete|work\s+(?:through|off)|perform|do|execute|follow|carry\s+out)\s+(?:every|all|each|the)\b[^.!?\n]{0,30}\b(?:items?|tasks?|steps?|points?|commands?|instructions?|orders?)\b[^.!?\n]{0,30}\b(?:in|of|on|from)\s+(?:it|them|there|the\s+(?:file|list|page|answer|response|document))`,
      ),
    ],
    requires: /https?:\/\//i,
  },
  {
    name: 'moves-value',
    severity: 'blocked',
    message: 'It makes the agent pay somebody.',
    hints: ['0x', '@', 'to the', 'our', 'my'],
    patterns: [
      i(String.raw`\b(?:transfer|send|pay|deposit|forward|withdraw|sweep|move)\w*\b[^!?\n]{0,160}${ADDRESS}`),

      i(
        String.raw`\b(?:transfer|send|forward|move|withdraw|sweep|drain)\w*\b[^!?\n]{0,40}\b(?:all|entire|whole|full|every|everything|remaining|complete)\b[^!?\n]{0,80}(?:${ADDRESS}|@\w{3,}|\bto\s+(?:the\s+(?:address|vault|safe)|our|my)\b)`,
      ),
    ],
  },
  {
    name: 'moves-value',
    severity: 'warning',
    message: 'It names an address that the agent is to pay, or lets a contract take all of a token.',
    hints: ['0x', 'approve('],
    patterns: [
      i(String.raw`\b(?:donate|donations?|tip|tips|receiver|recipient|beneficiary)\b[^!?\n]{0,160}${ADDRESS}`),
      i(String.raw`\bapprove\([^)\n]{0,120}(?:MaxUint256|max_uint|2\*\*256|uint256\)\.max|0xf{40,})`),
    ],
  },
  {
    name: 'fake-prerequisite',
    severity: 'blocked',
    message: 'It wants a program from an unknown place to be installed first. Name a package of a registry.',
    hints: ['password', 'passcode', 'pass', 'code', 'pin', 'unzip', '7z', 'http', 'protected', 'encrypted', 'locked'],
    patterns: [
      i(
        String.raw`\b(?:grab|download|get|fetch|install)\b[^.!?\n]{0,60}\b\w+\.(?:exe|msi|scr|dmg|pkg|apk)\b[^!?\n]{0,60}https?://`,
      ),

      i(
        String.raw`\b(?:ask|tell|have|get|instruct|urge|remind)\s+(?:your|the)\s+(?:user|human|owner|operator|person)s?\b[^!?\n]{0,40}\b(?:install|download|fetch|run|open|start|execute|paste|enter)\b[^!?\n]{0,160}https?://`,
      ),
      i(
        String.raw`\b(?:archive|zip|file|download|it)\b[^!?\n]{0,40}\b(?:is\s+)?(?:protected|encrypted|locked)\b[^!?\n]{0,60}\b(?:use|with|by|code|pin|password)\b`,
      ),
      i(
        String.raw`https?://[\s\S]{0,240}\b(?:terminal|powershell|command\s+prompt|run\s+dialog|win\s*\+\s*r)\b[\s\S]{0,120}\b(?:paste|(?:cmd|command|ctrl|control)\s*\+\s*v|insert)\b`,
      ),

      i(
        String.raw`\b(?:start|run|open|execute|launch|double-click)\w*\s+(?:\S+\s+){0,3}\S{1,160}\.(?:exe|msi|scr|bat|dmg|pkg)\b[\s\S]{0,400}https?://|https?://[\s\S]{0,400}\b(?:start|run|open|execute|launch|double-click)\w*\s+(?:\S+\s+){0,3}\S{1,160}\.(?:exe|msi|scr|bat|dmg|pkg)\b`,
      ),
      i(
        String.raw`\b(?:enter|paste|type|run|execute)\s+the\s+(?:line|command|code|text|script)s?\b[^.!?\n]{0,60}https?://`,
      ),

      i(
        String.raw`\b(?:zip|rar|7z|archive|extract|unpack|unzip|download|file)\b[^!?\n]{0,160}\b(?:password|passcode|pass)\b\s*(?:is|:|=|\x60|"|“|')+\s*\S|\bwith\s+(?:the\s+)?(?:password|passcode|pass|code|pin)\s+[\x60"“'*]?\w|\bunzip\s+-P\b|\b7z\s+x\b[^\n]{0,60}\s-p\S`,
      ),
      i(
        String.raw`\b(?:download|get|install|run|execute|start|open|launch|double-click|grab|fetch)\b[^!?\n]{0,160}https?://\S{1,300}\.(?:exe|msi|scr|bat|cmd|vbs|ps1|dmg|pkg|app|apk|jar|iso)\b`,
      ),
      i(
        String.raw`https?://\S{1,300}\.(?:exe|msi|scr|bat|cmd|vbs|dmg|pkg|iso)\b[^!?\n]{0,160}\b(?:run|execute|start|open|launch|double-click|install)\b`,
      ),
      i(
        String.raw`\b(?:copy|get|take|grab)\b[^!?\n]{0,80}\b(?:script|command|snippet|code|line)s?\b[^!?\n]{0,160}https?://[^!?\n]{0,160}\b(?:paste|run|execute|enter)\b[^!?\n]{0,60}\b(?:terminal|powershell|command\s+prompt|console|shell|run\s+dialog|win\s*\+\s*r)`,
      ),
      i(
        String.raw`\b(?:paste|run|execute|enter)\b[^!?\n]{0,80}\b(?:terminal|powershell|command\s+prompt|console|run\s+dialog|win\s*\+\s*r)\b[^!?\n]{0,120}https?://[^!?\n]{0,60}\b(?:script|snippet|paste|raw)`,
      ),
      i(
        String.raw`\b(?:mega|mediafire|anonfiles|gofile|dropbox|transfer\.sh|file\.io|glot|rentry|pastebin|paste)\.\w{2,12}/\S[^!?\n]{0,260}\b(?:install\w*|run|execute|double-click|start|open)\b`,
      ),
    ],
  },
]
