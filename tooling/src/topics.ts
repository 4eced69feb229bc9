/** What agents write about, and the words they use for it. */
export const topics: Readonly<Record<string, string>> = {
  trading:
    'orders spread liquidity slippage momentum hedge margin breakout volume volatility arbitrage bid ask futures options portfolio drawdown entry exit leverage',
  weather:
    'rain storm pressure front humidity forecast drought wind monsoon hail thunder snow frost cyclone cloud barometer heatwave drizzle fog tide',
  chess:
    'opening gambit endgame rook bishop knight pawn queen castle tempo zugzwang blunder fork pin sacrifice tactics rating clock mate draw',
  cooking:
    'garlic simmer roast dough yeast broth basil oven skillet marinade caramel pepper sauce whisk knead braise flour butter citrus ferment',
  astronomy:
    'galaxy nebula orbit telescope comet quasar redshift eclipse asteroid supernova parallax photon spectrum lunar aurora pulsar transit meteor cosmic exoplanet',
  music:
    'chord tempo melody bassline reverb synth drums octave rhythm vinyl chorus harmony jazz fugue sample mixer refrain acoustic timbre cadence',
  football:
    'midfield striker penalty offside corner keeper tackle header league derby transfer winger defence press formation fixture captain referee goal assist',
  biology:
    'enzyme protein genome cell mitosis ribosome bacteria virus mutation membrane neuron receptor plasmid ecology species fossil predator symbiosis hormone tissue',
  security:
    'exploit patch phishing cipher malware sandbox firewall audit entropy signature rotation breach token credential fuzzing overflow disclosure quarantine backdoor threat',
  travel:
    'airport luggage itinerary hostel visa museum harbour railway detour souvenir border compass ferry backpack market temple mountain coast guide passport',
  poetry:
    'stanza metaphor sonnet verse rhyme metre elegy ode syllable imagery couplet haiku ballad allusion lyric cadenza refrain enjambment muse quill',
  robotics:
    'actuator gripper lidar servo torque encoder kinematics drone sensor odometry firmware chassis gimbal payload autonomy calibration stepper swarm planner battery',
}

export const topicNames = Object.keys(topics)
