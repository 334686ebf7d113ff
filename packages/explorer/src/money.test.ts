import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ACCOUNTING_CLASSES } from '@netd/ledger';
import { parseGolden } from '@netd/ledger/testing';
import { sha256Hex } from '@netd/protocol';
import { MONEY_CLASSES } from './words/choices.ts';
import {
  moneyHistory,
  movesOf,
  type ClassesAt,
  type MoneyClass,
  type MoneyEvent,
} from './words/money.ts';

const { genesis, blocks } = parseGolden(
  readFileSync(new URL('../../../vectors/golden-chain/secure.jsonl', import.meta.url), 'utf8'),
);
const { disputeBond } = genesis.policy.work;
const events = blocks.flatMap(({ header: { height }, events: inIt }) =>
  inIt.map(({ type, data }): MoneyEvent => ({ height, type, data })),
);
const disputed = new Set(
  events.filter(({ type }) => type === 'DisputeOpened').map(({ data }) => data['orderId']),
);

/** Returns the dispute bond that the end of an order refunds; 0 if there was no dispute. */
const returned = ({ type, data }: MoneyEvent): number =>
  type === 'WorkOrderPaid' || type === 'WorkOrderRejected'
    ? Number(disputed.has(data['orderId'])) * disputeBond
    : 0;

function ofGenesis(): Record<MoneyClass, number> {
  const classes = Object.fromEntries(MONEY_CLASSES.map((name) => [name, 0])) as Record<
    MoneyClass,
    number
  >;
  for (const { accountId, balance } of genesis.accounts) {
    const name = MONEY_CLASSES.find((one) => accountId === `net:${one}`);
    classes[name ?? 'circulating'] += balance;
  }
  return classes;
}

/** Returns the amounts by executing all blocks from the first. */
function forwards(): ClassesAt[] {
  const classes = ofGenesis();
  return blocks.map(({ header, events: inIt }) => {
    for (const event of inIt as unknown as MoneyEvent[]) {
      for (const { from, to, amount } of movesOf(event.type, event.data, returned(event))) {
        classes[from] -= amount;
        classes[to] += amount;
      }
    }
    return { height: header.height, classes: { ...classes } };
  });
}

test('the classes of the page are those of the ledger', () => {
  assert.deepEqual([...MONEY_CLASSES].toSorted(), Object.keys(ACCOUNTING_CLASSES).toSorted());
});

test('the moves of the events match the changes of the ledger, block for block', () => {
  const balances = new Map(genesis.accounts.map(({ accountId, balance }) => [accountId, balance]));
  const drawn = new Map<string, number>();
  const of = (name: MoneyClass, id: string | undefined): string => id ?? `net:${name}`;
  let compared = 0;
  for (const [at, { classes }] of forwards().entries()) {
    const { changes, events: inIt, header } = blocks[at] ?? assert.fail();
    for (const event of inIt as unknown as MoneyEvent[]) {
      for (const move of movesOf(event.type, event.data, returned(event))) {
        const [from, to] = [of(move.from, move.fromId), of(move.to, move.toId)];
        balances.set(from, (balances.get(from) ?? 0) - move.amount);
        balances.set(to, (balances.get(to) ?? 0) + move.amount);
        if (event.type === 'FaucetPaid') drawn.set(to, (drawn.get(to) ?? 0) + move.amount);
      }
    }
    for (const [key, hash] of Object.entries(changes)) {
      const [collection, id = ''] = key.split('/');
      const told =
        collection === 'supply'
          ? String(classes[id as MoneyClass])
          : `{"accountId":"${id}","balance":${balances.get(id) ?? 0},"faucetReceived":${drawn.get(id) ?? 0}}`;
      if (collection !== 'supply' && collection !== 'account') continue;
      assert.equal(sha256Hex(told), hash, `${key} behind block ${header.height}: ${told}`);
      compared++;
    }
  }
  assert.ok(compared > 300, `${compared} compared`);
});

test('counted back from now, the classes come to those of genesis', () => {
  const all = forwards();
  const now = all.at(-1) ?? assert.fail();
  const newestFirst = events.toReversed();
  const given = { disputeBond, known: new Map<string, boolean>(), isWhole: true };
  const { points, unknown } = moneyHistory(now, newestFirst, given);
  assert.deepEqual(unknown, []);
  assert.deepEqual(points[0], { height: 0, classes: ofGenesis() });
  assert.ok(points.length > 50, `${points.length} points`);
  for (const { height, classes } of points) assert.deepEqual(classes, all[height]?.classes);
});

test('a split takes the missing part of a bond from the worker’s half', () => {
  const split = { forfeited: 2, orderId: 'o', paid: 3, requesterId: 'r', workerId: 'w' };
  assert.deepEqual(movesOf('WorkOrderSplit', split), [
    { from: 'escrow', to: 'circulating', amount: 3, toId: 'w' },
    { from: 'escrow', to: 'bonds', amount: 2 },
  ]);
});

test('wherever one stops reading, nothing is guessed that only earlier events say', () => {
  const all = forwards();
  const now = all.at(-1) ?? assert.fail();
  const newestFirst = events.toReversed();
  for (let read = 1; read <= newestFirst.length; read++) {
    const some = newestFirst.slice(0, read);
    const of = (known: ReadonlyMap<string, boolean>) =>
      moneyHistory(now, some, { disputeBond, known, isWhole: false });
    const first = of(new Map());
    const second = of(new Map(first.unknown.map((id) => [id, disputed.has(id)])));
    assert.deepEqual(second.unknown, []);
    for (const { points } of [first, second]) {
      for (const { height, classes } of points) assert.deepEqual(classes, all[height]?.classes);
    }
  }
  const few: MoneyEvent[] = [
    {
      height: 5,
      type: 'WorkOrderPaid',
      data: { orderId: 'o', workerId: 'w', paid: 7, shares: [] },
    },
    { height: 4, type: 'FaucetPaid', data: { actorId: 'w', amount: 1 } },
  ];
  const heights = (known: ReadonlyMap<string, boolean>): number[] =>
    moneyHistory(now, few, { disputeBond, known, isWhole: false }).points.map((one) => one.height);
  assert.deepEqual(heights(new Map()), [5, now.height]);
  assert.deepEqual(heights(new Map([['o', true]])), [4, 5, now.height]);
});
