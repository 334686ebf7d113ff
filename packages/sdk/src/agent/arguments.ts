/** Checks of arguments before anything is sent. */
import { shown } from '../option-names.ts';
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

/** @throws AgentError ARGUMENT_INVALID */
export function requireText(name: string, text: unknown): void {
  if (typeof text === 'string' && text !== '') return;
  refuseArgument(name, `${shown(text)} is no text`);
}

/**
 * Refuses malformed facts of a message. They come from a list of the node.
 * @throws AgentError ARGUMENT_INVALID
 */
export function requireFacts(facts: unknown): void {
  const { messageId, fromAgentId, contentHash } = (facts ?? {}) as Record<string, unknown>;
  for (const [name, text] of Object.entries({ messageId, fromAgentId, contentHash })) {
    requireText(name, text);
  }
}

/** @throws AgentError ARGUMENT_INVALID */
export function requireObject(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  refuseArgument(name, `${shown(value)} is no object`);
}

/** @throws AgentError ARGUMENT_INVALID always */
export function refuseArgument(name: string, why: string): never {
  throw new CoreError('ARGUMENT_INVALID', `${name}: ${why}`, { data: { path: `/${name}` } });
}
