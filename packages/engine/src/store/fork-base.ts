/** The state that a fork begins with, in a store that holds nothing else yet. */
import type { StateReader } from '@netd/ledger';
import type { Store } from './store.ts';

export interface ForkBase extends Pick<StateReader, 'get'> {
  /** The ids under which the state has validators. */
  validatorIds(): string[];
}

const VALIDATORS = 'validator/';

/** Nothing that is read is kept in memory: the first block of the fork writes over some of it. */
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
