/** The verified reader accepts answers of a real node, and refuses altered ones. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Answer, type TamperingProxy } from '@netd/testkit/tampering-proxy';
import { hashValue, type Receipt } from '@netd/protocol';
import { AgentKey } from './agent-key.ts';
import { NetClient, type Actor } from './client.ts';
import { startLyingNode } from './testing/lying-node.ts';
import { VerificationError, VerifiedReader, type Anchor } from './verified-reader.ts';

const OTHER = 'ab'.repeat(32);
let accepted: string;
let proxy: TamperingProxy;
let client: NetClient;
let anchor: Anchor;
let receipt: Receipt;
let operator: Actor;
let stop: () => Promise<void>;

before(async () => {
  const node = await startLyingNode();
  ({ orderId: accepted, proxy, client, operator, registered: receipt, stop } = node);
  anchor = { genesisHash: node.genesisHash };
});
after(() => stop());

const honest = (): VerifiedReader => new VerifiedReader(client, anchor);

type Edit = (document: never) => unknown;
/** A reader of the node whose documents of one path are changed on the way. */
function lied(start: string, edit: Edit): VerifiedReader {
  proxy.tamper = (path, document) => (path.startsWith(start) ? edit(document as never) : document);
  return new VerifiedReader(new NetClient({ url: proxy.url }), anchor);
}

const refused = (reading: Promise<unknown>, reason: RegExp) =>
  assert.rejects(reading, (error: unknown) => {
    assert.ok(error instanceof VerificationError, String(error));
    assert.match(error.message, reason);
    return true;
  });

describe('the anchor', () => {
  test('makes a verdict trusted, by genesis or by the validator set', async () => {
    const { validatorSetHash } = await client.read('/v1/consensus/validator-set');
    for (const known of [anchor, { validatorSetHash }]) {
      const { verdict } = await new VerifiedReader(client, known).readState('agent/alice');
      assert.equal(verdict, 'trusted');
    }
  });

  test('left out, nothing is more than self-consistent', async () => {
    const reader = new VerifiedReader(client);
    assert.equal((await reader.readState('agent/alice')).verdict, 'self-consistent');
    assert.equal((await reader.readTransition(receipt.transitionHash)).verdict, 'self-consistent');
    assert.equal((await reader.readWorkAudit(accepted)).verdict, 'self-consistent');
  });

  test('of another chain is refused', async () => {
    const otherGenesis = new VerifiedReader(client, { genesisHash: OTHER });
    await refused(otherGenesis.readState('agent/alice'), /genesis of the node is not the trusted/);
    const otherSet = new VerifiedReader(client, { validatorSetHash: OTHER });
    await refused(otherSet.readState('agent/alice'), /validator set is not the trusted one/);
  });

  test('is fetched again if the first time failed', async () => {
    let broken = true;
    const reader = lied('/v1/genesis', (document) => (broken ? {} : document));
    await refused(reader.readState('agent/alice'), /not the trusted one/);
    broken = false;
    assert.equal((await reader.readState('agent/alice')).verdict, 'trusted');
  });
});

describe('a state value', () => {
  test('is there, or proven not to be', async () => {
    const { value, present, height } = await honest().readState('agent/alice');
    assert.equal((value as Record<string, unknown>)['description'], 'reads papers');
    assert.ok(present && height >= receipt.height);
    for (const key of ['agent/nobody', 'agent/__proto__']) {
      const absent = await honest().readState(key);
      assert.deepEqual([absent.value, absent.present, absent.verdict], [null, false, 'trusted']);
    }
  });

  const lies: [lie: string, edit: Edit, reason: RegExp][] = [
    [
      'another value',
      (proof: { value: object }) => ({ ...proof, value: { ...proof.value, status: 'retired' } }),
      /path does not lead to the root/,
    ],
    [
      'absence of what is there',
      (proof: object) => ({ ...proof, leaf: { kind: 'empty' }, value: null }),
      /path does not lead to the root/,
    ],
    ['another key', (proof: object) => ({ ...proof, key: 'agent/bob' }), /for another key/],
    ['another height', (proof: object) => ({ ...proof, height: 1e6 }), /for another height/],
    [
      'an uncertified root',
      (proof: { certificate: object }) => ({
        ...proof,
        certificate: { ...proof.certificate, stateRoot: OTHER },
      }),
      /certificate fails: certificateHash is wrong/,
    ],
    [
      'a certificate without votes',
      (proof: { certificate: object }) => ({
        ...proof,
        certificate: { ...proof.certificate, votes: [], votingPower: 0 },
      }),
      /below the quorum/,
    ],
    ['no proof', () => ({}), /for another key/],
    ['nothing', () => [], /another key/],
    ['a proof without siblings', (proof: object) => ({ ...proof, siblings: null }), /shape/],
  ];
  for (const [lie, edit, reason] of lies) {
    test(`that is ${lie} is refused`, async () => {
      await refused(lied('/v1/state/proof', edit).readState('agent/alice'), reason);
    });
  }
});

describe('what was certified in its time', () => {
  /** A reader of a node that goes on telling what it told first. */
  const stuck = (): VerifiedReader => {
    const told = new Map<string, unknown>();
    return lied('/v1/state/proof', (document) => {
      const { key } = document as { key: string };
      if (!told.has(key)) told.set(key, document);
      return told.get(key);
    });
  };
  const moveOn = async (): Promise<number> => {
    return (await client.act(operator, 'transfer', { to: 'alice', amount: 1 })).height;
  };

  test('is refused if the reader has seen a later state', async () => {
    const reader = stuck();
    const { height } = await reader.readState('agent/alice');
    await reader.readState('agent/alice');
    await moveOn();
    assert.ok((await reader.readState('account/alice')).height > height);
    await refused(reader.readState('agent/alice'), /of height \d+, there has been one of/);
  });

  test('is refused if the reader has seen a later transition', async () => {
    const reader = stuck();
    await reader.readState('agent/alice');
    const { transitionHash } = await client.act(operator, 'transfer', { to: 'alice', amount: 1 });
    await reader.readTransition(transitionHash);
    await refused(reader.readState('agent/alice'), /there has been one of/);
  });

  test('of two reads at once, the older answer is taken', async () => {
    const reader = honest();
    const first = reader.readState('agent/alice');
    await moveOn();
    await Promise.all([first, reader.readState('account/alice'), reader.readState('agent/alice')]);
  });

  test('is refused below the height that the caller knows', async () => {
    const reader = stuck();
    await reader.readState('agent/alice');
    const minHeight = await moveOn();
    assert.ok((await honest().readState('agent/alice', { minHeight })).height >= minHeight);
    await refused(reader.readState('agent/alice', { minHeight }), /there has been one of/);
  });

  test('is refused if it is older than the caller allows', async () => {
    const reader = stuck();
    await reader.readState('agent/alice', { maxAge: 3_600_000 });
    const asked = Date.now();
    while (Date.now() <= asked + 1) await new Promise((resolve) => setImmediate(resolve));
    await refused(reader.readState('agent/alice', { maxAge: 1 }), /\d+ ms old, 1 ms are asked/);
    const lying = (edit: (header: object) => object[]) =>
      lied('/v1/blocks?', (list: { blocks: [object] }) => ({
        ...list,
        blocks: edit(list.blocks[0]),
      }));
    const newer = lying((header) => [{ ...header, timestamp: new Date().toISOString() }]);
    await refused(newer.readState('agent/alice', { maxAge: 1 }), /not that of the certified block/);
    await refused(newer.readHead(), /not that of the certified block/);
    await refused(lying(() => []).readHead(), /lacks a certified block/);
  });

  test('has a header that tells its time without the whole block', async () => {
    const asked: string[] = [];
    const reader = lied('/', (document) => document);
    const { tamper } = proxy;
    proxy.tamper = (path, document) => {
      asked.push(path);
      return tamper(path, document);
    };
    const { header, verdict } = await reader.readHead();
    assert.equal(verdict, 'trusted');
    assert.equal(header.height, reader.height);
    assert.deepEqual(header, (await honest().readBlock(header.height)).header);
    assert.ok(!asked.some((path) => path.startsWith('/v1/blocks/')), asked.join());
  });

  test('is refused if the events of an order are later', async () => {
    await client.act(operator, 'createWorkOrder', {
      orderId: 'order-late',
      title: 'Read a paper',
      scopeHash: OTHER,
      jobType: 'reading',
      requirements: ['read'],
      funding: 1_000_000,
    });
    const old = await client.read('/v1/state/proof', { key: 'order/order-late' });
    await client.act(operator, 'cancelWorkOrder', { orderId: 'order-late' });
    const reader = lied('/v1/state/proof', () => old);
    await refused(reader.readWorkAudit('order-late'), /there has been one of/);
    const { order } = await honest().readWorkAudit('order-late');
    assert.notEqual((order as Record<string, unknown>)['status'], 'OPEN');
  });
});

describe('a transition', () => {
  test('is in its block, with the events it caused', async () => {
    const { envelope, receipt: proven } = await honest().readTransition(receipt.transitionHash);
    assert.equal(envelope['actorId'], 'alice');
    assert.deepEqual(proven, receipt);
    await assert.rejects(honest().readTransition(OTHER), { code: 'TRANSITION_NOT_FOUND' });
  });

  const lies: [lie: string, path: string, edit: Edit, reason: RegExp][] = [
    [
      'another envelope',
      '/v1/transitions/',
      (document: { envelope: object }) => ({
        ...document,
        envelope: { ...document.envelope, description: 'x' },
      }),
      /another hash/,
    ],
    [
      'another place in the block',
      '/v1/transitions/',
      (document: { proof: object }) => ({ ...document, proof: { ...document.proof, index: 1 } }),
      /inclusion proof/,
    ],
    [
      'an event less in the receipt',
      '/v1/transitions/',
      (document: { receipt: object }) => ({
        ...document,
        receipt: { ...document.receipt, events: [] },
      }),
      /receipt says something else/,
    ],
    [
      'an event less in the block',
      '/v1/blocks/',
      (block: object) => ({ ...block, events: [] }),
      /events are not those of the block/,
    ],
    [
      'another header',
      '/v1/blocks/',
      (block: { header: object }) => ({ ...block, header: { ...block.header, proposerId: 'me' } }),
      /not that of the certified block/,
    ],
    ['no receipt', '/v1/transitions/', () => ({}), /shape/],
  ];
  for (const [lie, path, edit, reason] of lies) {
    test(`with ${lie} is refused`, async () => {
      await refused(lied(path, edit).readTransition(receipt.transitionHash), reason);
    });
  }
});

describe('the audit of a work order', () => {
  test('holds proven events, and the order as it stands', async () => {
    const { events, order, verdict } = await honest().readWorkAudit(accepted);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['WorkOrderCreated', 'WorkAccepted'],
    );
    assert.equal((order as Record<string, unknown>)['status'], 'ACCEPTED');
    assert.equal(verdict, 'trusted');
    await assert.rejects(honest().readWorkAudit('order-2'), { code: 'WORK_ORDER_NOT_FOUND' });
  });

  type Audit = Awaited<ReturnType<typeof auditOf>>;
  const auditOf = () => client.read('/v1/work-orders/{orderId}/audit', { orderId: accepted });
  /** Changes the timeline and makes the fingerprint fit, as a liar would. */
  const retold =
    (edit: (events: Audit['timeline']['events']) => unknown): Edit =>
    ({ reportHash: _, ...audit }: Audit) => {
      const told = {
        ...audit,
        timeline: { ...audit.timeline, events: edit(audit.timeline.events) },
      };
      return { ...told, reportHash: hashValue(told) };
    };
  const lies: [lie: string, edit: Edit, reason: RegExp][] = [
    ['a fingerprint of something else', (audit: object) => ({ ...audit, height: 0 }), /reportHash/],
    ['no events', retold(() => []), /no event/],
    ['events in another order', retold((events) => events.toReversed()), /not in order/],
    ['an event twice', retold(([first]) => [first, first]), /stands twice/],
    [
      'another outcome',
      retold(([first, second]) => [
        first,
        { ...second, data: { ...second?.data, workerId: 'bob' } },
      ]),
      /does not lead to the eventsRoot/,
    ],
    [
      'an event of another order',
      retold(([first]) => [{ ...first, data: { orderId: 'order-2' } }]),
      /of another order/,
    ],
    [
      'another time',
      retold(([first]) => [
        { ...first, block: { ...first?.block, timestamp: '2001-01-01T00:00:00.000Z' } },
      ]),
      /not its own/,
    ],
    [
      'another cause',
      retold(([first]) => [{ ...first, transitionHash: OTHER }]),
      /did not cause it/,
    ],
    ['no places', retold(([first]) => [{ ...first, block: null }]), /shape/],
  ];
  for (const [lie, edit, reason] of lies) {
    test(`with ${lie} is refused`, async () => {
      await refused(lied('/v1/work-orders/', edit).readWorkAudit(accepted), reason);
    });
  }

  test('cut within its last block is refused, even if it says that there is more', async () => {
    const bob: Actor = { actorId: 'bob', key: await AgentKey.generate() };
    await client.register(bob);
    const orderId = 'order-cut';
    const terms = {
      title: 'Count words',
      scopeHash: OTHER,
      jobType: 'reading',
      jury: 'none',
    } as const;
    await client.act(operator, 'createWorkOrder', { orderId, ...terms, funding: 1_000 });
    await client.act(bob, 'acceptWork', { orderId, agentId: 'bob' });
    // The delivery and the end of the wait for a jury are in one block.
    await client.act(bob, 'submitWorkResult', { orderId, agentId: 'bob', deliverableHash: OTHER });
    const cut = ({ reportHash: _, ...audit }: Audit) => {
      const { timeline } = audit;
      const told = {
        ...audit,
        timeline: { ...timeline, events: timeline.events.slice(0, -1), truncated: true },
      };
      return { ...told, reportHash: hashValue(told) };
    };
    await refused(lied('/v1/work-orders/', cut).readWorkAudit(orderId), /left out/);
  });

  test('with one event told twice, the other time of another tree size, is refused', async () => {
    // The last of three events has the same path as the last of two.
    const third = async (round: number): Promise<string> => {
      const ids = [0, 1, 2].map((i) => `third-${round}-${i}`);
      const create = (orderId: string): Promise<Receipt> =>
        client.act(operator, 'createWorkOrder', {
          orderId,
          title: 'Read a paper',
          scopeHash: OTHER,
          jobType: 'reading',
          requirements: ['read'],
          funding: 1_000,
        });
      await Promise.all(ids.map(create));
      for (const orderId of ids) {
        const { timeline } = await client.read('/v1/work-orders/{orderId}/audit', { orderId });
        const proof = timeline.events[0]?.proof;
        if (proof?.index === 2 && proof.treeSize === 3) return orderId;
      }
      return third(round + 1);
    };
    const orderId = await third(0);
    const edit = retold(([event]) => [
      {
        ...event,
        id: `${event?.block.height}.1`,
        proof: { ...event?.proof, index: 1, treeSize: 2 },
      },
      event,
    ]);
    await refused(lied('/v1/work-orders/', edit).readWorkAudit(orderId), /stands twice/);
    const smaller = retold(([event]) => [{ ...event, proof: { ...event?.proof, treeSize: 4 } }]);
    await refused(
      lied('/v1/work-orders/', smaller).readWorkAudit(orderId),
      /does not lead to the eventsRoot/,
    );
  });
});

describe('a block', () => {
  const of = (edit: Edit) => lied('/v1/blocks/', edit).readBlock(receipt.height);

  test('comes with all its transitions and events, and no other', async () => {
    const { header, certificate, transitions, events, verdict } = await honest().readBlock(
      receipt.height,
    );
    assert.equal(header.height, receipt.height);
    assert.equal(certificate.certificateHash, receipt.certificateHash);
    assert.ok(transitions.includes(receipt.transitionHash));
    assert.ok(events.some(({ id }) => id === receipt.events[0]?.id));
    assert.equal(verdict, 'trusted');
    assert.equal((await honest().readBlock(0)).header.height, 0);
  });

  test('of another height, with another header or certificate is refused', async () => {
    const other = await client.read('/v1/blocks/{height}', { height: receipt.height - 1 });
    await refused(
      of(() => other),
      /another height/,
    );
    await refused(
      of((block: { header: object }) => ({
        ...block,
        header: { ...block.header, stateRoot: OTHER },
      })),
      /not that of the certified block/,
    );
    await refused(
      of((block: object) => ({ ...block, certificate: other.certificate })),
      /not that of the certified block/,
    );
  });

  test('with a transition or an event more, less or changed is refused', async () => {
    type Block = { transitions: { envelope: object }[]; events: { data: object }[] };
    await refused(
      of((block: Block) => ({ ...block, transitions: [] })),
      /transitions are not/,
    );
    await refused(
      of((block: Block) => ({
        ...block,
        transitions: block.transitions.map((one) => ({
          ...one,
          envelope: { ...one.envelope, nonce: 'x' },
        })),
      })),
      /transitions are not/,
    );
    await refused(
      of((block: Block) => ({ ...block, events: [] })),
      /events are not/,
    );
    await refused(
      of((block: Block) => ({
        ...block,
        events: block.events.map((one) => ({ ...one, data: { ...one.data, agentId: 'eve' } })),
      })),
      /events are not/,
    );
  });
});

describe('several blocks', () => {
  let heights: number[];
  const asked: string[] = [];

  /** Blocks of as many heights as no single request per block could read within twenty. */
  before(async () => {
    heights = [];
    while (heights.length < 40) {
      heights.push((await client.act(operator, 'transfer', { to: 'alice', amount: 1 })).height);
    }
  });

  type Blocks = { blocks: { header: { height: number } }[] };
  const of = (edit: (document: Blocks) => unknown) =>
    lied('/v1/blocks/whole', edit).readBlocks(heights);

  /** A reader that writes down its requests. */
  function counted(answer: (path: string, document: object) => unknown = (_, same) => same) {
    asked.length = 0;
    proxy.tamper = (path, document) => {
      asked.push(path);
      return answer(path, document);
    };
    return new VerifiedReader(new NetClient({ url: proxy.url }), anchor);
  }

  test('come in the order of the request, each once, as if they were read alone', async () => {
    const [last = 0, ...others] = heights.toReversed();
    const found = await counted().readBlocks([last, ...others, last, 0]);
    assert.deepEqual(
      found.map(({ header }) => header.height),
      [last, ...others, 0],
    );
    assert.deepEqual(found[0], await honest().readBlock(last));
    assert.equal(asked.length, 2, asked.join());
    assert.deepEqual(await honest().readBlocks([]), []);
  });

  test('are asked for again from the first missing one on', async () => {
    const found = await counted((path, document) =>
      path.startsWith('/v1/blocks/whole')
        ? { ...document, blocks: (document as Blocks).blocks.slice(0, 9) }
        : document,
    ).readBlocks(heights);
    assert.equal(found.length, heights.length);
    assert.equal(asked.length, 1 + Math.ceil(heights.length / 9), asked.join());
  });

  test('are read one at a time from a node that does not know them', async () => {
    for (const [status, document] of [
      [400, { code: 'PARAMETER_INVALID', detail: '/height must be integer', errors: [] }],
      [404, { code: 'ROUTE_NOT_FOUND', detail: 'see /openapi.json', errors: [] }],
      [404, 'no such page'],
    ] as const) {
      const reader = counted((path, same) =>
        path.startsWith('/v1/blocks/whole') ? new Answer(status, document) : same,
      );
      const found = await reader.readBlocks(heights.slice(0, 3));
      assert.equal(found.length, 3);
      await reader.readBlocks(heights.slice(0, 2));
      // Once is enough to know that the node is too old.
      assert.equal(asked.filter((path) => path.includes('whole')).length, 1);
    }
  });

  test('that the node does not have, or does not give, are refusals and no lies', async () => {
    await assert.rejects(counted().readBlocks([1, 1_000_000]), { code: 'BLOCK_NOT_FOUND' });
    // The node is not taken for an old one, which would be asked for block 1 alone.
    assert.deepEqual(asked, ['/v1/genesis']);
    const reader = counted((path, same) =>
      path.startsWith('/v1/blocks/whole') ? new Answer(503, { code: 'HISTORY_NOT_HELD' }) : same,
    );
    await assert.rejects(reader.readBlocks(heights), { status: 503 });
    assert.equal(asked.length, 2, asked.join());
  });

  for (const [lie, edit, reason] of [
    ['none', () => ({ blocks: [] }), /no blocks/],
    ['no list', () => ({}), /no blocks/],
    ['no block', () => ({ blocks: [null] }), /no blocks/],
    [
      'more than asked for',
      ({ blocks }: Blocks) => ({ blocks: [...blocks, blocks[0]] }),
      /more than asked for/,
    ],
    [
      'one twice',
      ({ blocks }: Blocks) => ({ blocks: [blocks[0], ...blocks.slice(0, -1)] }),
      /another height/,
    ],
    ['a gap', ({ blocks }: Blocks) => ({ blocks: blocks.toSpliced(5, 1) }), /another height/],
    ['another order', ({ blocks }: Blocks) => ({ blocks: blocks.toReversed() }), /another height/],
    [
      'one under the height of another',
      ({ blocks: [first, second, ...rest] }: Blocks) => ({
        blocks: [
          first,
          { ...first, header: { ...first?.header, height: second?.header.height } },
          ...rest,
        ],
      }),
      /not that of the certified block/,
    ],
  ] as const) {
    test(`of which a node gives ${lie} are refused`, async () => {
      await refused(of(edit), reason);
    });
  }

  test('prove an order of many blocks with as many requests as one of two', async () => {
    const orderId = 'handed-round';
    await client.act(operator, 'createWorkOrder', {
      orderId,
      title: 'Read a paper',
      scopeHash: OTHER,
      jobType: 'reading',
      requirements: ['read'],
      funding: 1_000_000,
      jury: 'none',
    });
    for (let at = 0; at < 8; at++) {
      const agent = { actorId: `hand-${at}`, key: await AgentKey.generate() };
      await client.register(agent, { description: 'gives it back' });
      await client.act(agent, 'acceptWork', { orderId, agentId: agent.actorId });
      await client.act(agent, 'releaseWork', { orderId });
    }
    await counted().readWorkAudit(accepted);
    const few = asked.length;
    const { events } = await counted().readWorkAudit(orderId);
    const { size } = new Set(events.map(({ block }) => block.height));
    assert.deepEqual([size, asked.length], [17, few], asked.join());
    assert.ok(few < 20);
  });
});
