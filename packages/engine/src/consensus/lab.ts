/** Commands for a laboratory, whose time tests control. */

/**
 * `automatic`: as on every chain. `each`: every intent gets its own block at once, due work gets blocks too,
 * and there are no empty blocks. `none`: blocks only on command.
 */
export const LAB_MODES = ['automatic', 'each', 'none'] as const;
export type LabMode = (typeof LAB_MODES)[number];

export type LabCommand =
  | {
      do: 'mine';
      /** Pending envelopes go into the first ones. */
      blocks: number;
      /** In equal steps before each block. */
      milliseconds: number;
    }
  | { do: 'mode'; mode: LabMode }
  | { do: 'snapshot'; id: string }
  /** Takes blocks and clock back. Keeps the snapshot and drops later ones. */
  | { do: 'revert'; id: string };

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
