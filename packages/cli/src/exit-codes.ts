/** What the command ends with. */
export const EXIT = {
  done: 0,
  /** It could not be done, or what was asked about does not hold; a sentence on standard error or output says why. */
  failed: 1,
  /** Ctrl-C before the end. */
  interrupted: 130,
} as const;
