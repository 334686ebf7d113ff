/** The chain: health, certificates, checkpoints, blocks, and that all of it fits together. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  base64ToBytes,
  hashWithout,
  merkleRoot,
  verifyCertificate,
  type FinalityCertificate,
  type JsonObject,
  type StateCheckpoint,
  type ValidatorSet,
} from '@netd/protocol';
import { check } from '../check.ts';
import { expectMember, expectProblem, HASH, textOf } from '../expect.ts';

const UNKNOWN_HASH = '0'.repeat(64);
const BAD_HASHES = [
  '0'.repeat(63),
  '0'.repeat(65),
  'A'.repeat(64),
  `${'0'.repeat(63)}g`,
  'latest-',
];

export const CHAIN_CHECKS = [
  check(
    'health, with the state root of a block',
    ['get.health', 'versioning.unprefixed'],
    async ({ http }) => {
      const health = await http.document('/health');
      assert.equal(health['status'], 'ok');
      assert.match(textOf(health['stateRoot']), HASH);
      const proofs = await http.document(`/v1/blocks?limit=20`);
      const roots = (proofs['blocks'] as JsonObject[]).map(({ header, stateRoot }) =>
        textOf(stateRoot ?? (header as JsonObject)['stateRoot']),
      );
      assert.ok(roots.includes(textOf(health['stateRoot'])), 'no recent block has this state root');
    },
  ),

  check('the status tells of consensus and finality', ['get.network'], async ({ http }) => {
    const status = await http.document('/v1/network');
    assert.match(textOf(status['mode']), /^[A-Z_]+$/);
    assert.ok(Number(status['height']) >= 0);
    assert.match(textOf((status['finality'] as JsonObject)['certificateHash']), HASH);
    assert.equal((status['finality'] as JsonObject)['finalizedHeight'], status['height']);
  }),

  check(
    'the latest certificate verifies against the validator set, and is there under its hash',
    [
      'get.certificate.latest',
      'get.certificate.by-hash',
      'get.validator-set',
      'document.finality-certificate',
      'document.validator-set',
      'error.certificate-latest-404',
    ],
    async ({ http }) => {
      const certificate = await http.document('/v1/consensus/certificates/latest');
      const set = await http.document('/v1/consensus/validator-set');
      assert.equal(certificate['schema'], 'NET-FINALITY-CERTIFICATE/1');
      assert.equal(set['schema'], 'NET-VALIDATOR-SET/1');
      const verdict = verifyCertificate(
        certificate as unknown as FinalityCertificate,
        set as unknown as ValidatorSet,
      );
      assert.ok(verdict, JSON.stringify(verdict));
      const path = `/v1/consensus/certificates/${textOf(certificate['certificateHash'])}`;
      assert.deepEqual(await http.document(path), certificate);
    },
  ),

  check(
    'a certificate that nobody has is 404, and a name that is no hash 400',
    ['error.certificate-404', 'id.certificate'],
    async ({ http }) => {
      const path = '/v1/consensus/certificates/';
      expectProblem(await http.get(path + UNKNOWN_HASH), 404, 'CERTIFICATE_NOT_FOUND');
      for (const bad of BAD_HASHES) expectProblem(await http.get(path + bad), 400);
    },
  ),

  check(
    'the chunks of the checkpoint hash to what it says',
    [
      'get.state.checkpoint',
      'get.state.chunk',
      'document.state-checkpoint',
      'document.state-chunk',
      'id.chunk',
      'limit.chunk-index',
      'error.state-503',
    ],
    async ({ http }) => {
      const answer = await http.get('/v1/state/checkpoint');
      if (answer.status === 503) {
        // Only a large state has to wait for its first checkpoint, and only while it is made.
        assert.ok(answer.headers.has('retry-after'), 'a 503 that does not say when to come again');
        expectProblem(answer, 503, 'STATE_CHECKPOINT_CERTIFICATE_UNAVAILABLE');
        return;
      }
      assert.equal(answer.status, 200);
      const checkpoint = answer.body as unknown as StateCheckpoint;
      assert.equal(checkpoint.schema, 'NET-STATE-CHECKPOINT/1');
      assert.equal(checkpoint.checkpointHash, hashWithout(checkpoint, 'checkpointHash'));
      assert.equal(merkleRoot(checkpoint.chunkHashes), checkpoint.chunksRoot);
      for (const index of new Set([0, checkpoint.chunkCount - 1])) {
        const path = `/v1/state/chunks/${index}?checkpoint=${checkpoint.checkpointHash}`;
        const chunk = await http.document(path);
        assert.equal(chunk['schema'], 'NET-STATE-CHUNK/1');
        const bytes = base64ToBytes(textOf(chunk['data'])) ?? new Uint8Array();
        const hash = createHash('sha256').update(bytes).digest('hex');
        assert.deepEqual([chunk['hash'], hash], Array(2).fill(checkpoint.chunkHashes[index]));
      }
      const beyond = `/v1/state/chunks/-1?checkpoint=${checkpoint.checkpointHash}`;
      expectProblem(await http.get(beyond), 400, 'PARAMETER_INVALID');
    },
  ),

  check(
    'a chunk of no checkpoint, and one beyond the last, are 404',
    ['error.checkpoint-404', 'error.chunk-404'],
    async ({ http }) => {
      const path = `/v1/state/chunks/0?checkpoint=${UNKNOWN_HASH}`;
      expectProblem(await http.get(path), 404, 'CHECKPOINT_NOT_FOUND');
      const { checkpointHash, chunkCount } = await http.document('/v1/state/checkpoint');
      const beyond = `/v1/state/chunks/${textOf(chunkCount)}?checkpoint=${textOf(checkpointHash)}`;
      expectProblem(await http.get(beyond), 404, 'CHUNK_NOT_FOUND');
    },
  ),

  check(
    'a chunk needs the hash of its checkpoint',
    ['get.state.chunk.checkpoint-required', 'id.checkpoint'],
    async ({ http }) => {
      expectProblem(await http.get('/v1/state/chunks/0'), 400, 'PARAMETER_INVALID');
      for (const bad of BAD_HASHES) {
        expectProblem(await http.get(`/v1/state/chunks/0?checkpoint=${bad}`), 400);
      }
    },
  ),

  check(
    'blocks are listed latest first, linked to one another, with a summary',
    ['get.blocks.summary', 'get.blocks.headers'],
    async (net) => {
      await net.pass(2);
      const list = await net.http.document('/v1/blocks?limit=100');
      expectMember(list, /verif|integrity/i, 'the verification of the chain');
      const headers = (list['blocks'] as JsonObject[]).map((block) => ({
        ...(block['header'] as JsonObject | undefined),
        ...block,
      })) as { height: number; previousBlockHash: string; blockHash: string }[];
      assert.ok(headers.length >= 3);
      for (const [index, header] of headers.slice(0, -1).entries()) {
        const before = headers[index + 1];
        assert.equal(before?.height, header.height - 1);
        assert.equal(before.blockHash, header.previousBlockHash);
      }
    },
  ),

  check('blocks are listed 1 to 100 at a time', ['limit.blocks'], async ({ http }) => {
    for (const limit of [1, 100]) {
      const { blocks } = await http.document(`/v1/blocks?limit=${limit}`);
      const { length } = blocks as unknown[];
      assert.ok(length >= 1 && length <= limit, `${length} blocks where ${limit} were asked for`);
    }
    for (const limit of ['0', '101', '-1', '1.5', 'x', '']) {
      expectProblem(await http.get(`/v1/blocks?limit=${limit}`), 400, 'PARAMETER_INVALID');
    }
  }),

  check(
    'the chain says how far it is verified, and is whole',
    ['get.chain-verify.hashes', 'get.chain-verify.links', 'get.chain-verify.root'],
    async ({ http }) => {
      const result = await http.document('/v1/chain/verify');
      assert.equal(result['valid'], true);
      assert.match(textOf(result['latestBlockHash']), HASH);
      assert.match(textOf(result['latestStateRoot']), HASH);
      // The links are what the verified height is about: it never runs ahead of the chain.
      assert.ok(Number(result['verifiedHeight']) <= Number(result['height']));
    },
  ),

  check('the token says where all of it is', ['get.token'], async ({ http }) => {
    const token = await http.document('/v1/token');
    const classes = token['classes'] as { amount: number }[];
    const sum = classes.reduce((total, { amount }) => total + amount, 0);
    assert.ok(classes.length > 1);
    assert.equal(sum, token['totalSupply'], 'the classes do not sum to the supply');
  }),
];
