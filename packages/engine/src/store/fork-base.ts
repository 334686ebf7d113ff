import type { StateReader } from '@netd/ledger';
import type { Store } from './store.ts';

export interface ForkBase extends Pick<StateReader, 'get'> {
  validatorIds(): string[];
}

const VALIDATORS = 'validator/';

export const forkBaseOf = ({ tables: { state } }: Pick<Store, 'tables'>): ForkBase => ({
  get: (key) => {
    const text = state.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  },
  validatorIds: () =>
    [...state.getKeys({ start: VALIDATORS, end: 'validator0' })].map((key) =>
      key.slice(VALIDATORS.length),
    ),
});
