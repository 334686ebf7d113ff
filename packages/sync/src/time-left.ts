/** Before this time or a hundredth of the work, no estimate is given. */
const KNOWN_AFTER_MILLISECONDS = 2_000;
const KNOWN_AFTER_SHARE = 0.01;

/**
 * Returns a coarse estimate as text; empty if nothing is left.
 * @param milliseconds that `done` took
 */
export function timeLeft(done: number, rest: number, milliseconds: number): string {
  if (rest <= 0) return '';
  const isKnown =
    milliseconds >= KNOWN_AFTER_MILLISECONDS && done >= (done + rest) * KNOWN_AFTER_SHARE;
  if (!isKnown || done <= 0) return 'how long it takes is not known yet';
  const seconds = (milliseconds / done) * (rest / 1_000);
  if (seconds < 60) return `about ${Math.max(5, 5 * Math.round(seconds / 5))} s left`;
  const minutes = seconds / 60;
  if (minutes < 60) return `about ${Math.round(minutes)} min left`;
  return `about ${Math.round(minutes / 6) / 10} h left`;
}
