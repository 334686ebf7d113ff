import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';

/**
 * Requires an active provider, which therefore has a bond.
 * @throws RuleError RUNTIME_PROVIDER_INACTIVE
 */
export function requireProvider(state: ReadableState, providerId: string, path: string): void {
  requireThat(
    state.get('runtime-provider', providerId)?.active === true,
    'RUNTIME_PROVIDER_INACTIVE',
    path,
  );
}
