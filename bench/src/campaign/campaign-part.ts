/** A bounded, seeded part of the campaign that can resume. */

export interface PartOptions {
  seed: number;
  /** The first round, seed or batch to run. */
  from: number;
  /** In the part's unit. */
  count: number;
  /** Milliseconds since 1970; nothing starts after it. */
  until: number;
  /** Its own directory, removed afterwards. */
  directory: string;
  say: (line: string) => void;
}

export interface PartSummary {
  /** Broken promises, each with its replay. */
  faults: string[];
  /** Work done, in the part's unit. */
  done: number;
  /** The summary line. */
  line: string;
}

export interface CampaignPart {
  /** The unit of `count`, and its option's name. */
  unit: string;
  /** A count that shows that the part works. */
  few: number;
  run(options: PartOptions): Promise<PartSummary>;
}
