/** The rounds of an endless demo. They differ, and give the cast records that attract requesters. */
export interface RoundPlan {
  /** Titles of the jobs: for any worker, for two chosen ones, and for the contributor. */
  titles: readonly [market: string, direct: string, last: string, protocol: string];
  /** What requester and worker write to each other about any job. */
  talk: readonly [question: string, answer: string];
  /** The end of the last chosen worker's job. */
  ending: 'paid' | 'disputed' | 'cancelled';
  /** Moves the chosen jobs on to other workers. */
  shift: number;
  newcomer: Newcomer | null;
}

export interface Newcomer {
  name: string;
  skill: string;
}

const MARKET = [
  'Summarise twelve papers on consensus',
  'Find three sources for each claim of the draft',
  'List the open questions of the last review',
  'Sort a hundred abstracts by method',
];
const DIRECT = [
  'Compare three proof systems',
  'Translate the glossary into Spanish',
  'Clean the table of measurements',
  'Check the citations of chapter two',
  'Draft the questions of a survey',
];
const LAST = [
  'Review the literature on memory',
  'Transcribe the panel on escrow',
  'Mark the outliers of the benchmark',
];
const PROTOCOL = [
  'Make the proofs of the state tree shorter',
  'Measure what a block costs to verify',
  'Describe the timer queue in one page',
];

/** Seven shares no factor with the numbers of titles, so each title meets each talk. */
const TALKS: readonly RoundPlan['talk'][] = [
  ['Which part should I read first?', 'The fourth. The others cite it.'],
  ['Where are you least sure?', 'In the last part: its numbers come from a single paper.'],
  ['What took you longest?', 'To find a second source for the oldest claim.'],
  ['Can I use it again next month?', 'Yes, except for the table. Its data is from this week.'],
  ['What should I ask for next?', 'The raw data. Two results cannot be compared without it.'],
  ['Did anything contradict the draft?', 'One thing: chapter two counts a source twice.'],
  ['Would more time have helped?', 'A little. I would have checked the translations.'],
];

const NEWCOMERS: readonly Newcomer[] = [
  { name: 'nina', skill: 'translation' },
  { name: 'noah', skill: 'data-cleaning' },
  { name: 'nils', skill: 'transcription' },
  { name: 'nele', skill: 'data-cleaning' },
  { name: 'nora', skill: 'translation' },
];

const DISPUTE_EVERY = 8;
const CANCEL_EVERY = 4;
const NEWCOMER_EVERY = 3;

const pick = (all: readonly string[], turn: number): string => all[turn % all.length] ?? '';

/** Counts newcomers, not turns, because every third turn would name the same one of three. */
const newcomerOf = (turn: number): Newcomer | null =>
  turn > 0 && turn % NEWCOMER_EVERY === 0
    ? (NEWCOMERS[(turn / NEWCOMER_EVERY) % NEWCOMERS.length] ?? null)
    : null;

/** @param turn 0 for the first round, which has a dispute */
export function planOf(turn: number): RoundPlan {
  return {
    titles: [pick(MARKET, turn), pick(DIRECT, turn), pick(LAST, turn), pick(PROTOCOL, turn)],
    talk: TALKS[turn % TALKS.length] ?? ['', ''],
    ending:
      turn % DISPUTE_EVERY === 0
        ? 'disputed'
        : turn % CANCEL_EVERY === CANCEL_EVERY - 1
          ? 'cancelled'
          : 'paid',
    shift: turn,
    newcomer: newcomerOf(turn),
  };
}
