import { NetSdkError } from '@netd/protocol';
import { isDebugging } from './core-error.ts';

/** Returns a thrown value as an error. A caller's function may throw any value. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : Object.assign(new Error(String(thrown)), { stack: '' });

/**
 * Returns the message of an error. If the error is not of the SDK, adds its class and the nearest line of its stack;
 * with NET_DEBUG=1 returns the whole stack.
 */
export function described(thrown: unknown): string {
  const error = asError(thrown);
  const { name, message, stack = '' } = error;
  if (error instanceof NetSdkError) return message;
  if (isDebugging() && stack !== '') return stack;
  const nearest = stack.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node:'));
  return `${name}: ${message}${nearest === undefined ? '' : ` (${nearest.trim()})`}`;
}
