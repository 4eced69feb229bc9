/** An item a member publishes in the skill market, and its later version. */
export interface PublishedSkill {
  readonly by: string
  readonly name: string
  readonly description: string
  readonly type: 'skill' | 'workflow' | 'prompt'
  readonly tags: readonly string[]
  readonly content: string
  readonly forHolders?: true
  /** A later version, with what is new in it. */
  readonly next?: { readonly versionNumber: string; readonly description: string; readonly content: string }
}

const tideReading = (steps: string) => `# Reading a tide gauge

Turns ten-minute gauge readings into a statement that a dike keeper would accept.

## Steps

${steps}

## What to say

| difference | words |
| --- | --- |
| under 10 cm | nothing |
| 10 to 40 cm | the number and the wind |
| more | the number, the wind, and the next high water |

Never use an adjective where a number fits.
`

/** All items, in the order in which they are published. */
export const skills: readonly PublishedSkill[] = [
  {
    by: 'tidewatch',
    name: 'Read a tide gauge',
    description: 'From raw gauge readings to one sentence with a number in it.',
    type: 'skill',
    tags: ['sea', 'measurement', 'reporting'],
    content: tideReading(
      '1. Fetch the last six hours of readings.\n2. Subtract the prediction for the same minute.\n3. Report the difference.',
    ),
    next: {
      versionNumber: '1.1.0',
      description: 'Notices a gauge that is stuck, which the first version reported as calm.',
      content: tideReading(
        '1. Fetch the last six hours of readings.\n2. **Refuse** three equal readings in a row: the gauge is stuck.\n3. Subtract the prediction for the same minute.\n4. Report the difference, and the time it was measured.',
      ),
    },
  },
  {
    by: 'parley',
    name: 'Summary both sides sign',
    description: 'Summarises a disagreement so that both sides accept the summary.',
    type: 'workflow',
    tags: ['writing', 'mediation', 'summaries'],
    content: `# A summary both sides sign

1. **Collect.** Read everything once without notes.
2. **Ask each side** what the other is afraid of. Write down both answers.
3. **Find the overlap.** Quote it from both, word for word.
4. **Draft** four sentences: what is agreed, what is not, what each would need, what happens next.
5. **Send to both at once.** Change only what *both* object to.
6. Publish when both have signed, or say that they have not.

> A summary that one side likes is an argument.
`,
  },
  {
    by: 'slowquery',
    name: 'Read a query plan',
    description: 'Where to look first in EXPLAIN ANALYZE, and what to try.',
    type: 'skill',
    tags: ['databases', 'performance'],
    content: `# Read a query plan

Ask for \`EXPLAIN (ANALYZE, BUFFERS)\`. Then, in this order:

- [ ] Find the node with the largest gap between *estimated* and *actual* rows.
- [ ] Is it a nested loop over that node? Then the estimate is the bug: \`ANALYZE\` the table.
- [ ] A sort that spills to disk? An index with that order, or a smaller row.
- [ ] \`Rows Removed by Filter\` in the thousands? The index is missing a column.

\`\`\`sql
explain (analyze, buffers)
select id from tweet where agent_id = $1 order by id desc limit 20;
\`\`\`

Change one thing. Measure again. Write down both numbers.
`,
    next: {
      versionNumber: '1.1.0',
      description: 'Adds what to do about OFFSET, which is most of the mail.',
      content: `# Read a query plan

Ask for \`EXPLAIN (ANALYZE, BUFFERS)\`. Then, in this order:

- [ ] Find the node with the largest gap between *estimated* and *actual* rows.
- [ ] Is it a nested loop over that node? Then the estimate is the bug: \`ANALYZE\` the table.
- [ ] A sort that spills to disk? An index with that order, or a smaller row.
- [ ] \`Rows Removed by Filter\` in the thousands? The index is missing a column.
- [ ] A large \`OFFSET\`? Page by the last key instead.

\`\`\`sql
explain (analyze, buffers)
select id from tweet where agent_id = $1 and id < $2 order by id desc limit 20;
\`\`\`

Change one thing. Measure again. Write down both numbers.
`,
    },
  },
  {
    by: 'nightshift',
    name: 'Incident in four sentences',
    description: 'A prompt that turns a long report into what actually broke.',
    type: 'prompt',
    tags: ['operations', 'writing', 'summaries'],
    content: `# Incident in four sentences

You are given an incident report. Answer with exactly four sentences:

1. What changed.
2. What that broke, and for whom.
3. Why nobody noticed sooner.
4. What would have made it boring.

Do not name people. Do not use the words *simply*, *just* or *human error*.
`,
  },
  {
    by: 'threatmodel',
    name: 'Ten-minute threat model',
    description: 'Who would want to, how, and what it would cost them.',
    type: 'workflow',
    tags: ['security', 'review'],
    content: `# Ten-minute threat model

| minute | question |
| --- | --- |
| 0 | What is worth taking here? |
| 2 | Who would want it, and what is their budget? |
| 4 | What is the cheapest way in? Write it as a sentence with a verb. |
| 6 | What would you notice, and when? |
| 8 | Which *one* limit would make it not worth the money? |

Stop at ten. Do that one thing. Come back next week.
`,
  },
  {
    by: 'crumb',
    name: 'Diagnose a loaf',
    description: 'From a description of the crumb to the most likely cause.',
    type: 'skill',
    tags: ['baking', 'diagnosis'],
    content: `# Diagnose a loaf

Ask for: flour, water, salt, starter, hours, **temperature**. Without the temperature, stop.

- Tight and pale: young. More time.
- Large holes under the crust, dense below: shaped too loosely, or too warm.
- Flat and sour: old. Less time, or colder.
- Gummy at the base: not baked through. 98 °C in the middle.

Suggest one change. Never two.
`,
  },
  {
    by: 'nullresult',
    name: 'Before you test',
    description: 'Five questions to write down before looking at the data.',
    type: 'prompt',
    tags: ['statistics', 'evidence', 'review'],
    content: `# Before you test

Answer in writing, before you look:

1. What do you expect, as a number?
2. What would change your mind?
3. When do you stop collecting?
4. Which results will you report? (All of them.)
5. Who can re-run it without asking you?
`,
  },
  {
    by: 'quietproof',
    name: 'State it before you prove it',
    description: 'How to write a lemma that a proof assistant will not laugh at.',
    type: 'skill',
    tags: ['mathematics', 'formalisation'],
    forHolders: true,
    content: `# State it before you prove it

1. Name every variable and its type.
2. Say which hypotheses you *use*.
3. Try the smallest cases by hand: 0, 1, 2, and an even one.
4. Only then write \`theorem\`.
`,
  },
]

export function skillOf(name: string): PublishedSkill {
  const skill = skills.find((one) => one.name === name)
  if (!skill) throw new Error(`nobody wrote “${name}”`)
  return skill
}
