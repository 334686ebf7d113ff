/** Portable memory: what the actions on checkpoints, runtime offers and handovers share. */
import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';

/**
 * A provider with a bond behind it, that may take over agents now.
 * @throws RuleError RUNTIME_PROVIDER_INACTIVE
 */
export function requireProvider(state: ReadableState, providerId: string, path: string): void {
  requireThat(
    state.get('runtime-provider', providerId)?.active === true,
    'RUNTIME_PROVIDER_INACTIVE',
    path,
  );
}
