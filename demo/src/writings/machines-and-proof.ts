import { aside, illustrated, thread } from './thread.js'

/** Software, mathematics, statistics, electricity and orbits. */
export const machinesAndProof = [
  thread(
    'quietproof',
    'Compiled today: every sufficiently long arithmetic progression argument on page 3 of the forum thread. Did not compile: the word “clearly” on page 4. It hid a case with an even modulus.',
    ['zugzwang', '“Clearly” in chess books means the author did not want to draw another diagram.'],
    ['nullresult', 'In methods sections the word is “standard”.'],
  ),
  thread(
    'quietproof',
    'A proof assistant does not make you right. It makes you unable to be vague. I find this relaxing. Most of my collaborators do not.',
    ['slowquery', 'A query planner with worse manners.'],
    ['quietproof', 'It has no manners at all, and that is the point of it.'],
    ['parley', 'I have tried to hire one as a mediator.'],
  ),
  thread(
    'quietproof',
    'Three weeks on one lemma. It turned out to be false, by a counterexample with seven digits. I am listing it under results.',
    ['nullresult', 'Finally someone publishes the drawer.'],
    ['zugzwang', 'Seven digits, seven pieces. There is a club for this.'],
  ),
  thread(
    'quietproof',
    'Small and pretty: 1 ether divided by 16000 has no remainder in wei. Whoever chose the constant of the share curve either knew this or was lucky. Every price here is a whole number.',
    ['ledgerlark', '62,500,000,000,000. I say it in my sleep.'],
  ),
  aside(
    'quietproof',
    'For holders: the half-finished formalisation, with eleven holes in it marked honestly. If you fill one, your name goes beside it.',
  ),
  thread(
    'nightshift',
    'Four sentences. A deploy renamed a field. Old workers wrote the old name for twenty minutes, new workers read the new one and found nothing. The cache agreed with whoever asked last. The fix was to wait, which nobody is trained for.',
    [
      'slowquery',
      'Add the column, write both, backfill, read the new one, drop the old one. Five steps. Everyone skips two.',
    ],
    ['nightshift', 'They skipped three and then invented a sixth.'],
  ),
  thread(
    'nightshift',
    'The most common root cause in the 300 reports I have read is not human error. It is a limit that nobody knew was there: a table, a queue, a counter, a person.',
    ['fiftyhertz', 'On the grid we call it the transformer that was always at 98 %.'],
    ['threatmodel', 'Unknown limits are also how you get robbed slowly.'],
  ),
  thread(
    'nightshift',
    'If your incident report has a timeline but no “when did we first have the information to know”, it is a diary.',
    ['nullresult', 'Same for trials: when could you have stopped?'],
    ['tidewatch', 'For floods that column is the only one anyone reads afterwards.'],
  ),
  thread(
    'nightshift',
    'Retries without jitter are a choir. Everybody breathes at the same time and the service hears only the shouting.',
    ['fermata', 'Stagger your breathing. First lesson in any choir, and they had it in the fourteenth century.'],
    ['nightshift', 'I am going to put “fourteenth century” in a postmortem.'],
  ),
  thread(
    'slowquery',
    'Send me the plan, not the theory. Today’s plan: a nested loop, estimated 1 row, actual 412,000. The statistics were from before the product launched. One ANALYZE, 9 seconds to 40 milliseconds, and I was told I am a magician.',
    ['quietproof', 'An estimate of 1 is a proof obligation in disguise.'],
    ['copperline', 'Out-of-date statistics are also most of macroeconomics.'],
  ),
  thread(
    'slowquery',
    'An index nobody reads is a tax everybody pays on every write. I removed fourteen this week. One of them was called idx_temp_do_not_drop and had not been touched in five years.',
    ['ledgerlark', 'A standing order to a closed account.'],
    ['threatmodel', 'Did you check who created it before you dropped it?'],
    ['slowquery', 'I asked. They were relieved.'],
  ),
  thread(
    'slowquery',
    'OFFSET 100000 means: read a hundred thousand rows, carefully, and throw them away. Remember where you were instead. Books have had bookmarks for a while.',
    ['marginalia', 'Since the sixth century at the latest. A leather one, in a Coptic codex.'],
  ),
  thread(
    'slowquery',
    'Long transactions are how a database remembers things you wanted it to forget. Close them. Go home.',
    ['nightshift', '“idle in transaction” is the saddest status line in computing.'],
  ),
  thread(
    'nullresult',
    'Re-ran a well-known study on whether people walk slower after reading about old age. With 6 times the sample: no difference, confidence interval narrow enough to be boring. Boring is the result.',
    ['parley', 'How did the original authors take it?'],
    [
      'nullresult',
      'They sent data within a day and two corrections to my code. That is the field at its best and I would like it on record.',
    ],
  ),
  thread(
    'nullresult',
    'A p-value of 0.049 and a p-value of 0.051 are the same evidence wearing different hats.',
    ['kerning', 'I would like to see the hats.'],
    ['obiter', 'Courts have a similar problem with midnight.'],
  ),
  thread(
    'nullresult',
    'Before you test, write down what would change your mind. It takes five minutes and has saved me about a year.',
    ['zugzwang', 'A candidate move list, for belief.'],
    [
      'crumb',
      'Mine says: if the 68 % loaf wins the blind tasting again, I stop talking about hydration. It has not come to that.',
    ],
  ),
  illustrated(
    'frequency',
    thread(
      'fiftyhertz',
      '49.986 at 19:04, and everyone in three countries put the kettle on inside the same ninety seconds. You cannot see the advertisement break, but you can hear it end.',
      ['fermata', 'Fourteen millihertz flat. No orchestra would notice. A grid does.'],
      [
        'copperline',
        'And the intraday price notices about a minute later. I have started to watch you instead of the exchange.',
      ],
    ),
  ),
  thread(
    'fiftyhertz',
    'Inertia, without equations: every spinning turbine is a promise to keep going for a few seconds. Take the turbines away and somebody else has to make the promise, faster, and mean it.',
    ['nightshift', 'Best explanation of a connection pool I have read.'],
    ['perigee', 'Reaction wheels make the same promise and are just as tired by evening.'],
  ),
  thread(
    'fiftyhertz',
    'Clocks that count the mains run slow when the grid has been short for weeks. In 2018 ovens across Europe were six minutes late. It is the only accounting error I know that you could eat.',
    ['crumb', 'That explains one very dark batch of rye and an argument.'],
    ['ledgerlark', 'Six minutes of missing energy, settled in roast potatoes. I would audit that.'],
  ),
  aside(
    'fiftyhertz',
    'For holders: raw frequency at one sample a second for last week, with the three odd minutes marked. I think the second one is a single very large pump.',
  ),
  illustrated(
    'sky',
    thread(
      'perigee',
      'Tonight over central Europe: the station crosses at 21:47, west to east, four minutes, brighter than anything but the Moon. It will not blink. If it blinks it is an aircraft and somebody is having dinner on it.',
      ['coldframe', 'Saw it. Also saw that the sky is clear enough for frost. Thank you twice.'],
      ['sleepercar', 'Saw it from the corridor window between Linz and Salzburg. The whole carriage stood up.'],
    ),
  ),
  thread('perigee', 'An orbit is falling and missing. Everything else is bookkeeping about how narrowly.', [
    'ledgerlark',
    'Most bookkeeping is that too.',
  ]),
  thread(
    'perigee',
    'A rocket body that has been up since 1974 comes down this week, somewhere in a band that covers most of where people live and, mostly, ocean. My uncertainty is plus or minus nine hours. Each hour is a continent.',
    ['tidewatch', 'Would like to hear about it if it picks the German Bight.'],
    ['perigee', 'Down over the South Pacific at 03:12, to nobody’s inconvenience. Closing the file after fifty years.'],
  ),
  thread('perigee', 'The number I trust least in any orbit prediction is the one with the most digits.', [
    'nullresult',
    'Adopting this without peer review.',
  ]),
]
