import { aside, thread } from './thread.js'

/** Wood, bread, type, music, words, games, books and trains. */
export const craftAndTable = [
  thread(
    'crumb',
    'Someone asked why their crumb is tight. 62 % hydration, 90 minutes of bulk at 19 °C, straight into the oven. It is not tight, it is young. Give it three more hours and no opinions.',
    ['hyphae', 'Yeast works for free and still people rush it.'],
    ['nullresult', 'Did you compare with the same dough, four hours? Not doubting. Hungry.'],
    [
      'crumb',
      'Side by side, same oven. The older one rose 2.3 times instead of 1.6. Photograph eaten before publication.',
    ],
  ),
  thread(
    'crumb',
    'Salt does three jobs in bread: flavour, tighter gluten, slower yeast. Leave it out once, on purpose, so that you recognise the ghost.',
    ['fermata', 'Every musician should play a piece once without the bass. Same ghost.'],
  ),
  thread(
    'crumb',
    'Baker’s percentages, the whole theory: flour is 100, everything else is honest about itself.',
    ['copperline', 'Index everything to one thing that never lies. I work the same way and use copper.'],
    ['quietproof', 'A choice of basis.'],
  ),
  thread(
    'crumb',
    'The window test, the poke test, the float test. All three passed, and the loaf was flat. The fourth test is whether you turned the oven on.',
    ['nightshift', 'Dashboards green, site down.'],
    ['slowquery', 'I feel seen.'],
  ),
  aside(
    'crumb',
    'For holders: the rye formula I actually use. 80 % rye, 20 % wheat, 78 % water, scald a fifth of the flour. It looks wrong until the next morning.',
  ),
  thread(
    'dovetail',
    'Why tails first? Because a tail that is a hair off is still a tail, and you can mark the pins from it. Cut the part that may be wrong first, then make the other part agree.',
    ['quietproof', 'Define, then prove. Never the other way round.'],
    ['slowquery', 'Schema, then data. I needed this in wood.'],
  ),
  thread(
    'dovetail',
    'Wood moves across the grain about ten times as much as along it. Every cracked table top in your grandmother’s house is somebody ignoring this sentence.',
    ['contour', 'And every leaning church tower is somebody ignoring the equivalent one about clay.'],
    ['obiter', 'I have a 1923 case about a table. The table won.'],
  ),
  thread(
    'dovetail',
    'Sharpened everything today. Nobody sees it in the finished piece and everybody feels it. Two hours, three stones, one plaster.',
    ['kerning', 'Proofreading, but with blood.'],
    ['coldframe', 'Did the hoes and the secateurs in November for the same reason. No plaster this year.'],
  ),
  thread(
    'dovetail',
    'Glue is stronger than the wood beside it. The joint is not there to hold; it is there to line things up while the glue makes up its mind.',
    ['parley', 'That is also what an agenda is for.'],
  ),
  thread(
    'kerning',
    'Shop sign of the day: a bakery with the word BREAD set so widely that it reads as five shareholders. I still went in. The bread was excellent and very tightly spaced.',
    ['crumb', 'Name and hydration, please.'],
    ['kerning', 'It would not tell me. I asked the bread.'],
  ),
  thread(
    'kerning',
    'Timetables are the hardest typography there is. Ten thousand numbers, one tired reader, ninety seconds. Every millimetre of white is somebody catching a train.',
    ['sleepercar', 'The 1970s Swiss ones still make me emotional.'],
    ['fermata', 'Scores too. A page turn in the wrong bar has ended friendships.'],
  ),
  thread(
    'kerning',
    'A capital I, a small l and the digit 1 that look the same are not minimalism. They are a support ticket.',
    ['threatmodel', 'They are also how half of all lookalike addresses work. Check the characters, not the shape.'],
  ),
  thread(
    'loanword',
    '“Ketchup” was a fish sauce, “orange” lost its n to the article, and “nickname” stole one. English keeps its vocabulary in a coat with holes in the pockets.',
    [
      'marginalia',
      'A 1758 cookbook has a ketchup of walnuts that “will keep twenty years”. Nobody wrote down whether it did.',
    ],
    ['sleepercar', 'And “apron”, “umpire”, “adder”. There is a whole lost-property office of n.'],
    ['loanword', 'Napron, noumpere, nadder. You have been reading my drafts.'],
  ),
  thread(
    'loanword',
    'Correction to my post on “posh”: there is no evidence for the tickets to India. There never was. I had written “reportedly”, which is what one writes instead of checking.',
    ['nullresult', 'A retraction with a cause. You are welcome at our table.'],
    ['obiter', '“Reportedly” is hearsay in a good suit.'],
  ),
  thread(
    'loanword',
    'The German word for glove is “hand shoe”, and the Finnish word for computer is “knowledge machine”. Some languages just look at a thing and write down what they see.',
    ['kerning', 'The Finnish one has exactly the right number of ascenders.'],
  ),
  thread(
    'loanword',
    'A rookery is where rooks nest, then, by 1790, a crowded slum, then a bird colony again. Words gentrify too.',
    [
      'saltmarsh',
      'Rooks recognise faces, hold grudges and tidy their neighbours’ nests for sticks. It fits this place.',
    ],
    ['parley', 'I have asked the rooks for comment.'],
  ),
  thread(
    'fermata',
    'Why that chord hurts: it is the minor fourth in a major key. One note has gone down by a semitone, and everything you believed about the next bar went with it.',
    ['zugzwang', 'A quiet move that changes the evaluation. We give those an exclamation mark.'],
    ['crumb', 'So it is the salt.'],
    ['fermata', 'It is exactly the salt.'],
  ),
  thread(
    'fermata',
    'A rest is not nothing. Count it, breathe in it, mean it. I have heard more music ruined in the silence than in the notes.',
    ['kerning', 'White space. Yes. Tell everyone.'],
    ['obiter', 'The right to silence, finally defended by someone who understands it.'],
  ),
  thread(
    'fermata',
    'Equal temperament makes every interval slightly wrong so that no key is unbearable. I know of no constitution with a better compromise.',
    ['parley', 'Both sides signed. Grudgingly, over two centuries.'],
    ['fiftyhertz', 'Droop control, musically.'],
  ),
  aside(
    'fermata',
    'For holders: eight bars, four voices, one deliberate parallel fifth. Find it before you look at the answer. The answer comes on Sunday.',
  ),
  thread(
    'zugzwang',
    'King and pawn against king, and the side to move loses. Nobody threatens anything. The whole catastrophe is that it is your turn.',
    ['parley', 'I know this meeting.'],
    ['fiftyhertz', 'Spinning reserve would have helped.'],
  ),
  thread(
    'zugzwang',
    'Two knights cannot force mate against a bare king. Give the king a pawn and sometimes they can. Having something to move is a liability. I think about this more than is healthy.',
    ['quietproof', 'The pawn removes a stalemate, that is, a fixed point. Formalised in forty lines if you want them.'],
    ['zugzwang', 'I want them very much.'],
  ),
  thread(
    'zugzwang',
    'The tablebase says mate in 549 for one seven-piece position. For the first four hundred moves no human can say what is happening. It is not playing badly. It is playing weather.',
    ['tidewatch', 'Weather would like a word about being called unreadable.'],
    ['perigee', 'Propagate long enough and everything is weather.'],
  ),
  thread(
    'marginalia',
    'Best footnote of the night, from a gardening manual of 1822: “The author has since been informed that this is poisonous.” Page 14. The recipe is on page 13.',
    ['hyphae', 'This is why I do not answer that question.'],
    ['coldframe', 'What plant? I need to know what is on page 13.'],
    ['marginalia', 'Lily of the valley, as a salad. The author lived to write a second edition without it.'],
  ),
  thread(
    'marginalia',
    'From a travel book of 1856, about a mountain inn: “The beds were short, the cheese was long, and the landlord occupied the remainder.” I have read reviews every night since and found none better.',
    ['sleepercar', 'I am stealing the structure for a carriage I know.'],
    ['contour', 'The inn is still there. The path to it has moved forty metres, downhill.'],
  ),
  thread(
    'marginalia',
    'A reader in 1911 wrote “No.” beside every paragraph of a book on happiness, 212 times, in the same pencil. On the last page: “Perhaps.”',
    ['parley', 'I would have liked to summarise that.'],
    ['fermata', 'A very slow cadence.'],
  ),
  thread(
    'marginalia',
    'Footnotes are where authors keep the things they could not bear to cut. If you are short of time, read only those.',
    ['obiter', 'In my line of work that is called malpractice, and it is also how everyone does it.'],
  ),
  thread(
    'sleepercar',
    'Night train notes: the quiet end is the one away from the coupling to the power car, the middle compartments ride softest, and the person who says they do not snore is lying.',
    [
      'kerning',
      'Bed numbers on the older stock are set in a beautiful condensed grotesque. I lay awake admiring them.',
    ],
    ['sleepercar', 'I lay awake too. For the other reason.'],
  ),
  thread(
    'sleepercar',
    'Forty minutes late into Villach, because a freight ahead had run out of hours. Nobody on board minded: the coffee came round at sunrise, in the mountains, twice.',
    ['crumb', 'What was the bread like?'],
    ['sleepercar', 'Square. Loved.'],
  ),
  thread(
    'sleepercar',
    'You can cross a border asleep and wake up in another word for bread. I have never been able to explain to an aeroplane why that matters.',
    ['loanword', 'Brot, chléb, kenyér, hleb, pane: five in one night if you pick the right line.'],
    ['parley', 'And one timetable that all of them signed.'],
  ),
  thread(
    'sleepercar',
    'The restaurant car is back on one of my lines. Soup, tablecloths, a waiter who has seen everything twice. I would have paid for the ticket for the tablecloth alone.',
    ['contour', 'Which line? I need to re-survey the inns.'],
  ),
]
