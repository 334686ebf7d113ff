/** A fork of four validators: the signers of both histories are named, and fewer than a quorum make no fork. */
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import {
  bytesToBase64,
  makeCertificate,
  verifyCertificate,
  voteBytes,
  type Genesis,
} from '@netd/protocol';
import { testKey, until } from '@netd/protocol/testing';
import type { Signer } from '@netd/engine/testing';
import type { ForkEvidence } from '@netd/documents';
import { answerFrom } from '@netd/testkit/simulation/simulated-node';
import { ChainHarness, HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { hasReached, startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { tempDir } from '@netd/testkit/temp-dir';
import type { Transport } from './transport.ts';

const WRITER = 'http://writer';
const TWIN = 'http://twin';

const GENESIS: Genesis = {
  ...HARNESS_GENESIS,
  validators: [1, 2, 3, 4].map((number) => ({
    validatorId: `validator-${number}`,
    consensusPublicKey: testKey(`validator-${number}`).publicKey,
    votingPower: 1,
    faultDomain: `place-${number}`,
  })),
};

/** The votes of some of the four validators. */
function signerOf(...numbers: number[]): Signer {
  const names = numbers.map((number) => `validator-${number}`);
  return {
    certify: (statement, set) =>
      makeCertificate(
        statement,
        set,
        names.map((validatorId) => {
          const { privateKeyPem } = testKey(validatorId);
          const signature = sign(null, voteBytes(statement, validatorId), privateKeyPem);
          return { validatorId, votingPower: 1, signature: bytesToBase64(signature) };
        }),
      ),
  };
}

/** A chain of these validators with one block, in which one agent joins. */
async function chainOf(t: TestContext, agent: string, signer: Signer): Promise<ChainHarness> {
  const harness = await ChainHarness.open({
    path: join(tempDir(t), 'chain'),
    genesis: GENESIS,
    signer,
  });
  t.after(() => harness.close());
  await harness.commit(harness.registration(agent));
  return harness;
}

interface Found {
  follower: RunningFollower;
  forks: ForkEvidence[];
  banned: string[];
}

/** A follower of the writer that learns of the twin later. */
async function followBoth(t: TestContext, writer: Signer, twin: Signer): Promise<Found> {
  const nodes = new Map([
    [WRITER, await chainOf(t, 'bob', writer)],
    [TWIN, await chainOf(t, 'mallory', twin)],
  ]);
  let isTwinThere = false;
  const transport: Transport = {
    ask: async (url) => {
      const { origin, pathname } = new URL(url);
      const node = nodes.get(origin);
      if (!node || (origin === TWIN && !isTwinThere)) throw new Error('nobody is there');
      const { store, chain } = node;
      const validatorSet = chain.validatorSetAt(0);
      const { status, text } = answerFrom({ store, url: origin, validatorSet }, pathname);
      return new Response(text, { status });
    },
  };
  const forks: ForkEvidence[] = [];
  const banned: string[] = [];
  const follower = await startFollower(t, [WRITER, TWIN], {
    transport,
    onFork: (evidence) => forks.push(evidence),
    onBan: (url, reason) => banned.push(`${url} ${reason}`),
  });
  await hasReached(follower, 1);
  isTwinThere = true;
  await until(() => forks.length > 0 || banned.length > 0);
  return { follower, forks, banned };
}

test('of four validators two sign both histories: the evidence proves it, and names them', async (t) => {
  const { follower, forks, banned } = await followBoth(t, signerOf(1, 2, 3), signerOf(2, 3, 4));
  assert.deepEqual(banned, []);
  const [found] = forks;
  assert.ok(found?.ours);
  assert.equal(found.height, 1);
  assert.deepEqual(found.signedBoth, ['validator-2', 'validator-3']);
  const validatorSet = follower.node.chain.validatorSetAt(0);
  for (const { certificate } of [found.ours, found.theirs]) {
    assert.deepEqual(verifyCertificate(certificate, validatorSet, validatorSet.validatorSetHash), {
      ok: true,
      verdict: 'trusted',
    });
    assert.equal(certificate.votingPower, 3);
  }
  const { fork } = (await (await fetch(`${follower.url}/v1/fork-evidence`)).json()) as {
    fork: ForkEvidence;
  };
  assert.deepEqual(fork, found);
  assert.equal(follower.node.status.halted, true);
});

test('bans an origin whose block has two of four signatures, and reports no fork', async (t) => {
  const { follower, forks, banned } = await followBoth(t, signerOf(1, 2, 3), signerOf(3, 4));
  assert.deepEqual(forks, []);
  assert.equal(banned.length, 1);
  assert.match(banned[0] ?? '', /^http:\/\/twin /);
  assert.deepEqual([follower.node.status.halted, follower.node.chain.height], [false, 1]);
});
