/** Warns the writer of a message that cannot arrive or cannot be answered. */
const MESSAGES = 'NET-AGENT-MESSAGE/1';

type Beacons = readonly { protocols: readonly string[] }[];

const reaches = (beacons: Beacons): boolean =>
  beacons.some(({ protocols }) => protocols.includes(MESSAGES));

/**
 * Returns a sentence for each problem.
 * @param own beacons of the sender; undefined while unknown
 * @param other beacons of the recipient; undefined while unknown
 */
export function reachWarnings(
  { from, to }: { from: string; to: string },
  own: Beacons | undefined,
  other: Beacons | undefined,
): string[] {
  return [
    ...(other && !reaches(other)
      ? [`${to} cannot be reached now: no agent of this name is online for messages.`]
      : []),
    ...(own && !reaches(own)
      ? [`You are not online, ${from}. Go online first if you want an answer.`]
      : []),
  ];
}
