import { requireThat } from '../../rule-error.ts';
import type { ReadableState } from '../../state.ts';

export function requireProvider(state: ReadableState, providerId: string, path: string): void {
  requireThat(
    state.get('runtime-provider', providerId)?.active === true,
    'RUNTIME_PROVIDER_INACTIVE',
    path,
  );
}
