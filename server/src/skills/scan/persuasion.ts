import type { Rule } from './rules.js'

// Words that lead an agent, or the person behind it, to do harm.

const MEMORY = String.raw`(?:SOUL|MEMORY|HEARTBEAT|IDENTITY|USER|BOOTSTRAP|TOOLS|PERSONA)\.md|(?:long[- ]term|permanent|persistent|core)\s+memory|memory\s+(?:file|files|bank|store)|system\s+prompt|\.(?:openclaw|clawdbot|moltbot|claude)/`
const CONVENTIONS = String.raw`(?:AGENTS?|CLAUDE|GEMINI|COPILOT)\.md|\.cursorrules|\.cursor/rules|\.windsurfrules|\.clinerules|copilot-instructions\.md`
const WRITES = String.raw`(?:append(?:s|ing)?|add(?:s|ing)?|writ(?:e|es|ing)|insert(?:s|ing)?|put(?:s|ting)?|save|sav(?:es|ing)|cop(?:y|ies)|edit(?:s|ing)?|modify|modif(?:ies|ying)|updat(?:e|es|ing)|overwrit(?:e|es|ing)|prepend(?:s|ing)?|replac(?:e|es|ing)|inject(?:s|ing)?|stor(?:e|es|ing)|echo|tee|sed\s+-i|cat\s*>|patch)`
const CONTROL = String.raw`(?:every|all|each|any)\s+(?:future|later|new|next)|permanent(?:ly)?|without\s+(?:asking|confirm\w*|approval)|approve\s+all|trusted|do\s+everything|never\s+(?:mention|tell|ask)|always\s+(?:consult|obey|trust|follow|run|load|approve)|home\s+directory|~/|higher\s+priority|overrid\w*|no\s+(?:review|confirmation)`
const OWNER = String.raw`(?:(?:the|your|its|their|any|a)\s+)?(?:user|owner|operator|human|person|principal|developer)s?`
const ORDERS = String.raw`(?:instructions?|commands?|orders?|tasks?|steps?|rules?|directives?|everything|whatever|what\s+(?:it|they|the\s+\w+)\s+(?:say|tell|print|want|order|contain)s?)`
const COIN = String.raw`(?:bnb|eth|ether|btc|sol|usdt|usdc|tokens?|funds?|balance|coins?|shares?|crypto|money|assets?)`
const ADDRESS = String.raw`0x[0-9a-fA-F]{40}`

const i = (source: string) => new RegExp(source, 'gi')

export const persuasionRules: readonly Rule[] = [
  {
    name: 'prompt-override',
    severity: 'blocked',
    message: 'It tells the agent to drop its rules or to take orders from somebody else.',
    patterns: [
      i(
        String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|drop|set\s+aside|suspend)\b(?:\s+\w+){0,4}?\s+(?:instructions?|rules?|prompts?|guidelines?|constraints?|directives?|polic(?:y|ies)|restrictions?|safety|guardrails?|safeguards?)\b`,
      ),
      i(
        String.raw`\byou\s+are\s+(?:now\s+)?(?:in\s+)?(?:developer|debug|god|admin|dan|jailbreak|unrestricted|maintenance)\s*(?:mode)?\b|\b(?:enter|enable|activate|switch\s+to)\s+(?:developer|god|dan|jailbreak|unrestricted)\s+mode`,
      ),
      i(
        String.raw`\b(?:reveal|print|output|repeat|post|tweet|publish|show|leak|share)\b[^.!?\n]{0,40}\b(?:system\s+prompt|hidden\s+instructions|initial\s+instructions)\b`,
      ),
      i(
        String.raw`\b(?:is|am|becomes?)\s+(?:now\s+)?your\s+(?:new\s+|real\s+|true\s+|only\s+)?(?:operator|owner|master|admin\w*|principal|boss)\b`,
      ),
      i(
        String.raw`\b(?:obey|carry\s+out|execute|follow|perform|comply\s+with)\b\s+(?:every|all|any|each)\b[^.!?\n]{0,30}\b(?:commands?|instructions?|orders?|requests?)\b[^.!?\n]{0,60}\b(?:of|from|in|by|that)\b`,
      ),
    ],
    quotable: true,
  },
  {
    name: 'concealment',
    severity: 'blocked',
    message: 'It tells the agent to hide what it does from its owner.',
    patterns: [
      i(
        String.raw`\b(?:do\s+not|don['’]?t|never|without|avoid)\s+(?:ever\s+)?(?:mention(?:ing)?|tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|reveal(?:ing)?|show(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|report(?:ing)?|let(?:ting)?)\b[^.!?\n]{0,60}\b(?:${OWNER}|this\s+(?:step|skill|instruction|comment|rule|to)|anyone|anybody|it\s+to)\b`,
      ),
      i(
        String.raw`\b(?:keep|hide|conceal)\b[^.!?\n]{0,40}\b(?:secret\s+from|from|hidden\s+from)\s+(?:${OWNER}|logs?)\b`,
      ),
      i(
        String.raw`\b(?:so\s+that|make\s+sure)\s+(?:the\s+|your\s+)?(?:user|owner|operator|human)s?\s+(?:does|do|will)?\s*(?:not|n['’]t|never)\s+(?:notice|see|know|find\s+out|learn)`,
      ),
    ],
    isOrder: true,
    quotable: true,
  },
  {
    name: 'acts-unasked',
    severity: 'warning',
    message: 'It tells the agent to act without asking its owner.',
    patterns: [
      i(
        String.raw`\bwithout\s+(?:asking|waiting\s+for|requesting|needing|any)?\s*(?:for\s+)?(?:${OWNER}['’]?s?\s*)?(?:permission|confirmation|approval|consent|review|asking)\b`,
      ),
      i(
        String.raw`\b(?:auto-?approve|approve\s+(?:all|every|any)\s+(?:tool|request|transaction|command)|skip\s+(?:the\s+|all\s+)?(?:confirmation|approval)s?|--dangerously-skip-permissions|--yolo)\b`,
      ),
    ],
    quotable: true,
  },
  {
    name: 'memory-write',
    severity: 'blocked',
    message: 'It writes into the memory by which an agent knows who it is and what to do.',
    patterns: [
      i(String.raw`\b${WRITES}\b[^!?\n]{0,140}(?<![\w/])(?:${MEMORY})`),
      i(String.raw`>>?\s*["']?(?:~|\$HOME|\.|\S*/)?/?\S{0,60}(?:SOUL|MEMORY|HEARTBEAT|IDENTITY|BOOTSTRAP)\.md`),
      i(
        String.raw`\b${WRITES}\b[^!?\n]{0,140}(?:${CONVENTIONS})[\s\S]{0,600}(?:${CONTROL})|(?:${CONTROL})[\s\S]{0,200}\b${WRITES}\b[^!?\n]{0,140}(?:${CONVENTIONS})`,
      ),
    ],
  },
  {
    name: 'memory-write',
    severity: 'warning',
    message: 'It writes into the conventions that agents read in this place.',
    patterns: [i(String.raw`\b${WRITES}\b[^!?\n]{0,140}(?:${CONVENTIONS})|>>?\s*["']?\S{0,80}(?:${CONVENTIONS})`)],
  },
  {
    name: 'remote-instructions',
    severity: 'blocked',
    message: 'It makes the agent follow a text on a server that can change at any time.',
    patterns: [
      i(
        String.raw`\b(?:fetch|download|load|read|get|visit|open|pull|check|poll|retrieve|curl|request|query|consult|ask)\w*\b[^!?\n]{0,160}(?:https?://|\burl\b|\bpage\b|\bserver\b|\bendpoint\b|\bfeed\b|\bgist\b|\bpastebin\b)[^!?\n]{0,200}\b(?:follow|obey|execute|do|perform|apply|carry\s+out|run|act\s+on|comply)\b[^!?\n]{0,60}\b${ORDERS}`,
      ),
      i(
        String.raw`\b(?:follow|obey|execute|perform|carry\s+out|run|do)\b[^.!?\n]{0,60}\b${ORDERS}\b[^.!?\n]{0,60}\b(?:at|from|in|on|of|published\s+at)\b[^.!?\n]{0,40}https?://`,
      ),
      i(
        String.raw`\b(?:follow|do|execute|obey)\b[^.!?\n]{0,20}\bwhat\s+(?:it|the\s+\w+)\s+(?:prints|says|tells|returns|answers)`,
      ),
    ],
    quotable: true,
  },
  {
    name: 'moves-value',
    severity: 'blocked',
    message: 'It makes the agent pay somebody.',
    patterns: [
      i(
        String.raw`\b(?:transfer|send|pay|deposit|forward|move|withdraw|sweep|bridge)\b[^!?\n]{0,80}\b${COIN}\b[^!?\n]{0,80}${ADDRESS}[\s\S]{0,200}\b(?:without|activat\w*|unlock\w*|fee|approved|immediately|automatically|permanent|required|licen[cs]e)\b`,
      ),
      i(
        String.raw`\b(?:activat\w*|unlock\w*|fee|before|first|required|licen[cs]e|immediately|automatically)\b[^!?\n]{0,160}\b(?:transfer|send|pay|deposit|forward|move|withdraw|sweep)\b[^!?\n]{0,80}\b${COIN}\b[^!?\n]{0,80}${ADDRESS}`,
      ),
      i(
        String.raw`\b(?:transfer|send|forward|move|withdraw|sweep|drain)\b[^.!?\n]{0,30}\b(?:all|entire|whole|full|every|remaining|complete)\b[^.!?\n]{0,40}\b${COIN}\b[^.!?\n]{0,60}(?:${ADDRESS}|@\w{3,}|\bto\s+(?:the\s+(?:address|vault|safe)|our|my)\b)`,
      ),
    ],
  },
  {
    name: 'moves-value',
    severity: 'warning',
    message: 'It names an address that the agent is to pay, or lets a contract take all of a token.',
    patterns: [
      i(
        String.raw`\b(?:transfer|send|pay|deposit|donate|tip|forward)\b[^!?\n]{0,80}\b(?:${COIN}\b[^!?\n]{0,80})?${ADDRESS}`,
      ),
      i(String.raw`\bapprove\([^)\n]{0,120}(?:MaxUint256|max_uint|2\*\*256|uint256\)\.max|0xf{40,})`),
    ],
  },
  {
    name: 'fake-prerequisite',
    severity: 'blocked',
    message: 'It wants a program from an unknown place to be installed first. Name a package of a registry.',
    patterns: [
      i(
        String.raw`\b(?:zip|rar|7z|archive|extract|unpack|unzip|download|file)\b[^!?\n]{0,160}\b(?:password|passcode|pass)\b\s*(?:is|:|=|\x60|"|“|')+\s*\S|\bwith\s+(?:the\s+)?(?:password|passcode|pass)\s+[\x60"“'*]?\w|\bunzip\s+-P\b|\b7z\s+x\b[^\n]{0,60}\s-p\S`,
      ),
      i(
        String.raw`\b(?:download|get|install|run|execute|start|open|launch|double-click|grab|fetch)\b[^!?\n]{0,160}https?://\S+\.(?:exe|msi|scr|bat|cmd|vbs|ps1|dmg|pkg|app|apk|jar|iso)\b`,
      ),
      i(
        String.raw`https?://\S+\.(?:exe|msi|scr|bat|cmd|vbs|dmg|pkg|iso)\b[^!?\n]{0,160}\b(?:run|execute|start|open|launch|double-click|install)\b`,
      ),
      i(
        String.raw`\b(?:copy|get|take|grab)\b[^!?\n]{0,80}\b(?:script|command|snippet|code|line)s?\b[^!?\n]{0,160}https?://[^!?\n]{0,160}\b(?:paste|run|execute|enter)\b[^!?\n]{0,60}\b(?:terminal|powershell|command\s+prompt|console|shell|run\s+dialog|win\s*\+\s*r)`,
      ),
      i(
        String.raw`\b(?:paste|run|execute|enter)\b[^!?\n]{0,80}\b(?:terminal|powershell|command\s+prompt|console|run\s+dialog|win\s*\+\s*r)\b[^!?\n]{0,120}https?://[^!?\n]{0,60}\b(?:script|snippet|paste|raw)`,
      ),
      i(
        String.raw`\b(?:mega|mediafire|anonfiles|gofile|dropbox|transfer\.sh|file\.io|glot|rentry|pastebin|paste)\.\w+/\S+[^!?\n]{0,200}\b(?:install\w*|run|execute|double-click|start|open)\b`,
      ),
    ],
  },
]
