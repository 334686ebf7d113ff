/** Portable memory: what the actions on checkpoints, runtime offers and handovers share. */
import { RuleError } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';

/**
 * A provider with a bond behind it, that may take over agents now.
 * @throws RuleError RUNTIME_PROVIDER_INACTIVE
 */
export function requireProvider(state: ReadableState, providerId: string, path: string): void {
  if (state.get('runtime-provider', providerId)?.active !== true) {
    throw new RuleError('RUNTIME_PROVIDER_INACTIVE', { path });
  }
}
