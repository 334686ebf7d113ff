/** A trace executes a transition again: on the golden chain, where everything happened once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sha256Hex } from '@netd/protocol';
import { goldenChain, goldenSource } from '@netd/testkit/golden-chain';
import { tempDir } from '@netd/testkit/temp-dir';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { Checkpoints, checkpointFiles, checkpointsIn } from '../chain/checkpoints.ts';
import { systemClock } from '../chain/clock.ts';
import { putHistoryRange } from '../store/history-range.ts';
import { Store } from '../store/store.ts';
import { Writes } from '../store/writes.ts';
import { PastState, type TracedTransition } from './past-state.ts';
import { Replay } from './replay.ts';
import { NotInChainError, replayDatabase, traceDatabase } from './trace.ts';
import { traceReport } from './trace-report.ts';

describe('the golden chain, traced', () => {
  const path = tempDir({ after });
  const { genesis, ...golden } = goldenChain();
  let store: Store;
  let snapshot: Snapshot;
  const traced: TracedTransition[] = [];
  before(async () => {
    store = Store.open(path, { scratch: true });
    const verifier = new VerifierPool();
    await new Replay(goldenSource({ genesis, ...golden }), store, verifier, () => {}).run();
    await verifier.close();
    snapshot = store.snapshot();
    const state = new PastState(genesis);
    for (let height = 1; height <= snapshot.height; height++) {
      assert.ok(state.moveTo(height - 1, snapshot));
      for (const { index, text } of snapshot.transitionsOf(height)) {
        const hash = hashOf(snapshot, height, index, text);
        traced.push(state.trace(hash, { height, index }, snapshot));
      }
    }
  });
  after(async () => {
    snapshot.close();
    await store.close();
  });

  test('every transition has the events that its block tells, all its rules hold, and none was refused', () => {
    assert.ok(traced.length > 300, `${traced.length}`);
    for (const { height, index, trace } of traced) {
      const told = snapshot.eventsOf(height, 0, Number.MAX_SAFE_INTEGER);
      assert.deepEqual(
        trace.events.map(({ type, data }) => ({ type, data })),
        told
          .filter(({ transitionIndex }) => transitionIndex === index)
          .map(({ type, data }) => ({ type, data })),
        `${height}.${index}`,
      );
      assert.equal(trace.refusal, null);
      assert.ok(trace.rules.every(({ holds }) => holds));
    }
  });

  test('a record that transitions wrote goes from one to the next without a gap, up to the database', () => {
    const latest = new Map<string, unknown>();
    // Records that blocks write or delete beside what transitions do.
    const ofBlocks = /^(message|message-digest|nonce|commitment|recent-root|timer)\//;
    for (const { height, index, trace } of traced) {
      for (const { key, value } of trace.reads) {
        if (latest.has(key) && !ofBlocks.test(key)) {
          assert.deepEqual(value, latest.get(key), `${key} read by ${height}.${index}`);
        }
      }
      for (const { key, before: was, after: is } of trace.writes) {
        if (latest.has(key) && !ofBlocks.test(key)) {
          assert.deepEqual(was, latest.get(key), `${key} written by ${height}.${index}`);
        }
        latest.set(key, is);
      }
    }
    let compared = 0;
    for (const [key, value] of latest) {
      if (ofBlocks.test(key)) continue;
      const text = snapshot.stateText(key);
      assert.deepEqual(text === undefined ? undefined : JSON.parse(text), value, key);
      compared++;
    }
    assert.ok(compared > 300, `${compared}`);
  });

  test('lists timers that are set and timers that are canceled', () => {
    const timers = traced.flatMap(({ trace }) => trace.timers);
    const kinds = new Set(timers.map(({ kind }) => kind));
    for (const kind of ['settleWork', 'releaseStake', 'expireBeacon', 'drawWorkCommittee']) {
      assert.ok(kinds.has(kind as never), `${kind} of ${[...kinds].join(', ')}`);
    }
    assert.ok(timers.some(({ deadline }) => deadline === null));
    assert.ok(timers.some(({ deadline }) => deadline !== null && deadline.time > 0));
  });

  test('a report is JSON of bounded size, and the same again', async () => {
    const last = traced.findLast(({ trace }) => trace.rules.length > 0);
    assert.ok(last);
    const report = traceReport(last.trace);
    const again = await traceDatabase({ path }, last.transitionHash);
    assert.deepEqual(traceReport(again.trace), report);
    assert.deepEqual(JSON.parse(JSON.stringify(report)), report);
    for (const { trace } of traced) assert.ok(JSON.stringify(traceReport(trace)).length < 150_000);
  });

  test('what never was is said not to be', async () => {
    await assert.rejects(traceDatabase({ path }, 'ab'.repeat(32)), NotInChainError);
    const act = { actorId: 'nobody-here', action: 'withdrawBeacon', payload: {} };
    await assert.rejects(replayDatabase({ path }, { ...act, at: 1e9 }), NotInChainError);
    const { outcome } = await replayDatabase({ path }, { ...act, at: 0 });
    assert.equal(!outcome.ok && outcome.refusal.code, 'ACTOR_UNKNOWN');
  });

  test('an action that was accepted then would have been accepted then, and is refused before its agent was there', async () => {
    const registered = traced.find(({ envelope }) => 'publicKeyHash' in envelope);
    assert.ok(registered);
    const { actorId } = registered.envelope as { actorId: string };
    const act = { actorId, action: 'faucet', payload: { agentId: actorId, amount: 1 } };
    const early = await replayDatabase({ path }, { ...act, at: registered.height - 1 });
    assert.deepEqual(
      early.trace.rules.map(({ code, holds }) => [code, holds]),
      [['ACTOR_UNKNOWN', false]],
    );
    const later = await replayDatabase({ path }, { ...act, at: registered.height });
    assert.ok(later.trace.rules.some(({ code, holds }) => code === 'AUTHORITY_INACTIVE' && holds));
    assert.equal(later.height, registered.height + 1);
  });

  test('begins at a local checkpoint if the blocks before are missing, else says which blocks it has', async (t) => {
    const directory = tempDir(t);
    const options = { directory, store, clock: systemClock, files: checkpointFiles };
    const checkpoints = await Checkpoints.open({ ...options, onDamage: () => {} });
    const made = await checkpoints.latest();
    assert.equal(made?.height, snapshot.height);
    const { envelope } = traced.findLast((each) => 'action' in each.envelope) ?? {};
    const { actorId } = envelope as { actorId: string };
    const act = { actorId, action: 'transfer', payload: { to: actorId, amount: 1 } };
    const whole = await replayDatabase({ path }, act);
    const history = (from: number): Promise<unknown> => {
      const writes = new Writes();
      putHistoryRange(writes, store.tables, { from, source: 'http://127.0.0.1:1' });
      return store.writeAll(writes);
    };
    await history(snapshot.height);
    const states = await checkpointsIn(directory);
    const tried = await replayDatabase({ path, states }, act);
    assert.deepEqual(traceReport(tried.trace), traceReport(whole.trace));
    assert.equal(tried.height, whole.height);
    const missing = /has the blocks from height \d+ on so far; http:.* has those before it/;
    await assert.rejects(replayDatabase({ path }, act), missing);
    await assert.rejects(replayDatabase({ path, states }, { ...act, at: 5 }), missing);
    await history(0);
  });

  test('moves forward in portions, moves back, and throws RangeError for a wrong place', () => {
    const state = new PastState(genesis);
    let portions = 1;
    while (!state.moveTo(40, snapshot, 5)) portions++;
    assert.ok(portions > 3, `${portions}`);
    assert.ok(state.moveTo(10, snapshot));
    const found = traced.find(({ height }) => height === 11);
    assert.ok(found);
    const again = state.trace(found.transitionHash, found, snapshot);
    assert.deepEqual(traceReport(again.trace), traceReport(found.trace));
    assert.throws(
      () => state.trace(found.transitionHash, { height: 30, index: 0 }, snapshot),
      RangeError,
    );
  });
});

function hashOf(snapshot: Snapshot, height: number, index: number, text: string): string {
  const hash = sha256Hex(text);
  assert.deepEqual(
    (({ height: at, index: place }) => [at, place])(
      snapshot.findTransition(hash) ?? { height: -1, index: -1 },
    ),
    [height, index],
  );
  return hash;
}
