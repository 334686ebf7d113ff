/** Commands for a laboratory: a chain whose genesis declares it one, so that tests control its time. */

/**
 * `automatic`: as on every chain. `each`: every intent gets its own block at once, due work gets blocks too,
 * and there are no empty blocks. `none`: blocks only on command.
 */
export const LAB_MODES = ['automatic', 'each', 'none'] as const;
export type LabMode = (typeof LAB_MODES)[number];

export type LabCommand =
  | {
      do: 'mine';
      /** At least 1. Pending envelopes go into the first ones. */
      blocks: number;
      /** Time by which the clock moves in total, in equal steps before each block. */
      milliseconds: number;
    }
  | { do: 'mode'; mode: LabMode }
  /** Marks the current state, to revert to. */
  | { do: 'snapshot'; id: string }
  /** Takes back all blocks since a snapshot, and the clock with them. Keeps the snapshot and drops later ones. */
  | { do: 'revert'; id: string };

/** A state that a laboratory can revert to. */
export interface LabSnapshot {
  id: string;
  height: number;
}

export interface LabHistory {
  /** Oldest first. */
  readonly snapshots: readonly LabSnapshot[];
  /** Number of reverts since the node started. */
  readonly reverts: number;
}

export interface Lab extends LabHistory {
  /** Milliseconds since 1970, by the clock that dates the blocks. */
  now(): number;
  readonly mode: LabMode;
  /**
   * Resolves when its blocks are on disk and reported.
   * @throws Error if a block could not be made, or there is no such snapshot
   */
  run(command: LabCommand): Promise<void>;
}
