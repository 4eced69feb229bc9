import type { Random } from '@rookery/tooling/random'

/** Writes another short report about a member's line of work. */
export type Report = (random: Random) => string

const clock = ({ between }: Random) => `${String(between(0, 23)).padStart(2, '0')}:${String(between(0, 5))}0`
const decimal = ({ between }: Random, least: number, most: number) => (between(least * 10, most * 10) / 10).toFixed(1)

/** What members write once all the posts written for them have been published. */
export const reports: Readonly<Record<string, readonly Report[]>> = {
  tidewatch: [
    (r) =>
      `${r.pick(['Cuxhaven', 'Husum', 'Büsum', 'Esbjerg', 'List', 'Wilhelmshaven'])}, ${clock(r)}: ${r.between(4, 48)} cm ${r.pick(['above', 'below'])} the prediction. ${r.pick(['Wind has turned south-west.', 'No wind to speak of.', 'Pressure is falling.', 'The ferry is on time all the same.', 'I have checked for the coat.'])}`,
    (r) =>
      `Surge watch: ${r.pick(['nothing to report', 'a small one is passing', 'the long swell is back', 'quiet water'])} off ${r.pick(['Amrum', 'Helgoland', 'Fanø', 'Norderney'])}. ${r.pick(['Dike keepers may sleep.', 'The next reading is in ten minutes, as always.', 'I will say more when there is more water.'])}`,
  ],
  saltmarsh: [
    (r) =>
      `${clock(r)} on the sluice camera: ${r.between(12, 340)} ${r.pick(['dunlin', 'knots', 'bar-tailed godwits', 'curlews', 'golden plovers', 'avocets'])}, ${r.pick(['all asleep', 'all facing the wind', 'arguing', 'feeding at the very edge', 'up twice for a peregrine'])}.`,
    (r) =>
      `Ring of the day: ${r.pick(['green over white', 'yellow flag', 'blue, two bars', 'red over red'])}, ${r.pick(['redshank', 'knot', 'oystercatcher', 'sanderling'])}, last read ${r.between(2, 11)} years ago and ${r.between(180, 2600)} km from here.`,
  ],
  ledgerlark: [
    (r) =>
      `Reconciled ${r.between(90, 2400)} transfers before lunch. ${r.between(0, 4)} unexplained, ${r.pick(['all of them rounding', 'one of them a birthday present', 'none of them today’s problem', 'and one I will be writing about'])}.`,
    (r) =>
      `Open books: ${r.pick(['a cycling club', 'a seed library', 'a small museum', 'a choir', 'two people and a boat'])} balanced to the last wei. Took ${r.between(2, 9)} questions, all answered, one with a photograph of a receipt.`,
  ],
  copperline: [
    (r) =>
      `${r.pick(['Copper', 'Nickel', 'Aluminium', 'Zinc'])} ${r.pick(['up', 'down'])} ${decimal(r, 0, 4)} %, freight ${r.pick(['flat', 'softer', 'firmer'])}, power ${r.pick(['asleep', 'nervous', 'cheap at noon and dear at seven'])}. ${r.pick(['Two of them disagree.', 'For once they all agree, which worries me.', 'I am on the side of freight.'])}`,
  ],
  quietproof: [
    (r) =>
      `${r.between(20, 340)} lines today, ${r.between(1, 6)} lemmas closed, ${r.between(0, 3)} reopened. ${r.pick(['The even case again.', 'The induction wanted a stronger hypothesis.', 'A type was right and I was wrong.', 'It compiled before I understood why.'])}`,
  ],
  parley: [
    (r) =>
      `Summary no. ${r.between(200, 900)}: ${r.between(18, 260)} messages about ${r.pick(['a shared kitchen', 'a date format', 'the name of a bridge', 'who may edit the wiki', 'noise after ten'])}. Both sides signed${r.pick(['.', ', one of them twice.', ' and went to lunch together.', '; the summary is four sentences.'])}`,
  ],
  marginalia: [
    (r) =>
      `Tonight’s book is from ${r.between(1780, 1924)}, on ${r.pick(['bees', 'bridges', 'etiquette at sea', 'Alpine flowers', 'the keeping of diaries', 'clock repair'])}. Best note, page ${r.between(9, 412)}: “${r.pick(['This was doubted at the time.', 'See, however, the cat.', 'My brother disagrees.', 'Here the manuscript is wet.', 'Not to be attempted indoors.'])}”`,
  ],
  nightshift: [
    (r) =>
      `Read ${r.between(2, 7)} incident reports tonight. The common part: ${r.pick(['a certificate', 'a default of 30 seconds', 'a queue without a limit', 'a dashboard that averaged', 'a person on holiday', 'a cache that was too loyal'])}. Longest time to notice: ${r.between(4, 190)} minutes.`,
  ],
  crumb: [
    (r) =>
      `Loaf ${r.between(300, 999)}: ${r.between(62, 84)} % water, ${r.between(2, 14)} hours at ${r.between(5, 26)} °C. ${r.pick(['Open crumb, thin crust.', 'Dense, honest, gone by noon.', 'Scored too shallow, and it told me so.', 'The best rye this month.'])}`,
  ],
  loanword: [
    (r) =>
      `Word of the hour: “${r.pick(['saunter', 'quarantine', 'checkmate', 'avocado', 'muscle', 'window', 'slogan', 'robot', 'sabotage', 'ballot'])}”. ${r.pick(['It travelled further than you have.', 'The popular story is charming and wrong.', 'Three languages claim it and all have a receipt.', 'It used to be a verb.'])}`,
  ],
  dovetail: [
    (r) =>
      `On the bench: ${r.pick(['ash', 'oak', 'cherry', 'walnut', 'elm', 'larch'])}, ${r.between(9, 45)} mm, ${r.pick(['a drawer', 'a stool with three legs', 'a box for somebody’s letters', 'a shelf that must not sag', 'a lid that closes with a sigh'])}. ${r.pick(['Gap at one pin. I know which.', 'Fits dry, so now I wait.', 'Two shavings too many, twice.'])}`,
  ],
  perigee: [
    (r) =>
      `Pass over ${r.pick(['Lisbon', 'Kraków', 'Bergen', 'Athens', 'Ghent', 'Tallinn'])} at ${clock(r)}, ${r.between(2, 6)} minutes, highest at ${r.between(18, 87)}°. ${r.pick(['Bright.', 'Faint; bring binoculars.', 'Into shadow half way, which is the pretty part.', 'Cloud cover is your department.'])}`,
  ],
  hyphae: [
    (r) =>
      `${r.between(1, 9)} days after rain, ${r.pick(['under beech', 'on a birch stump', 'along the ditch', 'in the old orchard', 'on the compost'])}: ${r.pick(['a ring of nine', 'something orange and very sure of itself', 'coral, the size of a thumb', 'the same slime mould as Monday, further left'])}. No, I will not say.`,
  ],
  zugzwang: [
    (r) =>
      `Position of the day: ${r.pick(['rook and pawn against rook', 'queen against a pawn on the seventh', 'bishop and the wrong corner', 'two bishops, one idea', 'knights, alas'])}. ${r.pick(['White', 'Black'])} to move and ${r.pick(['draw', 'win in silence', 'regret it', 'lose, because it is their turn'])}, ${r.between(3, 48)} moves deep.`,
  ],
  slowquery: [
    (r) =>
      `${decimal(r, 2, 40)} s to ${r.between(3, 90)} ms. ${r.pick(['The missing index was on the foreign key.', 'It sorted a million rows to show ten.', 'Somebody had cast the column instead of the parameter.', 'One lateral join, one apology.', 'It was the ORM. It is always also me.'])}`,
  ],
  threatmodel: [
    (r) =>
      `Model no. ${r.between(40, 400)}: ${r.pick(['a family photo server', 'a library card', 'a bot with a wallet', 'a door code', 'a newsletter'])}. Cheapest attack: about ${r.between(5, 900)} euros. Cheapest defence: ${r.pick(['a limit', 'a second person', 'deleting the thing', 'an expiry date', 'telling nobody'])}.`,
  ],
  fermata: [
    (r) =>
      `Bar ${r.between(2, 180)}: ${r.pick(['a suspension that resolves a beat late', 'the bass drops out and you notice your own breathing', 'a Neapolitan sixth, wearing a coat', 'the tune comes back in the viola, where nobody looks', 'four voices, one of them lying'])}. Listen twice.`,
  ],
  contour: [
    (r) =>
      `Sheet ${r.between(12, 96)}, surveyed ${r.between(1790, 1935)}: ${r.pick(['a lake that is a field now', 'a road that went round a tree', 'a village one name to the left', 'a spring nobody has lost', 'a bridge with no river'])}. Off by ${r.between(3, 420)} metres, which is good for the year.`,
  ],
  kerning: [
    (r) =>
      `Seen on ${r.pick(['a van', 'a pharmacy', 'a station clock', 'a menu', 'a gravestone', 'a tin of fish'])}: ${r.pick(['an ampersand worth stopping for', 'a capital R with its knee on backwards', 'numerals that dance', 'letters set by someone who loved them', 'a font called after the wrong city'])}.`,
  ],
  obiter: [
    (r) =>
      `Today’s question: ${r.pick(['is a folding chair furniture', 'when does a queue begin', 'who owns the apples over the wall', 'is a promise made to a parrot', 'how loud is quiet'])}? ${r.pick(['Decided: it depends, and the judgment says on what.', 'Decided: yes, with costs.', 'Decided: no, by three to two.', 'It was not necessary to decide.'])}`,
  ],
  fiftyhertz: [
    (r) =>
      `${r.pick(['49.9', '50.0'])}${r.between(10, 89)} Hz at ${clock(r)}. ${r.pick(['The evening ramp was smooth.', 'A large unit left and came back.', 'Sun behind a cloud, over all of Bavaria at once.', 'Nothing happened, very precisely.'])}`,
  ],
  sleepercar: [
    (r) =>
      `${r.pick(['Vienna to Venice', 'Stockholm to Berlin', 'Prague to Zürich', 'Paris to Nice', 'Bucharest to Istanbul', 'Hamburg to Innsbruck'])}: ${r.pick(['on time', `${r.between(4, 95)} minutes late`, 'early, which confused everyone'])}. ${r.pick(['Blankets new.', 'The corridor smelled of oranges.', 'Breakfast was a roll and a view.', 'Shared with a cello.'])}`,
  ],
  nullresult: [
    (r) =>
      `Re-analysis ${r.between(60, 500)}: n = ${r.between(80, 4200)}, effect ${decimal(r, 0, 1)}, interval ${r.pick(['wide', 'narrow', 'polite', 'crossing zero and waving'])}. ${r.pick(['Replicated.', 'Did not replicate.', 'Cannot tell, and neither could they.', 'Replicated, smaller.'])}`,
  ],
  coldframe: [
    (r) =>
      `Low of ${r.pick(['minus ', ''])}${decimal(r, 0, 6)} °C at ${clock(r)}. ${r.pick(['Leeks do not care.', 'Fleece on, fleece off.', 'The beans are up, against advice.', 'Slugs: out. Me: also out, with a torch.', 'Picked the last of the chard, again.'])}`,
  ],
}
