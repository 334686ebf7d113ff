/** A part of the campaign: bounded, from a seed, and taken up again where it stopped. */

export interface PartOptions {
  seed: number;
  /** Where to go on: rounds, seeds or batches before it are left out. */
  from: number;
  /** In the part's own unit. */
  count: number;
  /** Milliseconds since 1970: what has not begun by then is left out. */
  until: number;
  /** A directory of its own, removed afterwards. */
  directory: string;
  say: (line: string) => void;
}

export interface PartSummary {
  /** Promises that were broken, each with what replays it. */
  faults: string[];
  /** How much was done, in the part's own unit. */
  done: number;
  /** What came of it, in a line. */
  line: string;
}

export interface CampaignPart {
  /** What `count` counts; also the name of the option. */
  unit: string;
  /** How many are enough to see that the part works. */
  few: number;
  run(options: PartOptions): Promise<PartSummary>;
}
