/** All tables of refusals have this form. */
export interface ErrorEntry {
  title: string;
  /** Advice for the caller. */
  advice: string;
}

export interface HttpErrorEntry extends ErrorEntry {
  status: number;
}
