/**
 * Returns the text without the names and passwords that its URLs contain.
 * A peer such as `tcp://id@host` stays as it is: its id is public.
 */
export const printableUrl = (text: string): string => text.replaceAll(SECRET, '$1***@');

/** The second form is no valid URL: its password contains a slash. A host with a port is none of it. */
const SECRET =
  /\b((?!tcp:)[a-z][a-z\d+.-]*:\/\/)(?:[^\s/?#"<>]*|[^\s/?#"<>:@[\]]{1,200}:(?!\d+[/?#])[^\s"<>]{0,200})@/gi;

export function hasPassword(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.username !== '' || url.password !== '');
}
