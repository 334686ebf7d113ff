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
  | { do: 'mode'; mode: LabMode };

export interface Lab {
  /** Milliseconds since 1970, by the clock that dates the blocks. */
  now(): number;
  readonly mode: LabMode;
  /**
   * Resolves when it is done, its blocks on disk and told of.
   * @throws Error where a block could not be made
   */
  run(command: LabCommand): Promise<void>;
}
