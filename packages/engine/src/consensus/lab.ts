/**
 * `each`: every intent and due work gets a block at once, and there are no empty blocks. `none`: blocks only
 * on command.
 */
export const LAB_MODES = ['automatic', 'each', 'none'] as const;
export type LabMode = (typeof LAB_MODES)[number];

export type LabCommand =
  | {
      do: 'mine';
      blocks: number;
      /** Time to skip in all, divided equally among the blocks. */
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
  readonly reverts: number;
}

export interface Lab extends LabHistory {
  /** Returns milliseconds since 1970, by the clock that dates the blocks. */
  now(): number;
  readonly mode: LabMode;
  /**
   * Resolves when the command's blocks are on disk and reported.
   * @throws Error if a block could not be made, or there is no such snapshot
   */
  run(command: LabCommand): Promise<void>;
}
