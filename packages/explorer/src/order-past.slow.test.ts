/** Executes the golden chains again, because their committed files have only hashes of the records. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GOLDEN_PLAYS } from '@netd/ledger/testing';
import { unexplained, type Order, type OrderEvent } from './words/order-past.ts';

/** Calls `see` with each order after each block that changed it, and with its events so far. */
function eachOrder(
  name: keyof typeof GOLDEN_PLAYS,
  see: (order: Order, events: OrderEvent[]) => void,
): void {
  const events = new Map<string, OrderEvent[]>();
  for (const block of GOLDEN_PLAYS[name]().ledger.blocks) {
    const { height } = block.header;
    for (const { type, data, transitionIndex } of block.events) {
      const id = (data as { orderId?: string }).orderId ?? '';
      const transitionHash = block.transitionHashes[transitionIndex] ?? '';
      const event = { type, data, transitionIndex, transitionHash, block: { height } };
      events.set(id, [...(events.get(id) ?? []), event]);
    }
    for (const [key, text] of block.changes) {
      const id = /^order\/(.*)$/.exec(key)?.[1];
      if (id !== undefined && text !== null) see(JSON.parse(text) as Order, events.get(id) ?? []);
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

  test('differs from its record if a block of its events is left out', () => {
    const orders = new Map<string, [Order, OrderEvent[]]>();
    eachOrder('rules', (order, events) => orders.set(order.orderId, [order, events]));
    const hidden = new Set<string>();
    for (const [order, events] of orders.values()) {
      for (const height of new Set(events.map(({ block }) => block.height))) {
        const rest = events.filter(({ block }) => block.height !== height);
        if (unexplained(order, rest).length > 0) continue;
        for (const { type, block } of events) if (block.height === height) hidden.add(type);
      }
    }
    assert.deepEqual([...hidden], []);
  });
});
