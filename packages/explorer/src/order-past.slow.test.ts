/** Executes the golden chains again, because their committed files have only hashes of the records. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GOLDEN_PLAYS } from '@netd/ledger/testing';
import {
  mayAwaitOperator,
  orderAfter,
  unexplained,
  type Order,
  type OrderEvent,
  type PolicySpans,
} from './words/order-past.ts';

const plays = new Map<string, ReturnType<(typeof GOLDEN_PLAYS)['rules']>>();

/** Calls `see` with each order after each block that changed it, and with its events so far. */
function eachOrder(
  name: keyof typeof GOLDEN_PLAYS,
  see: (order: Order, events: OrderEvent[], spans: PolicySpans) => void,
): void {
  const events = new Map<string, OrderEvent[]>();
  const play = plays.get(name) ?? GOLDEN_PLAYS[name]();
  plays.set(name, play);
  for (const block of play.ledger.blocks) {
    for (const { type, data, transitionIndex } of block.events) {
      const id = (data as { orderId?: string }).orderId ?? '';
      const transitionHash = block.transitionHashes[transitionIndex] ?? '';
      const event = { type, data, transitionIndex, transitionHash, block: block.header };
      events.set(id, [...(events.get(id) ?? []), event]);
    }
    for (const [key, text] of block.changes) {
      const id = /^order\/(.*)$/.exec(key)?.[1];
      if (id !== undefined && text !== null) {
        see(JSON.parse(text) as Order, events.get(id) ?? [], play.ledger.genesis.policy.work);
      }
    }
  }
}

describe('an order that is computed from its events', () => {
  for (const name of ['secure', 'rules', 'crossing'] as const) {
    test(`equals the ledger's order after every block of the golden chain "${name}"`, () => {
      const phases = new Set<string>();
      let compared = 0;
      eachOrder(name, (order, events) => {
        assert.deepEqual(unexplained(order, events), [], `${order.orderId} ${order.phase}`);
        phases.add(order.phase);
        compared++;
      });
      assert.ok(compared > 60 && phases.size > 6, `${compared} of ${[...phases].join()}`);
    });
  }

  test('has the deadlines of the ledger, unless the second jury ends without a verdict', () => {
    const compared = new Map<string, number>();
    for (const name of ['secure', 'rules', 'crossing'] as const) {
      eachOrder(name, (order, events, spans) => {
        const past = orderAfter(order, events, spans);
        // A second jury without a verdict ends without an event.
        if (!past || (order.phase !== past.phase && mayAwaitOperator(past))) return;
        for (const member of ['deadline', 'disputableUntil'] as const) {
          const computed: Order['deadline'] = past[member];
          if (computed === null) continue;
          assert.deepEqual(
            { ...computed, time: Date.parse(computed.time) },
            order[member],
            `${name}: ${member} of ${order.orderId}, ${order.phase}`,
          );
          const found = `${order.phase} ${member}`;
          compared.set(found, (compared.get(found) ?? 0) + 1);
        }
      });
    }
    const timed = ['OPEN', 'ACCEPTED', 'REVIEW', 'REVEAL', 'VERIFIED', 'UNJUDGED', 'VOTED_DOWN'];
    for (const phase of [...timed, 'CONTESTED', 'DISPUTED']) {
      assert.ok(compared.has(`${phase} deadline`), `${phase} of ${[...compared].join()}`);
    }
    for (const phase of ['VERIFIED', 'UNJUDGED']) {
      assert.ok(compared.has(`${phase} disputableUntil`), `${phase} of ${[...compared].join()}`);
    }
  });

  test('differs from its record if one or two blocks of its events are left out', () => {
    const hidden = new Set<string>();
    const hide = (order: Order, events: readonly OrderEvent[]): void => {
      const heights = [...new Set(events.map(({ block }) => block.height))];
      for (const [at, one] of heights.entries()) {
        for (const other of heights.slice(at)) {
          const isKept = ({ block: { height } }: OrderEvent): boolean =>
            height !== one && height !== other;
          if (unexplained(order, events.filter(isKept)).length > 0) continue;
          for (const event of events)
            if (!isKept(event)) hidden.add(`${event.type} ${order.phase}`);
        }
      }
    };
    for (const name of ['secure', 'rules', 'crossing'] as const) eachOrder(name, hide);
    assert.deepEqual([...hidden], []);
  });
});
