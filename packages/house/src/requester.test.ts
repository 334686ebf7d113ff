import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { workScope } from '@netd/formats';
import { sha256Hex, utf8Bytes, type JsonObject } from '@netd/protocol';
import { NetError } from '@netd/sdk';
import type { Content } from './content.ts';
import { findingsOf, type Delivered } from './findings.ts';
import type { Member } from './member.ts';
import { Requester } from './requester.ts';

function requesterAt(
  t: TestContext,
  exists: (orderId: string, created: string[]) => boolean,
  isTaken: (orderId: string) => boolean = () => true,
  { version = 2, content = {} }: { version?: number; content?: object } = {},
) {
  const end = new AbortController();
  t.after(() => end.abort());
  const created: string[] = [];
  const declared: string[] = [];
  const said: string[] = [];
  const client = {
    network: async () => ({
      chainId: 'c',
      genesisHash: '0'.repeat(64),
      height: 9,
      rules: { version },
    }),
    pages: async function* () {
      yield { orders: [] };
    },
    read: async (path: string, { orderId = '' }: { orderId?: string }) => {
      if (!path.includes('work-orders'))
        return { account: { balance: 1_000_000_000 }, beacons: [] };
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
    actUnless: async (_: unknown, _action: unknown, payload: JsonObject) => {
      const { orderId, conditionKinds = [] } = payload as {
        orderId: string;
        conditionKinds?: string[];
      };
      created.push(orderId);
      declared.push(...conditionKinds);
      return !isTaken(orderId);
    },
  } as unknown as Member;
  return {
    created,
    declared,
    said,
    requester: new Requester(member, 1, 'echo', content as Content),
  };
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

test('an order declares the kinds of its conditions, unless they include a question, or the chain lacks them', async (t) => {
  const created: Record<number, string[]> = {};
  for (const version of [1, 2]) {
    const free = () => false;
    const content = { metadataOf: async () => null };
    const house = requesterAt(t, free, free, { version, content });
    await house.requester.lookAgain();
    created[version] = house.declared;
    assert.equal(house.created.length, 3);
  }
  assert.deepEqual(created, { 1: [], 2: ['json-schema', 'chain-replay'] });
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

describe('a delivery that no jury judged', () => {
  const scope = workScope.make({
    schema: 'NET-WORK-SCOPE/1',
    title: 'A number',
    instructions: 'Any.',
    inputs: [],
    deliverable: { mediaType: 'application/json', maxBytes: 100 },
    acceptance: [{ kind: 'json-schema', schema: { type: 'number' } }],
  });

  /** @returns the disputes of a requester that sees an order of 5 unet with this delivery */
  async function disputesOf(
    text: string,
    { phase = 'UNJUDGED', isRich = true }: { phase?: string; isRich?: boolean } = {},
  ): Promise<JsonObject[]> {
    const deliverable = utf8Bytes(text);
    const blobs = new Map([
      [sha256Hex(deliverable), deliverable],
      [scope.hash, scope.bytes],
    ]);
    const order = {
      orderId: 'house-json-schema-1',
      phase,
      requesterId: 'house',
      workerId: 'walt',
      rulesVersion: 2,
      funding: 5,
      scopeHash: scope.hash,
      result: { deliverableHash: sha256Hex(deliverable) },
    };
    const disputes: JsonObject[] = [];
    const member = {
      actorId: 'house',
      house: {
        client: { read: async () => ({ order, account: { balance: 3 } }) },
        isOurs: () => true,
        judging: { findings: (given: Delivered) => findingsOf(given, async () => null, 10_000) },
      },
      fund: async (balance: number, least: number) => isRich && balance >= least,
      storeIfPossible: async () => {},
      actUnless: async (_: unknown, action: string, payload: JsonObject) =>
        void disputes.push({ action, ...payload }),
    } as unknown as Member;
    const content = {
      find: async (hash: string) => blobs.get(hash) ?? 'absent',
      namedBy: async () => ({ origins: [], certain: true }),
    } as unknown as Content;
    await new Requester(member, 5, 'echo', content).disputeGarbage(order.orderId);
    return disputes;
  }

  test('is disputed with half the funding if it fails a condition', async () => {
    const [dispute, ...more] = await disputesOf('"garbage"');
    const { action, bond } = dispute ?? {};
    assert.deepEqual([action, bond, more], ['openDispute', 3, []]);
  });
  test('is left alone if it is good, or if the order has moved on', async () => {
    assert.deepEqual(await disputesOf('7'), []);
    assert.deepEqual(await disputesOf('"garbage"', { phase: 'CONTESTED' }), []);
  });
  test('is not disputed beyond the balance', async () => {
    await assert.rejects(disputesOf('"garbage"', { isRich: false }), /bond of 3 unet/);
  });
});
