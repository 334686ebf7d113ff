/** An entry in a table of refusals: each room has a table of its own, and all of them this form. */
export interface ErrorEntry {
  /** What happened, in a few words. */
  title: string;
  /** What the caller can do now. */
  advice: string;
}

/** An entry for a refusal that is answered over HTTP. */
export interface HttpErrorEntry extends ErrorEntry {
  status: number;
}
