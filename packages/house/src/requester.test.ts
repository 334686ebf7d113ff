import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { NetError } from '@netd/sdk';
import type { Content } from './content.ts';
import type { Member } from './member.ts';
import { Requester } from './requester.ts';

function requesterAt(
  t: TestContext,
  exists: (orderId: string, created: string[]) => boolean,
  isTaken: (orderId: string) => boolean = () => true,
) {
  const end = new AbortController();
  t.after(() => end.abort());
  const created: string[] = [];
  const said: string[] = [];
  const client = {
    network: async () => ({ chainId: 'c', genesisHash: '0'.repeat(64), height: 9 }),
    pages: async function* () {
      yield { orders: [] };
    },
    read: async (path: string, { orderId = '' }: { orderId?: string }) => {
      if (!path.includes('work-orders')) return { account: { balance: 1_000_000_000 } };
      if (exists(orderId, created)) return { order: { status: 'PAID', requesterId: 'other' } };
      const code = 'WORK_ORDER_NOT_FOUND';
      throw new NetError(404, {
        type: '',
        code,
        title: '',
        detail: '',
        status: 404,
        requestId: '',
      });
    },
  };
  const member = {
    actorId: 'house',
    house: {
      client,
      isOurs: () => false,
      tell: ({ text }: { text: string }) => said.push(text),
      signal: end.signal,
    },
    fund: async () => true,
    store: async () => '',
    actUnless: async (_: unknown, _action: unknown, { orderId }: { orderId: string }) => {
      created.push(orderId);
      return !isTaken(orderId);
    },
  } as unknown as Member;
  return { created, said, requester: new Requester(member, 1, 'echo', {} as Content) };
}

test('a node that denies every new order gets three of each kind, and then none for minutes', async (t) => {
  const { created, said, requester } = requesterAt(t, (id, orders) => orders.includes(id));
  // One kind at a time; the third needs a subject.
  for (let poll = 0; poll < 2; poll++) await requester.lookAgain();
  const kinds = created.map((orderId) => orderId.replace(/-1(?:-[0-9a-f-]{36})?$/, ''));
  assert.deepEqual(kinds, [
    ...Array<string>(3).fill('house-json-schema'),
    ...Array<string>(3).fill('house-chain-replay'),
  ]);
  await requester.lookAgain();
  assert.equal(created.length, 6);
  assert.match(said[0] ?? '', /says of 3 new json-schema orders that they exist already/);
});

test('a node that has every order pauses the kind', { timeout: 5_000 }, async (t) => {
  const { created, said, requester } = requesterAt(t, () => true);
  await requester.lookAgain();
  assert.deepEqual(created, []);
  assert.match(said[0] ?? '', /says of 1073741824 json-schema orders that they exist already/);
});

test('a stranger who has used the next numbers does not stop it', async (t) => {
  const isNumbered = (orderId: string): boolean => /-\d{1,10}$/.test(orderId);
  const isCreated = (orderId: string, orders: string[]): boolean => orders.includes(orderId);
  for (const seen of [isNumbered, isCreated]) {
    const { created, said, requester } = requesterAt(t, seen, isNumbered);
    await requester.lookAgain();
    assert.match(created[1] ?? '', /^house-json-schema-\d+-[0-9a-f-]{36}$/);
    assert.match(created[2] ?? '', /^house-chain-replay-\d+$/);
    assert.deepEqual(
      said.filter((text) => text.includes('exist already')),
      [],
    );
  }
});
