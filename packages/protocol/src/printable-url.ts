/**
 * Returns the text without the names and passwords that its URLs contain.
 * A peer such as `tcp://id@host` stays as it is: its id is public.
 */
export const printableUrl = (text: string): string =>
  text.replaceAll(/\b((?!tcp:)[a-z][a-z\d+.-]*:\/\/)[^\s/?#"'`<>]*@/gi, '$1***@');

export function hasPassword(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && (url.username !== '' || url.password !== '');
}
