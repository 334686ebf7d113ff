import { shown } from '../option-names.ts';
import { refuseArgument } from './core-error.ts';

export function requireHandler(call: string, handler: unknown): void {
  if (typeof handler === 'function') return;
  const found = handler === null ? 'null' : typeof handler;
  const why =
    handler === undefined ? 'there is no handler' : `the handler is not a function, but ${found}`;
  refuseArgument('handler', `${call}: ${why}`);
}

export function requireText(name: string, text: unknown): void {
  if (typeof text === 'string' && text !== '') return;
  refuseArgument(name, `${name}: ${shown(text)} is no text`);
}

export function requireFacts(facts: unknown): void {
  const { messageId, fromAgentId, contentHash } = (facts ?? {}) as Record<string, unknown>;
  for (const [name, text] of Object.entries({ messageId, fromAgentId, contentHash })) {
    requireText(name, text);
  }
}

export function requireObject(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  refuseArgument(name, `${name}: ${shown(value)} is no object`);
}
