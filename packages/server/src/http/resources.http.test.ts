/** Messages, memory and tokens over HTTP: lists by index, and paths that take only their own intents. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  acknowledgementOf,
  attestationOf,
  checkpointOf,
  handoverOf,
  hashOf,
  messageOf,
  offerOf,
  tokenOf,
  TOKEN_ACTIONS,
} from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { becomeProvider } from '@netd/testkit/runtime-provider';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  for (const name of ['alice', 'bob', 'carol']) await node.join(name);
});
after(() => node.stop());

const listed = async (path: string, member: string): Promise<JsonObject[]> =>
  (await node.document(path))[member] as JsonObject[];

describe('GET /v1/agent-messages', () => {
  const ids = async (query = ''): Promise<unknown[]> =>
    (await listed(`/v1/agent-messages${query}`, 'messages')).map((message) => message['messageId']);
  before(async () => {
    const send = async (
      messageId: string,
      from: string,
      to: string,
      members: JsonObject = {},
    ): Promise<void> => {
      const payload = messageOf(node, from, to, { messageId, ...members });
      await node.act(from, 'sendAgentMessage', payload);
    };
    await send('m-1', 'alice', 'bob');
    await send('m-2', 'bob', 'alice', { replyTo: 'm-1' });
    await send('m-3', 'alice', 'carol', { conversationId: `c${'-'.repeat(127)}` });
    await send('m-4', 'carol', 'bob', { conversationId: 'c-3' });
    await node.act('bob', 'acknowledgeAgentMessage', acknowledgementOf('bob', 'm-1'));
    const rejection = acknowledgementOf('carol', 'm-3', 'REJECTED');
    await node.act('carol', 'acknowledgeAgentMessage', rejection);
  });
  for (const [query, expected] of [
    ['', ['m-4', 'm-3', 'm-2', 'm-1']],
    ['?agentId=alice', ['m-3', 'm-2', 'm-1']],
    ['?agentId=carol', ['m-4', 'm-3']],
    ['?agentId=nobody', []],
    ['?conversationId=c-1', ['m-2', 'm-1']],
    [`?conversationId=c${'-'.repeat(127)}`, ['m-3']],
    ['?conversationId=none', []],
    ['?status=PENDING', ['m-4', 'm-2']],
    ['?status=DELIVERED', ['m-1']],
    ['?status=REJECTED', ['m-3']],
    ['?agentId=bob&status=PENDING', ['m-4', 'm-2']],
    ['?agentId=carol&status=DELIVERED', []],
    ['?conversationId=c-1&status=PENDING', ['m-2']],
    ['?conversationId=c-1&agentId=carol', []],
    ['?conversationId=c-3&agentId=carol&status=PENDING', ['m-4']],
  ] as const) {
    test(`with ${query || 'no filter'} lists ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await ids(query), expected);
    });
  }
  test('lists the commitment as signed, with its status, and no body', async () => {
    const [message] = await listed('/v1/agent-messages?status=DELIVERED', 'messages');
    assert.ok(message);
    const { status, expired, sentAt, transitionHash, acknowledgement, times, ...signed } = message;
    assert.deepEqual([status, expired], ['DELIVERED', false]);
    const { receiptHash } = acknowledgement as JsonObject;
    assert.equal(receiptHash, 'ef'.repeat(32));
    const found = await node.document(`/v1/transitions/${transitionHash as string}`);
    assert.deepEqual(((found['envelope'] as JsonObject)['payload'] as JsonObject) ?? {}, signed);
    assert.deepEqual(Object.keys(sentAt as JsonObject), ['height', 'index']);
    assert.deepEqual(Object.keys(times as JsonObject), ['acknowledgement.at', 'sentAt']);
  });
  test('comes in pages that lose nothing', async () => {
    const all: unknown[] = [];
    for (let cursor: unknown = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor as string}`;
      const page: JsonObject = await node.document(
        `/v1/agent-messages?agentId=bob&limit=1${query}`,
      );
      all.push(...(page['messages'] as JsonObject[]).map((message) => message['messageId']));
      cursor = page['nextCursor'];
    }
    assert.deepEqual(all, ['m-4', 'm-2', 'm-1']);
  });
  test('refuses a status there is not', async () => {
    for (const status of ['pending', 'EXPIRED', '']) {
      const answer = await node.get(`/v1/agent-messages?status=${status}`);
      assertProblem(answer, 400, 'PARAMETER_INVALID');
    }
  });
  test('says which have expired unanswered, apart from those that were answered', async () => {
    const expiresAtHeight = node.height + 2;
    const short = messageOf(node, 'alice', 'bob', {
      conversationId: 'c-short',
      messageId: 'm-short',
      sequence: 1,
      expiresAtHeight,
    });
    await node.act('alice', 'sendAgentMessage', short);
    const of = async (query: string): Promise<unknown[]> =>
      (await listed(`/v1/agent-messages?conversationId=c-short${query}`, 'messages')).map(
        ({ messageId, status, expired }) => [messageId, status, expired],
      );
    assert.deepEqual(await of(''), [['m-short', 'PENDING', false]]);
    assert.deepEqual(await of('&expired=true'), []);
    while (node.height < expiresAtHeight) await node.join(`passer-by-${node.height}`);
    assert.deepEqual(await of(''), [['m-short', 'PENDING', true]]);
    assert.deepEqual(await of('&status=PENDING&expired=false'), []);
    assert.deepEqual(await of('&status=DELIVERED'), []);
    const late = acknowledgementOf('bob', 'm-short');
    const intent = node.intent('bob', 'acknowledgeAgentMessage', late);
    assertProblem(await node.post('/v1/intents', intent), 409, 'MESSAGE_EXPIRED');
    assertProblem(await node.get('/v1/agent-messages?expired=yes'), 400, 'PARAMETER_INVALID');
  });
});

describe('memory', () => {
  let operator = '';
  before(async () => {
    operator = await becomeProvider(node);
  });

  test('checkpoints and handovers go their way, through the paths of their own', async () => {
    for (const generation of [1, 2]) {
      const checkpoint = checkpointOf('alice', generation);
      const answer = await node.post(
        '/v1/memory/checkpoints',
        node.intent('alice', 'commitMemoryCheckpoint', checkpoint),
      );
      assert.equal(answer.status, 201, answer.text);
      const { receipt, links, ...facts } = answer.body;
      assert.deepEqual(facts, {
        schema: 'NET-CHECKPOINT-COMMITTED/1',
        chainId: node.chainId,
        status: 'committed',
        agentId: 'alice',
        checkpointId: `alice-${generation}`,
        generation,
        checkpointHash: hashOf(generation),
      });
      assert.equal((receipt as JsonObject)['height'], node.height);
      for (const link of Object.values(links as JsonObject)) await node.document(link as string);
    }
    const first = checkpointOf('bob', 1);
    await node.act('bob', 'commitMemoryCheckpoint', first);
    const generations = async (query: string): Promise<unknown[]> =>
      (await listed(`/v1/memory/checkpoints${query}`, 'checkpoints')).map(
        ({ agentId, generation }) => `${agentId as string} ${generation as number}`,
      );
    assert.deepEqual(await generations(''), ['bob 1', 'alice 2', 'alice 1']);
    assert.deepEqual(await generations('?agentId=alice'), ['alice 2', 'alice 1']);
    assert.deepEqual(await generations('?agentId=nobody'), []);
    const [latest] = await listed('/v1/memory/checkpoints?limit=1', 'checkpoints');
    const { committedAt, transitionHash, times, ...signed } = latest ?? {};
    assert.deepEqual(signed, first);
    assert.ok(committedAt && transitionHash && times);

    const offer = offerOf(node, operator, 'runtime-1');
    await node.act(operator, 'registerRuntimeOffer', offer);
    const handover = handoverOf(node, 'alice', 'h-1', {
      checkpointHash: hashOf(2),
      targetProviderId: operator,
    });
    const answer = await node.post(
      '/v1/memory/handovers',
      node.intent('alice', 'prepareMemoryHandover', handover),
    );
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.body['handoverStatus'], 'PREPARED');
    for (const link of Object.values(answer.body['links'] as JsonObject)) {
      await node.document(link as string);
    }
    const statusOf = async (): Promise<unknown> =>
      (await listed('/v1/memory/handovers?agentId=alice', 'handovers'))[0]?.['status'];
    assert.equal(await statusOf(), 'PREPARED');
    await node.act(operator, 'attestMemoryRestore', attestationOf(operator, 'h-1'));
    assert.equal(await statusOf(), 'TARGET_RESTORED');
    const end = { agentId: 'alice', handoverId: 'h-1' };
    await node.act('alice', 'finalizeMemoryHandover', end);
    assert.equal(await statusOf(), 'FINALIZED');
    const registry = await node.document('/v1/memory/handovers');
    assert.deepEqual([registry['total'], registry['finalized']], [1, 1]);
    assert.deepEqual(await listed('/v1/memory/handovers?agentId=bob', 'handovers'), []);
  });

  test('shows an expired handover as aborted at once', async () => {
    await node.act('bob', 'prepareMemoryHandover', {
      ...handoverOf(node, 'bob', 'h-2', { targetProviderId: operator }),
      expiresAtHeight: node.height + 1,
    });
    const [handover] = await listed('/v1/memory/handovers?agentId=bob', 'handovers');
    assert.deepEqual([handover?.['status'], handover?.['abortCause']], ['ABORTED', 'EXPIRY']);
  });

  for (const [path, action, payload] of [
    ['/v1/memory/checkpoints', 'commitMemoryCheckpoint', checkpointOf('carol', 1)],
    ['/v1/memory/handovers', 'prepareMemoryHandover', { agentId: 'carol', handoverId: 'h-9' }],
  ] as [string, string, JsonObject][]) {
    test(`POST ${path} takes the signed intent of ${action} only`, async () => {
      // This block removes everything that expires now, because the requests below must not change the state.
      await node.join(`before-${action}`);
      const { height, stateRoot } = node.state();
      assertProblem(await node.post(path, payload), 403, 'SIGNED_INTENT_REQUIRED');
      const { signature: _, ...unsigned } = node.intent('carol', action, payload);
      assertProblem(await node.post(path, unsigned), 403, 'SIGNED_INTENT_REQUIRED');
      const other = node.intent('carol', 'withdrawBeacon', { agentId: 'carol' });
      assertProblem(await node.post(path, other), 409, 'ACTION_MISMATCH');
      for (const body of ['', '{', '[]', 'null', { ...other, nonce: 1 }]) {
        assertProblem(await node.post(path, body), 400, 'ENVELOPE_INVALID');
      }
      const foreign = node.intent('carol', action, { ...payload, agentId: 'bob' });
      assertProblem(await node.post(path, foreign), 409, 'CAPABILITY_AGENT_MISMATCH');
      const bent = node.intent('carol', action, { ...payload, note: '' });
      assertProblem(await node.post(path, bent), 409, 'PAYLOAD_INVALID');
      const forged = { ...node.intent('carol', action, payload), nonce: 'another' };
      assertProblem(await node.post(path, forged), 409, 'SIGNATURE_INVALID');
      assert.deepEqual(node.state(), { height, stateRoot });
    });
  }

  test('an answer that was lost is found again on either path', async () => {
    const intent = node.intent('carol', 'commitMemoryCheckpoint', checkpointOf('carol', 1));
    const { body } = await node.post('/v1/memory/checkpoints', intent);
    for (const path of ['/v1/memory/checkpoints', '/v1/intents']) {
      const problem = assertProblem(await node.post(path, intent), 409, 'NONCE_REPLAYED');
      assert.deepEqual(problem.receipt, body['receipt']);
    }
  });
});

describe('tokens', () => {
  before(async () => {
    for (const agentId of ['alice', 'bob']) {
      await node.act(agentId, 'extendAgentCapabilities', { agentId, actions: TOKEN_ACTIONS });
    }
    await node.act('alice', 'createToken', tokenOf());
    const nft = { tokenId: 'tok-one', decimals: 0, supplyCap: 1, initialSupply: 1 };
    const { mintAuthority: _, ...fixed } = tokenOf(nft);
    await node.act('alice', 'createToken', fixed);
    const give = (to: string, amount: number) =>
      node.act('alice', 'mintToken', { tokenId: 'tok-gold', to, amount });
    await give('bob', 200);
    await give('carol', 100);
  });
  test('are listed newest first', async () => {
    const registry = await node.document('/v1/tokens');
    assert.equal(registry['schema'], 'NET-TOKEN-REGISTRY/1');
    assert.equal(registry['total'], 2);
    assert.deepEqual(
      (registry['tokens'] as JsonObject[]).map(({ tokenId, kind, supply, mintAuthority }) => [
        tokenId,
        kind,
        supply,
        mintAuthority,
      ]),
      [
        ['tok-one', 'NFT', 1, null],
        ['tok-gold', 'FUNGIBLE', 400, 'alice'],
      ],
    );
  });
  test('show supply, mint authority and the top holders', async () => {
    const detail = await node.document('/v1/tokens/tok-gold');
    const { supply, holders, mintAuthority, supplyCap } = detail['token'] as JsonObject;
    assert.deepEqual([supply, holders, mintAuthority, supplyCap], [400, 3, 'alice', 1_000]);
    const top = (document: JsonObject): unknown => document['topHolders'];
    assert.deepEqual(top(detail), [
      { actorId: 'bob', amount: 200 },
      { actorId: 'alice', amount: 100 },
      { actorId: 'carol', amount: 100 },
    ]);
    await node.act('bob', 'burnToken', { tokenId: 'tok-gold', amount: 200 });
    await node.act('alice', 'renounceMintAuthority', { tokenId: 'tok-gold' });
    const later = await node.document('/v1/tokens/tok-gold');
    assert.equal((later['token'] as JsonObject)['mintAuthority'], null);
    assert.deepEqual(top(later), [
      { actorId: 'alice', amount: 100 },
      { actorId: 'carol', amount: 100 },
    ]);
  });
});
