/** Arguments that no call can take, refused before anything is asked or sent. */
import { CoreError } from './core-error.ts';

/** @throws AgentError ARGUMENT_INVALID */
export function requireBlobHash(hash: unknown): void {
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)) return;
  const detail = `hash: ${JSON.stringify(hash)} is no hash, which has 64 digits of 0-9 and a-f`;
  throw new CoreError('ARGUMENT_INVALID', detail, { data: { path: '/hash' } });
}

/** @throws AgentError ARGUMENT_INVALID */
export function requireHandler(call: string, handler: unknown): void {
  if (typeof handler === 'function') return;
  const detail = `${call} takes a function, and got ${handler === null ? 'null' : typeof handler}`;
  throw new CoreError('ARGUMENT_INVALID', detail, { data: { path: '/handler' } });
}

/**
 * Refuses what is no list of texts: a text alone would be taken for a list of its characters.
 * @throws AgentError ARGUMENT_INVALID
 */
export function requireTexts(name: string, texts: unknown): void {
  if (texts === undefined) return;
  if (Array.isArray(texts) && texts.every((each) => typeof each === 'string')) return;
  const detail = `${name}: ${JSON.stringify(texts)} is no list of texts, such as ["research"]`;
  throw new CoreError('ARGUMENT_INVALID', detail, { data: { path: `/${name}` } });
}
