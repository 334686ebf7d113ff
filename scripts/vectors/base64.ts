/** The same base64 character but for its lowest bit. */
export function nextLetter(letter = ''): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet[alphabet.indexOf(letter) ^ 1] ?? '';
}
