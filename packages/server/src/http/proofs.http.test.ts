/** A node's answers can be proved with documents that it serves and one hash that the reader trusts. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { genesisState, genesisValidatorSet } from '@netd/ledger';
import { beaconOf } from '@netd/ledger/testing';
import {
  blockHash,
  canonicalize,
  decodePairs,
  eventHash,
  hashValue,
  merkleRoot,
  sha256Hex,
  stateRoot,
  verifyCertificate,
  verifyMerkleProof,
  verifyStateProof,
  type BlockHeader,
  type FinalityCertificate,
  type Genesis,
  type JsonObject,
  type MerkleProof,
  type Receipt,
  type StateCheckpoint,
  type StateChunk,
  type StateProof,
  type ValidatorSet,
} from '@netd/protocol';
import { blockText, wholeBlocksText } from '@netd/documents';
import { ReadBudgetError } from '@netd/engine';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';

let node: HttpNode;
let set: ValidatorSet;
/** The trusted hash, which is that of the genesis validator set. */
let anchor: string;
before(async () => {
  node = await HttpNode.start();
  await Promise.all(Array.from({ length: 9 }, (_, i) => node.join(`agent-${i}`)));
  await node.act('agent-1', 'publishBeacon', beaconOf('agent-1', node.height));
  const genesis = (await node.document('/v1/genesis')) as unknown as Genesis;
  anchor = genesisValidatorSet(genesis).validatorSetHash;
  set = (await node.document('/v1/consensus/validator-set')) as unknown as ValidatorSet;
});
after(() => node.stop());

const trusted = (certificate: FinalityCertificate): void =>
  assert.deepEqual(verifyCertificate(certificate, set, anchor), { ok: true, verdict: 'trusted' });

type CertifiedProof = StateProof & {
  certificate: FinalityCertificate;
  height: number;
  value: unknown;
};

describe('a state proof', () => {
  const proofOf = async (key: string): Promise<CertifiedProof> =>
    (await node.document(
      `/v1/state/proof?key=${encodeURIComponent(key)}`,
    )) as unknown as CertifiedProof;
  test('proves what is there', async () => {
    for (const key of [
      'agent/agent-3',
      'account/net:faucet',
      'authority/operator',
      'beacon/agent-1',
      'chain/identity',
    ]) {
      const proof = await proofOf(key);
      trusted(proof.certificate);
      assert.equal(proof.certificate.stateRoot, proof.root);
      assert.equal(proof.certificate.height, proof.height);
      assert.equal(proof.key, key);
      assert.notEqual(proof.value, null);
      assert.deepEqual(
        verifyStateProof(key, canonicalize(proof.value), proof, proof.certificate.stateRoot),
        { ok: true, present: true },
      );
      const forged = canonicalize({ ...(proof.value as object), forged: true });
      assert.equal(verifyStateProof(key, forged, proof, proof.root).ok, false);
      assert.equal(
        verifyStateProof(`${key}x`, canonicalize(proof.value), proof, proof.root).ok,
        false,
      );
    }
  });
  test('proves what is not there', async () => {
    const kinds = new Set<string>();
    for (let i = 0; i < 40; i++) {
      const key = `agent/nobody-${i}`;
      const proof = await proofOf(key);
      kinds.add(proof.leaf.kind);
      assert.equal(proof.value, null);
      assert.deepEqual(verifyStateProof(key, null, proof, proof.certificate.stateRoot), {
        ok: true,
        present: false,
      });
      assert.equal(verifyStateProof('agent/agent-3', null, proof, proof.root).ok, false);
    }
    assert.deepEqual([...kinds].sort(), ['empty', 'other']);
  });
  test('is there for keys of every form', async () => {
    for (const key of [
      '__proto__',
      'agent/',
      '/',
      'agent/__proto__',
      'x'.repeat(400),
      '%',
      "'",
      '!~',
    ]) {
      const proof = await proofOf(key);
      assert.deepEqual(verifyStateProof(key, null, proof, proof.root), {
        ok: true,
        present: false,
      });
    }
  });
  test('follows every block', async () => {
    for (let i = 0; i < 10; i++) {
      await node.join(`proven-${i}`);
      const proof = await proofOf(`agent/proven-${i}`);
      assert.equal(proof.height, node.height);
      assert.deepEqual(
        verifyStateProof(proof.key, canonicalize(proof.value), proof, proof.certificate.stateRoot),
        { ok: true, present: true },
      );
    }
  });
  test('holds while blocks come in quickly', async () => {
    const writes = Array.from({ length: 60 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 5));
      return node.join(`busy-${i}`);
    });
    let reads = 0;
    const last = node.height + 30;
    while (node.height < last && reads < 500) {
      const proof = await proofOf(`agent/agent-${reads++ % 9}`);
      trusted(proof.certificate);
      assert.deepEqual(
        verifyStateProof(proof.key, canonicalize(proof.value), proof, proof.certificate.stateRoot),
        { ok: true, present: true },
      );
    }
    await Promise.all(writes);
    assert.ok(reads > 0);
  });
});

test('the validator set says what genesis says, and an anchor of another chain trusts nothing', async () => {
  assert.equal(set.validatorSetHash, anchor);
  const latest = (await node.document(
    '/v1/consensus/certificates/latest',
  )) as unknown as FinalityCertificate;
  trusted(latest);
  assert.equal(verifyCertificate(latest, set, 'ab'.repeat(32)).ok, false);
  assert.deepEqual(verifyCertificate(latest, set), { ok: true, verdict: 'self-consistent' });
});

describe('a transition', () => {
  test('is proved to be in its block, whose header is certified', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 12 }, (_, i) => node.join(`included-${i}`)),
    );
    for (const receipt of receipts) {
      const document = (await node.document(
        `/v1/transitions/${receipt.transitionHash}`,
      )) as unknown as {
        envelope: JsonObject;
        receipt: Receipt;
        transitionsRoot: string;
        proof: MerkleProof;
        certificate: FinalityCertificate;
      };
      assert.deepEqual(document.receipt, receipt);
      assert.equal(hashValue(document.envelope), receipt.transitionHash);
      assert.ok(
        verifyMerkleProof(receipt.transitionHash, document.proof, document.transitionsRoot),
      );
      assert.equal(document.proof.index, receipt.index);
      trusted(document.certificate);
      assert.equal(document.certificate.certificateHash, receipt.certificateHash);
      const block = await node.document(`/v1/blocks/${receipt.height}`);
      assert.equal((block['header'] as JsonObject)['transitionsRoot'], document.transitionsRoot);
      assert.equal(block['blockHash'], receipt.blockHash);
      const byHash = await node.document(`/v1/consensus/certificates/${receipt.certificateHash}`);
      assert.deepEqual(byHash, document.certificate);
    }
    assert.ok(
      receipts.some(({ index }) => index > 0),
      'no block held two',
    );
  });
  test('and its events are those of its block', async () => {
    const receipt = await node.join('witnessed', { referrerAgentId: 'agent-1' });
    assert.deepEqual(
      receipt.events.map(({ type }) => type),
      ['AgentRegistered', 'ReferralRecorded'],
    );
    const { events } = await node.document(`/v1/events?agent=witnessed`);
    assert.deepEqual(
      (events as JsonObject[]).map(({ id, type, data }) => ({ id, type, data })),
      receipt.events,
    );
  });
});

test('answers a block without its events on request, and otherwise unchanged', async () => {
  const { height } = await node.join('unheard');
  const whole = await node.document(`/v1/blocks/${height}`);
  assert.ok((whole['events'] as JsonObject[]).length > 0);
  const bare = await node.document(`/v1/blocks/${height}?events=none`);
  assert.deepEqual(bare, { ...whole, events: [] });
  assert.deepEqual(await node.document(`/v1/blocks/${height}?events=all`), whole);
});

describe('several whole blocks', () => {
  const at = async (heights: string) =>
    (await node.document(`/v1/blocks/whole?heights=${heights}`))['blocks'];

  test('are those that are answered one at a time, in the order of the request, each once', async () => {
    const { height } = await node.join('in-several');
    const [one, other] = await Promise.all([
      node.document(`/v1/blocks/${height}`),
      node.document('/v1/blocks/1'),
    ]);
    assert.deepEqual(await at(`${height},1,${height}`), [one, other]);
    assert.deepEqual(await at('1'), [other]);
  });

  test('are at most a hundred, and none that the chain lacks', async () => {
    const path = '/v1/blocks/whole?heights=';
    assertProblem(await node.get(`${path}0,${node.height + 9}`), 404, 'BLOCK_NOT_FOUND');
    const hundred = Array.from({ length: 100 }, (_, height) => height % 2).join();
    assert.equal((await node.get(path + hundred)).status, 200);
    for (const wrong of [`${hundred},1`, '', '1,', '-1', '1,01', '1 2', '9'.repeat(16)]) {
      assertProblem(await node.get(path + encodeURIComponent(wrong)), 400, 'PARAMETER_INVALID');
    }
    assertProblem(await node.get('/v1/blocks/whole'), 400, 'PARAMETER_INVALID');
  });

  test('are fewer if they are too long, but never none', () => {
    const { store } = node.running.node;
    const snapshot = store.snapshot();
    try {
      const sizes = [0, 1, 2].map((height) => blockText(snapshot, { height }).length);
      const shown = (most: number): number =>
        JSON.parse(wholeBlocksText(snapshot, { heights: '0,1,2' }, most)).blocks.length;
      const [first = 0, second = 0, third = 0] = sizes;
      assert.deepEqual(
        [1, first, first + second - 1, first + second, first + second + third].map(shown),
        [1, 1, 1, 2, 3],
      );
    } finally {
      snapshot.close();
    }
  });

  test('cost their certificates too', () => {
    const { store } = node.running.node;
    const whole = store.snapshot();
    const costOfBlock = JSON.stringify(whole.blockAt(0)).length;
    whole.close();
    const poor = store.snapshot(costOfBlock);
    try {
      assert.throws(() => wholeBlocksText(poor, { heights: '0' }), ReadBudgetError);
    } finally {
      poor.close();
    }
  });
});

test('headers are listed by heights, those alone that the chain has, and each once', async () => {
  const head = node.height;
  const at = async (heights: string) => {
    const list = await node.document(`/v1/blocks?heights=${heights}`);
    const blocks = list['blocks'] as { height: number; timestamp: string }[];
    const { pageLinked } = list['verification'] as JsonObject;
    assert.equal(pageLinked, true);
    assert.equal(list['nextCursor'], null);
    assert.equal(list['total'], blocks.length);
    return blocks;
  };
  const some = await at(`0,${head + 9},${head},0,999999999999999`);
  assert.deepEqual(
    some.map(({ height }) => height),
    [head, 0],
  );
  const { header } = (await node.document(`/v1/blocks/${head}`)) as unknown as {
    header: BlockHeader;
  };
  assert.equal(some[0]?.timestamp, header.timestamp);
  // Consecutive blocks are linked, as in the full list.
  assert.equal((await at(`${head - 1},${head},1`)).length, 3);
});

test('the chain can be checked from genesis to its head with what it serves', async () => {
  const genesis = (await node.document('/v1/genesis')) as unknown as Genesis;
  let previous = '00'.repeat(32);
  const head = node.height;
  const listed = (await node.document('/v1/blocks?limit=100')) as {
    blocks: JsonObject[];
    verification: JsonObject;
  };
  assert.equal(listed.verification['pageLinked'], true);
  assert.equal(listed.verification['valid'], true);
  assert.deepEqual(
    (listed.verification['checks'] as JsonObject[]).map(({ pass }) => pass),
    [true, true, true, true, true],
  );
  assert.equal(listed.verification['latestHeight'], head);
  for (let height = 0; height <= head; height++) {
    const block = (await node.document(`/v1/blocks/${height}`)) as unknown as {
      header: BlockHeader;
      blockHash: string;
      transitions: { envelope: JsonObject; transitionHash: string; index: number }[];
      events: {
        id: string;
        type: string;
        transitionIndex: number;
        data: Record<string, unknown>;
      }[];
      certificate: FinalityCertificate;
    };
    const { header } = block;
    assert.equal(header.height, height);
    assert.equal(blockHash(header), block.blockHash);
    assert.equal(header.previousBlockHash, previous);
    previous = block.blockHash;
    assert.equal(block.certificate.blockHash, block.blockHash);
    assert.equal(block.certificate.stateRoot, header.stateRoot);
    trusted(block.certificate);
    for (const { envelope, transitionHash } of block.transitions)
      assert.equal(hashValue(envelope), transitionHash);
    assert.equal(
      merkleRoot(block.transitions.map(({ transitionHash }) => transitionHash)),
      header.transitionsRoot,
    );
    assert.equal(block.transitions.length, header.transitionCount);
    assert.equal(
      merkleRoot(
        block.events.map(({ type, transitionIndex, data }) =>
          eventHash({ type, transitionIndex, data }),
        ),
      ),
      header.eventsRoot,
    );
    const inList = listed.blocks.find((other) => other['height'] === height);
    if (inList)
      assert.deepEqual(inList, {
        ...header,
        blockHash: block.blockHash,
        certificateHash: block.certificate.certificateHash,
      });
  }
  const first = await node.document('/v1/blocks/0');
  const pairs = [...genesisState(genesis)].map(([key, text]) => [key, text ?? ''] as const);
  assert.equal((first['header'] as JsonObject)['stateRoot'], stateRoot(pairs));
});

describe('a checkpoint', () => {
  test('put together from its chunks has the certified state root', async () => {
    const checkpoint = (await node.document('/v1/state/checkpoint')) as unknown as StateCheckpoint;
    const { checkpointHash, ...body } = checkpoint;
    assert.equal(hashValue(body), checkpointHash);
    const chunks: Buffer[] = [];
    for (let index = 0; index < checkpoint.chunkCount; index++) {
      const chunk = (await node.document(
        `/v1/state/chunks/${index}?checkpoint=${checkpointHash}`,
      )) as unknown as StateChunk;
      const bytes = Buffer.from(chunk.data, 'base64');
      assert.equal(sha256Hex(bytes), checkpoint.chunkHashes[index]);
      assert.equal(chunk.hash, checkpoint.chunkHashes[index]);
      chunks.push(bytes);
    }
    const all = Buffer.concat(chunks);
    assert.equal(all.length, checkpoint.byteLength);
    assert.equal(merkleRoot(checkpoint.chunkHashes), checkpoint.chunksRoot);
    const pairs = [...decodePairs(all)].map(
      ({ key, value }) => [Buffer.from(key).toString(), value] as const,
    );
    assert.equal(stateRoot(pairs), checkpoint.stateRoot);
    const certificate = (await node.document(
      `/v1/consensus/certificates/${checkpoint.certificateHash}`,
    )) as unknown as FinalityCertificate;
    trusted(certificate);
    assert.equal(certificate.stateRoot, checkpoint.stateRoot);
    assert.equal(certificate.blockHash, checkpoint.blockHash);
    const past = await node.get(
      `/v1/state/chunks/${checkpoint.chunkCount}?checkpoint=${checkpointHash}`,
    );
    assertProblem(past, 404, 'CHUNK_NOT_FOUND');
  });
  test('stays readable for a while when newer ones come, and longer while it is read', async () => {
    let newer = 0;
    const make = async (): Promise<string> => {
      await node.join(`newer-${newer++}`);
      const made = (await node.document('/v1/state/checkpoint')) as unknown as StateCheckpoint;
      assert.equal(made.stateRoot, node.state().stateRoot);
      return made.checkpointHash;
    };
    const read = (hash: string): ReturnType<typeof node.get> =>
      node.get(`/v1/state/chunks/0?checkpoint=${hash}`);
    const [unread, slow] = [await make(), await make()];
    for (let i = 0; i < 4; i++) {
      assert.equal((await read(slow)).status, 200);
      await make();
    }
    assertProblem(await read(unread), 404, 'CHECKPOINT_NOT_FOUND');
    assert.equal((await read(slow)).status, 200);
  });
});

describe('an unknown resource is 404', () => {
  const none = 'ab'.repeat(32);
  for (const [path, code] of [
    [`/v1/state/chunks/0?checkpoint=${none}`, 'CHECKPOINT_NOT_FOUND'],
    [`/v1/consensus/certificates/${none}`, 'CERTIFICATE_NOT_FOUND'],
    [`/v1/transitions/${none}`, 'TRANSITION_NOT_FOUND'],
    ['/v1/blocks/1000000', 'BLOCK_NOT_FOUND'],
    [`/v1/blocks/${2 ** 53 - 1}`, 'BLOCK_NOT_FOUND'],
    ['/v1/agents/nobody', 'AGENT_NOT_FOUND'],
    ['/v1/agents/operator', 'AGENT_NOT_FOUND'],
    ['/v1/accounts/nobody', 'ACCOUNT_NOT_FOUND'],
    ['/v1/accounts/net:nothing', 'ACCOUNT_NOT_FOUND'],
  ] as const) {
    test(`${path.replace(none, '…')}: ${code}`, async () => {
      assertProblem(await node.get(path), 404, code);
    });
  }
  test('the next block is there as soon as it is committed', async () => {
    const next = node.height + 1;
    assertProblem(await node.get(`/v1/blocks/${next}`), 404, 'BLOCK_NOT_FOUND');
    await node.join('next-block');
    assert.equal((await node.get(`/v1/blocks/${next}`)).status, 200);
  });
});
