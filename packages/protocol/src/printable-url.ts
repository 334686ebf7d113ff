/**
 * Returns the text without what its URLs may keep secret: names, passwords, queries, and fragments with values.
 * A peer such as `tcp://id@host` stays as it is: its id is public.
 */
export const printableUrl = (text: string): string =>
  text.replaceAll(SECRET, '$1***@').replaceAll(QUERY, '$1***');

/** Returns an address that may lack its scheme, or be no URL, without the same. */
export const printableAddress = (text: string): string =>
  printableUrl(text.includes('://') ? text : `x://${text}`)
    .replace(/^x:\/\//, '')
    .replace(/([?#]).+$/s, '$1***');

/** The second form is no valid URL: its password contains a slash. A host with a port is none of it. */
const SECRET =
  /\b((?!tcp:)[a-z][a-z\d+.-]*:\/\/)(?:[^\s/?#"<>]*|[^\s/?#"<>:@[\]]{1,200}:(?!\d+[/?#])[^\s"<>]{0,200})@/gi;

/** A fragment without a value names a part of a document, such as `/docs/errors#URL_INVALID`. */
const QUERY =
  /\b([a-z][a-z\d+.-]*:\/\/[^\s?#"'<>()\\]*(?:\?|#(?=[^\s"'<>()\\]*=)))[^\s"'<>()\\]+/gi;

export function hasPassword(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.username !== '' || url.password !== '');
}
