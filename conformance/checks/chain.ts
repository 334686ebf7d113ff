/** Health, certificates, checkpoints, blocks, and their agreement. */
import assert from 'node:assert/strict';
import {
  blockHash,
  canonicalize,
  COMMIT_SCHEME,
  TOTAL_SUPPLY,
  UNET_PER_NET,
  type BlockHeader,
  type FinalityCertificate,
  type JsonObject,
  type StateProof,
  ValidatorSets,
  verifyStateProof,
} from '@netd/protocol';
import {
  certifiedBlock,
  certifiedState,
  documentWithState,
  expectCertified,
  followChanges,
  genesisOf,
  setOf,
} from '../certified-state.ts';
import { check } from '../check.ts';
import type { Http } from '../http.ts';
import { expectProblem, HASH, textOf } from '../expect.ts';

const LOOKS = 5;
const UNKNOWN_HASH = '0'.repeat(64);
const BAD_HASHES = [
  '0'.repeat(63),
  '0'.repeat(65),
  'A'.repeat(64),
  `${'0'.repeat(63)}g`,
  'latest-',
];

/** The network's mode by certificate scheme. */
const MODES: Record<FinalityCertificate['scheme'], string> = {
  'ed25519-statement-v1': 'SINGLE_VALIDATOR_DEVNET',
  [COMMIT_SCHEME]: 'BFT_DEVNET',
};

/** Returns the ids of failed checks. An empty list is refused. */
function failedOf(checks: unknown): string[] {
  const list = checks as { id: string; pass: boolean }[];
  assert.ok(list.length > 0, 'no check was made');
  return list.filter(({ pass }) => !pass).map(({ id }) => id);
}

/** Reads the newest certificate and the set of its height; the set may change between both reads. */
async function certificateAndSet(
  http: Http,
): Promise<{ certificate: JsonObject; set: JsonObject }> {
  for (let look = 1; ; look++) {
    const certificate = await http.document('/v1/consensus/certificates/latest');
    const set = await http.document('/v1/consensus/validator-set');
    const isOne = set['validatorSetHash'] === certificate['validatorSetHash'];
    if (isOne || look === LOOKS) return { certificate, set };
  }
}

export const CHAIN_CHECKS = [
  check(
    'health, with the state root of a block',
    ['get.health', 'versioning.unprefixed'],
    async ({ http }) => {
      const health = await http.document('/health');
      assert.equal(health['status'], 'ok');
      const { header, blockHash: hash } = await certifiedBlock(http, Number(health['height']));
      assert.deepEqual(
        [health['chainId'], health['stateRoot'], health['blockHash']],
        [header.chainId, header.stateRoot, hash],
      );
    },
  ),

  check('the status tells of consensus and finality', ['get.network'], async ({ http }) => {
    const status = await http.document('/v1/network');
    const { genesis, hash } = await genesisOf(http);
    const block = await certifiedBlock(http, Number(status['height']));
    const { header, certificate } = block;
    const set = await setOf(http, certificate);
    const voters = new Set(certificate.votes.map(({ validatorId }) => validatorId));
    assert.equal(status['mode'], MODES[certificate.scheme]);
    const { chainId, epoch, open, genesisTime } = genesis;
    assert.partialDeepStrictEqual(status, {
      chainId,
      epoch,
      open,
      genesisTime,
      genesisHash: hash,
      timestamp: header.timestamp,
      blockHash: block.blockHash,
      stateRoot: header.stateRoot,
    });
    assert.deepEqual(status['finality'], {
      scheme: certificate.scheme,
      finalizedHeight: header.height,
      certificateHash: certificate.certificateHash,
      validatorSetHash: set.validatorSetHash,
      validators: set.validators.length,
      quorum: set.quorum,
      totalVotingPower: set.totalVotingPower,
      votes: set.validators.map(({ validatorId, votingPower }) => ({
        validatorId,
        votingPower,
        signed: voters.has(validatorId),
      })),
    });
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
      const { certificate, set } = await certificateAndSet(http);
      assert.equal(certificate['schema'], 'NET-FINALITY-CERTIFICATE/1');
      await expectCertified(http, certificate as unknown as FinalityCertificate);
      assert.deepEqual(set, await setOf(http, certificate as unknown as FinalityCertificate));
      const block = await certifiedBlock(http, Number(certificate['height']));
      assert.deepEqual(block.certificate, certificate);
      const path = `/v1/consensus/certificates/${textOf(certificate['certificateHash'])}`;
      assert.deepEqual(await http.document(path), certificate);
    },
  ),

  check(
    'the changes of the validators lead from genesis to those that certify now',
    ['get.validator-set.changes'],
    async ({ http }) => {
      const sets = new ValidatorSets((await genesisOf(http)).set);
      await followChanges(http, sets);
      const { certificate } = await certificateAndSet(http);
      const now = await setOf(http, certificate as unknown as FinalityCertificate);
      // The set may have changed since, or may belong to the next block.
      const { newest } = sets;
      const isOfIt = newest.fromHeight <= Number(certificate['height']);
      if (isOfIt) assert.deepEqual(newest.set, now);
      const path = '/v1/consensus/validator-set/changes?after=';
      const beyond = await http.document(path + newest.fromHeight);
      for (const { fromHeight } of beyond['changes'] as { fromHeight: number }[]) {
        assert.ok(fromHeight > newest.fromHeight, 'a change that was told before');
      }
      expectProblem(await http.get(`${path}-1`), 400, 'PARAMETER_INVALID');
    },
  ),

  check(
    'an engine beside the chain tells what its own light clients verify',
    ['get.engine-block'],
    async ({ http }) => {
      const latest = await http.document('/v1/consensus/certificates/latest');
      const certificate = latest as unknown as FinalityCertificate;
      const path = '/v1/consensus/engine-blocks/';
      expectProblem(await http.get(`${path}0`), 400, 'PARAMETER_INVALID');
      if (certificate.scheme !== COMMIT_SCHEME) {
        expectProblem(await http.get(`${path}1`), 404, 'BLOCK_NOT_FOUND');
        return;
      }
      const { height, appHash } = certificate.commit.header;
      const block = await http.document(path + height);
      const { header } = block['signedHeader'] as { header: Record<string, unknown> };
      assert.deepEqual(
        [block['engineHeight'], Number(header['height']), textOf(header['app_hash']).toLowerCase()],
        [height, height, appHash],
      );
      const { validators } = await setOf(http, certificate);
      assert.equal((block['validators'] as unknown[]).length, validators.length);
    },
  ),

  check(
    'an unknown certificate is 404, and a name that is no hash 400',
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
        // Only a large state may have no checkpoint yet, and only while the first one is made.
        assert.ok(answer.headers.has('retry-after'), 'a 503 that does not say when to come again');
        expectProblem(answer, 503, 'STATE_CHECKPOINT_CERTIFICATE_UNAVAILABLE');
        return;
      }
      assert.equal(answer.status, 200);
      const { checkpoint } = await certifiedState(http);
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
      const before = await net.height();
      const list = await net.http.document('/v1/blocks?limit=100');
      const height = Number(list['height']);
      assert.ok(height >= before, 'the list does not begin with the newest block');
      const blocks = list['blocks'] as unknown as (BlockHeader & Summary)[];
      assert.equal(blocks.length, Math.min(100, height + 1));
      assert.equal(list['total'], height + 1);
      for (const [index, { blockHash: named, certificateHash, ...header }] of blocks.entries()) {
        assert.equal(header.height, height - index);
        assert.equal(named, blockHash(header), `the header of height ${header.height}`);
        const older = blocks[index + 1];
        if (older) assert.equal(header.previousBlockHash, older.blockHash);
        assert.match(certificateHash, HASH);
      }
      const [newest] = blocks;
      const { certificate } = await certifiedBlock(net.http, height);
      assert.deepEqual(
        [newest?.blockHash, newest?.certificateHash],
        [certificate.blockHash, certificate.certificateHash],
      );
      const { checks, ...verification } = list['verification'] as Record<string, unknown>;
      assert.deepEqual(failedOf(checks), []);
      assert.deepEqual(verification, {
        valid: true,
        latestHeight: height,
        latestBlockHash: certificate.blockHash,
        latestStateRoot: certificate.stateRoot,
        pageLinked: true,
      });
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
      assert.equal(result['fault'], null);
      assert.deepEqual(failedOf(result['checks']), []);
      const block = await certifiedBlock(http, Number(result['height']));
      assert.deepEqual(
        [result['chainId'], result['latestBlockHash'], result['latestStateRoot']],
        [block.header.chainId, block.blockHash, block.header.stateRoot],
      );
      // Proves the root: a leaf of the state leads to it, under the block's certificate.
      assert.deepEqual(result['certificate'], block.certificate);
      const proof = result['stateProof'] as StateProof;
      const value = canonicalize(proof.value);
      assert.equal(proof.root, block.header.stateRoot);
      assert.deepEqual(verifyStateProof(proof.key, value, proof, block.header.stateRoot), {
        ok: true,
        present: true,
      });
      // The verified height must never exceed the head.
      const verified = Number(result['verifiedHeight']);
      assert.ok(verified >= 0 && verified <= block.header.height, `verified up to ${verified}`);
    },
  ),

  check('the token accounts for all of its supply', ['get.token'], async ({ http }) => {
    const { document: token, state } = await documentWithState(http, '/v1/token');
    const classes = token['classes'] as { class: string; amount: number }[];
    const supply = state
      .collection('supply')
      .map(([name]) => [name, state.number(`supply/${name}`)]);
    assert.deepEqual(
      Object.fromEntries(classes.map((each) => [each.class, each.amount])),
      Object.fromEntries(supply),
    );
    const sum = classes.reduce((total, { amount }) => total + amount, 0);
    assert.deepEqual([token['totalSupply'], token['classesSum']], [sum, sum]);
    assert.equal(sum, TOTAL_SUPPLY);
    assert.equal(10 ** Number(token['decimals']), UNET_PER_NET);
    assert.deepEqual(token['faucet'], state.record('policy/limits')['faucet']);
  }),
];

/** An entry of the block list, without its header. */
interface Summary {
  blockHash: string;
  certificateHash: string;
}
