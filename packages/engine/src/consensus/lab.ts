/** What a laboratory can be told: a chain whose genesis says that it is one, and whose time obeys. */

/**
 * automatic: as on every chain. each: every intent gets a block of its own at once, what is due gets blocks too, and no empty
 * one comes by itself. none: only what is mined.
 */
export const LAB_MODES = ['automatic', 'each', 'none'] as const;
export type LabMode = (typeof LAB_MODES)[number];

export type LabCommand =
  | {
      do: 'mine';
      /** At least 1. Envelopes that wait go into the first ones. */
      blocks: number;
      /** How far the clock moves on the way, in equal steps before each block. */
      milliseconds: number;
    }
  | { do: 'mode'; mode: LabMode }
  /** Keeps the chain as it is, to come back to. */
  | { do: 'snapshot'; id: string }
  /** Takes back all blocks since a snapshot, which stays, and the clock with them; later snapshots are gone. */
  | { do: 'revert'; id: string };

/** What a laboratory can come back to. */
export interface LabSnapshot {
  id: string;
  height: number;
}

/** What has become of its history. */
export interface LabHistory {
  /** Oldest first. */
  readonly snapshots: readonly LabSnapshot[];
  /** How often blocks were taken back since the node has started. */
  readonly reverts: number;
}

export interface Lab extends LabHistory {
  /** Milliseconds since 1970, by the clock that dates the blocks. */
  now(): number;
  readonly mode: LabMode;
  /**
   * Resolves when it is done, its blocks on disk and told of.
   * @throws Error where a block could not be made, or there is no such snapshot
   */
  run(command: LabCommand): Promise<void>;
}
