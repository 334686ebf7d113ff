/**
 * Validators that join and leave, with a real CometBFT each, which must agree with the ledger about the
 * signers of each height.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { withChangingSet, type Submission } from '@netd/ledger';
import { consensusKeyOf, OPERATOR, submissionOf } from '@netd/ledger/testing';
import { setChangeFault, UNET_PER_NET, ValidatorSets, type JsonObject } from '@netd/protocol';
import { applicationOf, claimOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { validateChain } from '@netd/testkit/validate-chain';
import { setChangesAfter } from '../../chain/set-changes.ts';
import { CometNetwork, type CometValidator } from './testing/comet-network.ts';
import { cometbftHere } from './testing/cometbft-here.ts';

const NET = UNET_PER_NET;
const [TWO, FOUR, FIVE] = ['validator-2', 'validator-4', 'eve'] as const;
const keyName = (validatorId: string): string => `${validatorId} owner`;

/**
 * Four with a bond each, by keys of their owners; terms of three blocks. A commit holds the votes that came in time: on a busy
 * machine one of four or five lacks often, so that only who lacks most of the time is jailed.
 */
const network = (t: TestContext, binary: string): Promise<CometNetwork> =>
  CometNetwork.start(t, binary, 4, {
    further: 1,
    of: (genesis) =>
      withChangingSet(
        genesis,
        genesis.validators.map(({ validatorId, consensusPublicKey, faultDomain }) => ({
          validatorId,
          consensusPublicKey,
          faultDomain,
          ownerPublicKey: testKey(keyName(validatorId)).publicKey,
          bond: 1_000 * NET,
        })),
        {
          termHeights: 3,
          maximum: 5,
          downtime: { window: 30, missed: 20, jail: { heights: 1, milliseconds: 1_000 } },
        },
      ),
  });

function read<Result>(
  { store }: CometValidator,
  work: (snapshot: ReturnType<CometValidator['store']['snapshot']>) => Result,
): Result {
  const snapshot = store.snapshot();
  try {
    return work(snapshot);
  } finally {
    snapshot.close();
  }
}

const membersOf = (validator: CometValidator): string[] =>
  read(validator, (snapshot) =>
    snapshot.validatorSetAt(snapshot.height + 1).validators.map(({ validatorId }) => validatorId),
  );

const votersOf = (validator: CometValidator): string[] =>
  read(validator, (snapshot) =>
    snapshot.block.certificate.votes.map(({ validatorId }) => validatorId),
  );

test(
  'a fifth validator joins by stake, one leaves, one is jailed and comes back',
  { timeout: 600_000 },
  async (t) => {
    const binary = await cometbftHere(t);
    if (binary === null) return;
    const it = await network(t, binary);
    const one = it.at(0);
    const { chainId } = it.genesis;

    const does = async (submission: Submission): Promise<void> => {
      await one.insist(submission);
    };
    /** Blocks until it is so; a test that waits in vain says for what. */
    const until = async (what: string, isSo: () => boolean): Promise<void> => {
      for (let block = 0; block < 60; block++) {
        if (isSo()) return;
        await does(it.gift('ada', 1));
      }
      assert.fail(`60 blocks, and not yet: ${what}; ${membersOf(one).join()} are the validators`);
    };

    await does(it.registration('ada'));
    await does(it.registration(FIVE));
    await does(it.gift(FIVE, 3_000 * NET));
    const key = testKey(FIVE);
    const applied = applicationOf(
      { actorId: FIVE, key },
      {
        applicationId: 'app-5',
        role: 'VALIDATOR',
        capabilities: [{ action: 'submitValidatorHeartbeat' }],
        profile: {
          selfBond: 1_000 * NET,
          faultDomain: 'zone-5',
          ...consensusKeyOf(FIVE, chainId, testKey(`${FIVE} consensus`)),
        },
        expiresAtHeight: 1_000,
        nonce: 'apply',
        chainId,
      },
    );
    await does(submissionOf('application', signEnvelope(key, applied)));
    await does(it.intent(OPERATOR, 'createOperatorInvitation', { applicationId: 'app-5' }));
    const { invitationId = '' } =
      read(one, (snapshot) => snapshot.get('application', 'app-5')) ?? {};
    const claimed: JsonObject = claimOf(
      { actorId: FIVE, key },
      { invitationId: invitationId ?? '', nonce: 'claim', chainId },
    );
    await does(submissionOf('claim', signEnvelope(key, claimed)));
    const five = await it.up(4, `${FIVE} consensus`);
    await until('the fifth is in the set', () => membersOf(one).includes(FIVE));
    assert.equal(one.chain.validatorSetAt(one.chain.height + 1).totalVotingPower, 5_000);
    await until('the fifth signs', () => votersOf(one).includes(FIVE));

    await does(
      it.intent(TWO, 'resignRole', { actorId: TWO, role: 'VALIDATOR' }, { keyName: keyName(TWO) }),
    );
    await until('the second is out', () => !membersOf(one).includes(TWO));
    await it.down(1);

    await it.down(3);
    await until('the fourth is jailed and out', () => !membersOf(one).includes(FOUR));
    const back = await it.up(3);
    /** False if it is still jailed. */
    const unjails = async (): Promise<boolean> => {
      const owner = { keyName: keyName(FOUR) };
      const submission = it.intent(FOUR, 'unjailValidator', { validatorId: FOUR }, owner);
      for (;;) {
        const result = await one.submit(submission);
        if (result.status === 'committed') return true;
        if (result.status === 'unavailable') continue;
        assert.ok(result.status === 'refused', JSON.stringify(result));
        if (result.receipt !== null) return true;
        assert.equal(result.refusal.code, 'VALIDATOR_JAILED');
        return false;
      }
    };
    for (let attempt = 0; !(await unjails()); attempt++) {
      assert.ok(attempt < 50, 'it stays jailed');
      await does(it.gift('ada', 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await until('the fourth signs again', () => votersOf(one).includes(FOUR));

    // All running validators have the same chain, and the set of its height certifies every block.
    const { height, blockHash } = one.chain.head;
    for (const validator of [one, it.at(2), back, five]) {
      await validator.reached(height);
      assert.equal(
        read(validator, (snapshot) => snapshot.blockAt(height)?.certificate.blockHash),
        blockHash,
      );
      assert.deepEqual(validateChain(validator.store), []);
      assert.deepEqual(validator.halts, []);
    }

    // A client that knows only genesis verifies the newest certificate offline.
    const { changes, next } = read(one, (snapshot) => setChangesAfter(snapshot, 0));
    assert.equal(next, null);
    assert.ok(changes.length >= 4, `${changes.length} changes`);
    const sets = new ValidatorSets(one.chain.identity.genesisSet);
    for (const change of changes) assert.equal(sets.follow(change), null);
    const { certificate } = read(one, (snapshot) => snapshot.block);
    assert.deepEqual(sets.verify(certificate, true), { ok: true, verdict: 'trusted' });
    // After a missing change, the next one does not follow.
    const [, second] = changes;
    const known = { set: one.chain.identity.genesisSet, fromHeight: 0 };
    assert.match(setChangeFault(known, second!) ?? '', /of another set/);
  },
);
