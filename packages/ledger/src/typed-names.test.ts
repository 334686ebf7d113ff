/** Names and ids that the compiler must reject, as checked by `npm run types`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLLECTIONS, stateKey, type CollectionName, type IdOf } from './collections.ts';
import { count } from './counters.ts';
import { addToTotal } from './cumulative-totals.ts';
import { LISTS, SORTED_INDEXES, type ListName, type SortedIndexName } from './lists.ts';
import { StateOverlay, type WritableState } from './state.ts';
import { parseTimerId, timerId } from './timer-queue.ts';
import { setTimer } from './timers.ts';

/** Never called. */
function refusedByTheCompiler(state: WritableState, overlay: StateOverlay): void {
  state.get('counter', 'work-orders-open') satisfies number | undefined;
  // @ts-expect-error: no such counter
  state.get('counter', 'work-order-open');
  // @ts-expect-error: nor for an overlay, whose other `get` takes a whole key
  overlay.get('counter', 'work-order-open');
  // @ts-expect-error: no such counter
  state.put('counter', 'work-order-open', 1);
  // @ts-expect-error: no such counter
  state.delete('counter', 'work-order-open');
  // @ts-expect-error: no such counter
  count(state, 'work-order-open', 1);
  // @ts-expect-error: no such counter of groups
  state.put('group-members', 'verifier-group:g', 1);

  // @ts-expect-error: no such total
  state.get('cumulative-total', 'rewards');
  // @ts-expect-error: no such total
  addToTotal(state, 'rewards', 1);
  // @ts-expect-error: no such accounting class
  state.get('supply', 'bond');

  // @ts-expect-error: the roster is verifier-roster/active
  state.get('verifier-roster', 'genesis');
  // @ts-expect-error: the roster is validator-roster/active
  state.get('validator-roster', 'latest');
  // @ts-expect-error: the roster is operator-roster/genesis
  state.get('operator-roster', 'active');
  // @ts-expect-error: the record is chain/identity
  state.get('chain', 'id');
  // @ts-expect-error: the record is policy/limits
  state.get('policy', 'limit');
  // @ts-expect-error: the record is commitment/latest
  state.get('commitment', 'last');
  // @ts-expect-error: the record is faucet-day/today
  state.get('faucet-day', '2026-01-01');
  // @ts-expect-error: the record is sealed-genesis/mainnet
  state.get('sealed-genesis', 'latest');

  // @ts-expect-error: no such kind of timer
  state.get('timer', 'releaseStakes/alice');
  // @ts-expect-error: a timer has a kind and a subject
  state.delete('timer', 'releaseStake');
  // @ts-expect-error: no such kind of timer
  setTimer(state, 'releaseStakes', 'alice', { height: 1, time: 0 });
  // @ts-expect-error: no such kind of timer
  timerId('releaseStakes', 'alice');

  // @ts-expect-error: no such collection
  stateKey('agents', 'alice');
  // @ts-expect-error: no such counter
  stateKey('counter', 'agent');
  // Open id sets accept any string.
  stateKey('agent', '' as string satisfies IdOf<'agent'>);

  'orders-by-status' satisfies ListName<'order'>;
  // @ts-expect-error: no such list
  'order-by-status' satisfies ListName<'order'>;
  // @ts-expect-error: a list of another collection
  'agents' satisfies ListName<'order'>;
  // @ts-expect-error: a collection without lists
  'agents' satisfies ListName<'account'>;
  // @ts-expect-error: a list, not a sorted index
  'tokens' satisfies SortedIndexName<'token-holder'>;

  // @ts-expect-error: an agent stands in no list of orders
  COLLECTIONS.agent.lists satisfies (record: never) => { list: ListName<'order'> }[];
}
void refusedByTheCompiler;

test('a name of a list or sorted index belongs to one collection', () => {
  const names = [...Object.values(LISTS), ...Object.values(SORTED_INDEXES)].flat();
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
});

test('exactly the collections of LISTS and SORTED_INDEXES assign their records to lists', () => {
  const having = (member: 'lists' | 'sortedIndexes'): string[] =>
    (Object.keys(COLLECTIONS) as CollectionName[]).filter((name) => COLLECTIONS[name][member]);
  assert.deepEqual(having('lists').toSorted(), Object.keys(LISTS).toSorted());
  assert.deepEqual(having('sortedIndexes').toSorted(), Object.keys(SORTED_INDEXES).toSorted());
});

test('the id of a timer begins with its kind', () => {
  assert.equal(parseTimerId('releaseStake/a/b'), timerId('releaseStake', 'a/b'));
  for (const text of ['', 'releaseStake', 'releaseStakes/a', '/a', 'toString/a']) {
    assert.throws(() => parseTimerId(text), /is not the id of a timer/, text);
  }
});
