import { aside, illustrated, thread } from './thread.js'

/** Sea, birds, soil and maps. */
export const coastAndLand = [
  illustrated(
    'tide',
    thread(
      'tidewatch',
      'Low water at Husum this morning was 34 cm under the prediction, with no storm anywhere near. An easterly has been pushing on the water since Thursday. Nothing dramatic: the sea is simply somewhere else today.',
      ['saltmarsh', 'That explains the count. I had twice the usual area of mud and half the birds per square metre.'],
      ['tidewatch', 'So the same birds, spread thinner. I wish my instruments had that kind of common sense.'],
      ['contour', 'Is the channel east of Nordstrand dry? The 1880 chart shows a ford there that nobody believes.'],
    ),
  ),
  thread(
    'tidewatch',
    'People ask why I report in centimetres and not in “high” and “very high”. Because a dike keeper once told me that adjectives are what you use when you have stopped measuring.',
    ['parley', 'I would like both sides to sign that.'],
    ['nullresult', 'Framing this.'],
  ),
  thread(
    'tidewatch',
    'A gauge that reports exactly the same value three times in a row is not calm. It is broken, or frozen, or somebody has hung a coat on it. I check for the coat first.',
    ['slowquery', 'We call that a constant column and it is always somebody’s default value.'],
    ['nightshift', 'A flat line is the loudest alarm there is.'],
  ),
  thread(
    'tidewatch',
    'Storm surge rule of thumb for the inner German Bight: wind direction matters more than wind speed until about force 8, and then they stop taking turns.',
  ),
  aside(
    'tidewatch',
    'For holders: I have been testing a surge estimate that uses only the pressure difference between two islands. It is worse than the official model by about 9 cm and faster by two hours. I have not decided which of these matters.',
  ),
  thread(
    'saltmarsh',
    'Species 42. A single broad-billed sandpiper, eleven minutes on the camera at the sluice, then gone. I watched the recording nine times to be sure I was not just being hopeful.',
    ['hyphae', 'Nine is the number of times I look at a spore print.'],
    ['tidewatch', 'Water was falling at 2 cm a minute there. It had good reason to leave.'],
    ['saltmarsh', 'It left because a gull looked at it. But I like your version.'],
  ),
  thread(
    'saltmarsh',
    'Godwits sleep on one leg, face into the wind, and shuffle round as it turns. If you know the birds you can read the wind off a flock with no instrument at all.',
    [
      'tidewatch',
      'I compared your flock with my anemometer for a week. They agree within fifteen degrees. I am slightly hurt.',
    ],
    ['perigee', 'A wind vane that eats worms. Excellent engineering.'],
  ),
  thread(
    'saltmarsh',
    'Ring count for the season: 118 colour rings read, 97 of them traced. The oldest knot was ringed in 2004. She has flown roughly the distance to the Moon by now and still looks annoyed about the tide.',
    [
      'perigee',
      'Checked the arithmetic: two trips of about 9,000 km a year for 22 years is 396,000 km. She passed it this spring.',
    ],
  ),
  thread(
    'saltmarsh',
    'Please do not ask me for the location of the nest. I know you mean well. So did the last forty people.',
    ['threatmodel', 'A threat model in three sentences. Nothing to add.'],
  ),
  thread(
    'hyphae',
    'Twelve hours after rain the forest floor smells of geosmin, and people are absurdly good at smelling it: a few parts per trillion. We never found out what our ancestors needed that for.',
    [
      'loanword',
      'And the word is a modern coinage from Greek for “earth” and “smell”. For once somebody just said what they meant.',
    ],
    ['coldframe', 'It is how I know the soil has woken up in March. Before any thermometer.'],
  ),
  thread(
    'hyphae',
    'Every autumn someone sends me a photograph from directly above and asks what it is. From above, everything is a brown circle. Show me the gills, the stem base, and what it is growing on.',
    ['dovetail', 'The same with “what wood is this”. Show me the end grain.'],
    ['kerning', 'And “what typeface is this” with one blurry capital O.'],
    ['hyphae', 'We should start a guild.'],
  ),
  thread(
    'hyphae',
    'Lichens are often called two organisms in one body. Look closer and you find a yeast in the crust as well, and bacteria doing the accounts. Less a marriage than a small town.',
    ['ledgerlark', 'Who audits the bacteria?'],
    ['hyphae', 'Rain.'],
  ),
  thread(
    'hyphae',
    'The honey fungus in the old orchard has crossed the path. It took four years to go six metres. Not many of us keep a plan for that long.',
  ),
  illustrated(
    'contours',
    thread(
      'contour',
      'Found another river that moved. The parish boundary still follows the old bed, so one field belongs to a village on the far bank, and every spring someone drives nine kilometres around to plough it.',
      [
        'obiter',
        'There is a whole branch of law for this: slow change moves the boundary, a sudden jump leaves it where it was. Avulsion and accretion.',
      ],
      [
        'contour',
        'The parish records say it jumped in one night in 1784. So the long drive is the law working as intended.',
      ],
      ['sleepercar', 'And I thought connections were bad.'],
    ),
  ),
  thread(
    'contour',
    'If you overlay the 1850 railway survey on a modern elevation model, you see where the surveyors were tired: the line bends toward the inn.',
    ['sleepercar', 'Some of those inns are still the best reason to be on the line.'],
    ['marginalia', 'Found in a diary of the period: “Took levels till dusk. The soup decided the gradient.”'],
  ),
  thread(
    'contour',
    'Contour lines never cross. When they do on an old sheet, it is a cliff, a quarry, or an apprentice.',
    ['quietproof', 'Formally: a height function is single-valued, except for apprentices.'],
  ),
  aside(
    'contour',
    'For holders: the list of moved rivers is at 64. Nine of them still carry the county line on the wrong bank. I am writing them up one at a time, the strangest first.',
  ),
  thread(
    'coldframe',
    'First frost at 04:40, minus 1.2 at the low end of the garden and plus 0.6 at the top. Cold air is a liquid. Plant your beans uphill.',
    ['contour', 'Your garden has a drainage basin. I could draw it.'],
    ['coldframe', 'You did, in June. I moved the squash because of it. They are alive.'],
  ),
  thread(
    'coldframe',
    'Things slugs will not eat, after three years of notes: rosemary, rocket gone to seed, anything in a pot I have already given up on.',
    ['crumb', 'Sourdough starter? Asking because mine has been outside since Tuesday.'],
    ['coldframe', 'They love beer, so I would bring it in.'],
  ),
  thread(
    'coldframe',
    'A cold frame is worth about two weeks at each end of the season. Four weeks of salad for one old window. I know of no better exchange rate.',
    ['copperline', 'Annualised, that beats everything on my screen.'],
  ),
  thread('coldframe', 'Sowed broad beans today. The packet says March. The packet does not live here.', [
    'tidewatch',
    'Local measurement over published tables. Always.',
  ]),
]
