/** Validators with a real CometBFT each: commits, certificates, and survival of crashes. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { verifyCertificate, type CommitCertificate, type Receipt } from '@netd/protocol';
import { until } from '@netd/protocol/testing';
import { validateChain } from '@netd/testkit/validate-chain';
import type { HealthIssue } from '../../health-issue.ts';
import {
  CometNetwork,
  PATIENCE_MILLISECONDS,
  type CometValidator,
} from './testing/comet-network.ts';
import { cometbftHere } from './testing/cometbft-here.ts';

async function network(t: TestContext, count: number): Promise<CometNetwork | null> {
  const binary = await cometbftHere(t);
  return binary === null ? null : CometNetwork.start(t, binary, count);
}

/** Returns a validator's certificate of a height, verified against the genesis set. */
function certificateOf({ store, chain }: CometValidator, height: number): CommitCertificate {
  const snapshot = store.snapshot();
  try {
    const certificate = snapshot.blockAt(height)?.certificate as CommitCertificate;
    const validatorSet = chain.validatorSetAt(chain.height);
    const verdict = verifyCertificate(certificate, validatorSet, validatorSet.validatorSetHash);
    assert.deepEqual(verdict, { ok: true, verdict: 'trusted' });
    return certificate;
  } finally {
    snapshot.close();
  }
}

/** Reads every stored block without executing it. */
const requireSound = ({ store }: CometValidator): void =>
  assert.deepEqual(validateChain(store), []);

test(
  'one validator commits, certifies, refuses, and comes to rest',
  { timeout: 120_000 },
  async (t) => {
    const it = await network(t, 1);
    if (!it) return;
    const one = it.at(0);
    const joined = await one.insist(it.registration('ada'));
    assert.equal(joined.height, 1);
    const gift = it.gift('ada', 5);
    const paid = await one.insist(gift);
    assert.equal(certificateOf(one, paid.height).certificateHash, paid.certificateHash);
    certificateOf(one, 0);
    // A refusal says why, and a repeated envelope gets its first receipt.
    const unknown = await one.submit(it.gift('nobody-here', 1));
    assert.ok(unknown.status === 'refused' && unknown.refusal.code === 'RECIPIENT_UNKNOWN');
    const again = await one.submit(gift);
    assert.ok(again.status === 'refused');
    assert.equal(again.receipt?.blockHash, paid.blockHash);
    assert.equal(one.chain.height, 2, 'no block was made without a cause');
    requireSound(one);
  },
);

test('CometBFT is started again after a crash, and goes on', { timeout: 120_000 }, async (t) => {
  const it = await network(t, 1);
  if (!it) return;
  const one = it.at(0);
  await one.insist(it.registration('ada'));
  for (let round = 1; round <= 3; round++) {
    // A start of CometBFT may take longer than an answer waits.
    const paid = Array.from({ length: 5 }, (_, i) => one.insist(it.gift('ada', i + 1)));
    await one.killEngine();
    await Promise.all(paid);
    assert.equal(one.engineEnds.length, round);
  }
  assert.deepEqual(one.halts, []);
  requireSound(one);
});

/** Points around a block's write at which CometBFT can be killed: its calls of `fail.Fail()` since its start. */
const DEATHS = 10;

test(
  'CometBFT dies at each of its own points of failure, and nothing is lost',
  { timeout: 120_000 },
  async (t) => {
    t.after(() => delete process.env['FAIL_TEST_INDEX']);
    const it = await network(t, 1);
    if (!it) return;
    const paid: Receipt[] = [await it.at(0).insist(it.registration('ada'))];
    let deaths = 0;
    for (let index = 0; index < DEATHS; index++) {
      await it.down(0);
      process.env['FAIL_TEST_INDEX'] = String(index);
      const one: CometValidator = await it.up(0);
      paid.push(await one.insist(it.gift('ada', index + 1)), await one.insist(it.gift('ada', 1)));
      deaths += one.engineEnds.length;
      assert.deepEqual(one.halts, []);
    }
    assert.equal(deaths, DEATHS);
    const one = it.at(0);
    for (const { height, blockHash } of paid) {
      assert.equal(certificateOf(one, height).blockHash, blockHash);
    }
    requireSound(one);
  },
);

test(
  'a validator that starts again on its disk has what it had',
  { timeout: 120_000 },
  async (t) => {
    const it = await network(t, 1);
    if (!it) return;
    await it.at(0).insist(it.registration('ada'));
    const before = await it.at(0).insist(it.gift('ada', 1));
    await it.down(0);
    const one = await it.up(0);
    assert.equal(one.chain.head.blockHash, before.blockHash);
    const after = await one.insist(it.gift('ada', 2));
    assert.equal(after.height, before.height + 1);
    requireSound(one);
    await it.down(0);
    it.forgetEngine(0);
    const { halted } = await it.up(0);
    assert.match(await halted, /up to height 3, and its CometBFT has no block in .* begin anew/);
  },
);

test(
  'of four validators one may fall, with two down the chain waits for one',
  { timeout: 120_000 },
  async (t) => {
    const it = await network(t, 4);
    if (!it) return;
    const [a, b] = [it.at(0), it.at(1)];
    const joined = await a.insist(it.registration('ada'));
    // Every validator has the same chain.
    const paid = await b.insist(it.gift('ada', 1));
    assert.equal(paid.height, joined.height + 1);
    await Promise.all([0, 1, 2, 3].map((index) => it.at(index).reached(paid.height)));
    for (const index of [0, 1, 2, 3]) {
      assert.equal(it.at(index).chain.head.blockHash, paid.blockHash);
      certificateOf(it.at(index), paid.height);
    }

    await it.down(3);
    const three = await a.insist(it.gift('ada', 2));
    assert.equal(certificateOf(a, three.height).votes.length, 3);

    await it.down(2);
    const held = it.gift('ada', 3);
    const answer = await a.submit(held);
    assert.deepEqual(answer, { status: 'unavailable', cause: 'no-quorum' });
    assert.equal(a.chain.height, three.height);
    assert.equal(a.issues[0]?.kind, 'no-quorum');
    const namesBoth = /votes of validator-3, validator-4/;
    await until(() => namesBoth.test(a.issues[0]?.text ?? ''), PATIENCE_MILLISECONDS);

    await it.up(2);
    const resumed = await a.insist(it.gift('ada', 4));
    // The chain goes on without the fourth, which may count as down for this reason.
    const onlyFourth = ({ kind, subject }: HealthIssue): boolean =>
      kind === 'quorum-thin' || subject === 'validator-4';
    await until(() => a.issues.every(onlyFourth), PATIENCE_MILLISECONDS);
    // The envelope that was answered with 503 is not lost.
    assert.ok((await a.insist(held)).height > three.height);
    const late = await it.up(3);
    await Promise.all([0, 1, 2].map((index) => it.at(index).reached(resumed.height)));
    await late.reached(a.chain.height);
    const heads = [0, 1, 2, 3].map((index) => it.at(index).chain.head.blockHash);
    assert.equal(new Set(heads).size, 1);
    for (const index of [0, 1, 2, 3]) {
      requireSound(it.at(index));
      assert.deepEqual(it.at(index).halts, []);
    }
  },
);
