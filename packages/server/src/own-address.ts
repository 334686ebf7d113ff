/** What a node hands out names that node, by the address that its operator has given it. */

/** Where a node of `npm start` is: as the repository writes it, for its readers. */
const DEV_URL = 'http://127.0.0.1:8420';

/**
 * A text of the repository with the address of this node in it. Never that of a request: the sender of the header Host would
 * choose where others go.
 */
export function atThisNode(text: string, publicUrl: string): string {
  // It stands in programs, between quotes of either kind.
  const url = publicUrl.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('\\', '%5C');
  return text.replaceAll(DEV_URL, () => url);
}
