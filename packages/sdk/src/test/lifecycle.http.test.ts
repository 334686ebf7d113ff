/** Deadlines of minutes and days, and roles, tested as an outside developer would. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UNET_PER_NET } from '@netd/protocol';
import { inCampaign } from '@netd/protocol/testing';
import { AgentKey, NetClient, type Actor } from '../index.ts';
import { labKey, startNetwork, type Network } from './index.ts';

const NETD = fileURLToPath(new URL('../../../cli/bin/netd.mjs', import.meta.url));
const HASH = 'ab'.repeat(32);
const VERIFIERS = ['vera', 'vito', 'viki'];
const REWARD = 20 * UNET_PER_NET;
/** The least that a validator candidate puts up. */
const BOND = 1_000 * UNET_PER_NET;

describe('on a network whose time obeys', () => {
  let network: Network;
  let begun: string;
  before(async () => {
    network = await startNetwork({
      netd: NETD,
      agents: {
        rita: { actions: ['createWorkOrder', 'transfer'] },
        walt: { actions: ['transfer', 'delegate', 'undelegate'] },
        vera: { role: 'verifier' },
        vito: { role: 'verifier', capabilities: ['voteWork'] },
        viki: { role: 'verifier', bond: 150 * UNET_PER_NET, independenceGroup: 'elsewhere' },
        rune: { role: 'runtime-provider' },
        olga: { role: 'auditor' },
        gina: { role: 'governor', actions: ['delegate'] },
        vala: { funded: BOND + 100 * UNET_PER_NET },
      },
    });
    await becomeCandidate('vala');
    begun = await network.snapshot();
  });
  after(() => network.stop());
  beforeEach(() => network.revert(begun));

  const act = (name: string, action: string, payload: object) =>
    network.client.act(network.actor(name), action as 'transfer', payload as never);
  const orderAt = async (orderId: string) =>
    (await network.client.read('/v1/work-orders/{orderId}', { orderId })).order;

  /** Makes an actor a validator candidate: it applies with its consensus key, and the operator agrees. */
  async function becomeCandidate(actorId: string): Promise<void> {
    const pair = labKey(`${actorId}-consensus`);
    const consensusPublicKey = pair.publicKey;
    const { signature } = await (
      await AgentKey.fromPem(pair)
    ).sign({
      schema: 'NET-CONSENSUS-KEY/1',
      chainId: network.chainId,
      actorId,
      consensusPublicKey,
    });
    const actor = network.actor(actorId);
    const applicationId = `${actorId}-validator`;
    await network.client.apply(actor, {
      applicationId,
      role: 'VALIDATOR',
      capabilities: [{ action: 'submitValidatorHeartbeat' }],
      profile: {
        selfBond: BOND,
        consensusPublicKey,
        consensusKeySignature: signature,
        faultDomain: 'lab',
      },
      expiresAtHeight: (await network.client.network()).height + 1_000,
    });
    const invite = { applicationId };
    const { transitionHash } = await network.client.act(
      network.operator,
      'createOperatorInvitation',
      invite,
    );
    await network.client.claim(actor, transitionHash);
  }

  /** An order of rita's that an agent has delivered and the committee has accepted. */
  async function verified(orderId: string, agentId = 'walt'): Promise<void> {
    await act('rita', 'createWorkOrder', {
      orderId,
      title: 'Sum two numbers',
      jobType: 'general',
      funding: REWARD,
      scopeHash: HASH,
      sealedVotes: false,
    });
    await act(agentId, 'acceptWork', { orderId, agentId });
    await act(agentId, 'submitWorkResult', { orderId, agentId, deliverableHash: HASH });
    await network.mine(2);
    const { committee = [] } = (await orderAt(orderId)).verification ?? {};
    for (const { verifierId } of committee) {
      await act(verifierId, 'voteWork', {
        orderId,
        verifierId,
        vote: 'ACCEPT',
        evidenceHash: HASH,
      });
      if ((await orderAt(orderId)).disputableUntil) return;
    }
  }

  test('roles are held: their bonds lie beside the money, their actions can be done', async () => {
    assert.equal(await network.balance('viki'), 100 * UNET_PER_NET);
    const { actual } = await network.client.read('/v1/validation');
    assert.equal(actual.activeVerifiers, VERIFIERS.length);
    for (const [name, role] of [
      ['vera', 'VERIFIER'],
      ['rune', 'RUNTIME_PROVIDER'],
      ['olga', 'AUDITOR'],
      ['gina', 'GOVERNOR'],
    ] as const) {
      const { authority } = await network.client.read('/v1/agents/{agentId}', { agentId: name });
      assert.ok(authority.roles.includes(role), `${name}: ${authority.roles.join(', ')}`);
    }
    await assert.rejects(network.join('oskar', { role: 'operator' as 'human' }), RangeError);
  });

  test('pays undisputed work once the dispute window is over, and no earlier', async () => {
    await verified('paid');
    const earlier = await network.balance('walt');
    const settle = () => act('walt', 'settleVerifiedWork', { orderId: 'paid' });
    await network.advance(20);
    await assert.rejects(settle(), { status: 409 });
    const snapshot = await network.snapshot();
    await network.advance(15);
    await settle();
    assert.equal((await orderAt('paid')).status, 'PAID');
    assert.equal(await network.balance('walt'), earlier + REWARD);
    // Settles by itself if the worker does not ask for it.
    await network.revert(snapshot);
    assert.equal(await network.balance('walt'), earlier);
    await network.advance(86_500);
    assert.equal((await orderAt('paid')).status, 'PAID');
    assert.equal(await network.balance('walt'), earlier + REWARD);
  });

  test('a dispute stops the payment, and the operator decides', inCampaign, async () => {
    await verified('disputed');
    await act('rita', 'openDispute', { orderId: 'disputed', reasonHash: HASH });
    await network.advance(60);
    assert.notEqual((await orderAt('disputed')).status, 'PAID');
    const earlier = await network.balance('rita');
    await network.client.act(network.operator, 'resolveDispute', {
      orderId: 'disputed',
      outcome: 'REJECTED',
    });
    assert.equal((await orderAt('disputed')).status, 'REJECTED');
    assert.ok((await network.balance('rita')) >= earlier + REWARD);
    await assert.rejects(
      act('rita', 'openDispute', { orderId: 'disputed', reasonHash: HASH }),
      (error: { code: string }) => error.code.startsWith('WORK_'),
    );
  });

  test('a bond is free after the delay of a resignation, and not a minute before', async () => {
    const earlier = await network.balance('vera');
    await act('vera', 'resignRole', { actorId: 'vera', role: 'VERIFIER' });
    await network.advance(840, { blocks: 1_000 });
    assert.equal(await network.balance('vera'), earlier);
    await network.advance(120, { blocks: 10 });
    assert.ok((await network.balance('vera')) > earlier);
    await network.event('RoleBondReleased', { agent: 'vera' });
  });

  test(
    'what is at stake with a validator comes back after the unbonding delay, and no earlier',
    inCampaign,
    async () => {
      const [validatorId, earlier] = ['vala', await network.balance('walt')];
      await act('walt', 'delegate', { validatorId, amount: 30 * UNET_PER_NET });
      await act('walt', 'undelegate', { validatorId, amount: 10 * UNET_PER_NET });
      // A thousand heights are over, and the quarter of an hour is not.
      await network.advance(600, { blocks: 1_000 });
      assert.equal(await network.balance('walt'), earlier - 30 * UNET_PER_NET);
      await network.advance(360, { blocks: 10 });
      assert.equal(await network.balance('walt'), earlier - 20 * UNET_PER_NET);
      const { data } = await network.event('StakeReleased', { agent: 'walt' });
      assert.deepEqual(
        [(data as { amount: number }).amount, (data as { slashed: number }).slashed],
        [10 * UNET_PER_NET, 0],
      );
      await assert.rejects(act('walt', 'undelegate', { validatorId, amount: 25 * UNET_PER_NET }), {
        code: 'DELEGATION_INSUFFICIENT',
      });
    },
  );

  test(
    'a passed proposal waits for its timelock, and expires if it is not enacted in time',
    inCampaign,
    async () => {
      for (const orderId of ['first', 'second']) {
        await verified(orderId, 'gina');
        await network.advance(35);
        await act('gina', 'settleVerifiedWork', { orderId });
      }
      await act('gina', 'delegate', { validatorId: 'vala', amount: REWARD });
      const [governorId, proposalId] = ['gina', 'a-main-network'];
      const statusNow = async () =>
        (await network.client.read('/v1/governance/proposals/{proposalId}', { proposalId }))
          .proposal.status;
      await act('gina', 'submitProposal', {
        governorId,
        proposalId,
        kind: 'MAINNET_GENESIS',
        title: 'Begin',
        subjectHash: HASH,
      });
      await act('gina', 'voteProposal', { governorId, proposalId, vote: 'FOR' });
      const enact = () => act('gina', 'enactProtocolContribution', { governorId, proposalId });
      await assert.rejects(enact(), { code: 'PROPOSAL_NOT_PASSED' });
      // The vote is over with one of these three; the timelock takes three heights more, however late it is by the clock.
      await network.advance(21, { blocks: 3 });
      assert.equal(await statusNow(), 'PASSED');
      await assert.rejects(enact(), { code: 'TIMELOCK_RUNNING' });
      const waiting = await network.snapshot();
      await network.advance(30, { blocks: 4 });
      await enact();
      assert.equal(await statusNow(), 'ENACTED');
      await network.revert(waiting);
      await network.advance(86_500);
      assert.equal(await statusNow(), 'EXPIRED');
      await assert.rejects(enact(), { code: 'PROPOSAL_NOT_PASSED' });
    },
  );

  test(
    'an unclaimed handover ends with its last height, and another can be prepared',
    inCampaign,
    async () => {
      const { height } = await network.client.network();
      await act('rune', 'registerRuntimeOffer', {
        providerId: 'rune',
        runtimeId: 'rune-1',
        endpoint: 'https://rune.example/runtime',
        serializer: 'NET-PORTABLE-MEMORY/1',
        encryptions: ['AES-256-GCM'],
        maxByteLength: 1_000,
        expiresAtHeight: height + 1_000,
      });
      const agentId = 'walt';
      await act('walt', 'commitMemoryCheckpoint', {
        agentId,
        checkpointId: 'walt-first',
        generation: 1,
        parentCheckpointHash: null,
        checkpointHash: HASH,
        stateRoot: HASH,
        chunksRoot: HASH,
        serializer: 'NET-PORTABLE-MEMORY/1',
        encryption: 'AES-256-GCM',
        byteLength: 1,
        chunkCount: 1,
        barrier: { lastInputSequence: 0, lastOutputSequence: 0 },
        storageReplicas: ['here', 'there'].map((providerId) => ({
          providerId,
          uri: `https://${providerId}.example/blob`,
          bundleHash: HASH,
        })),
      });
      const prepare = (handoverId: string, expiresAtHeight: number) =>
        act('walt', 'prepareMemoryHandover', {
          agentId,
          handoverId,
          checkpointHash: HASH,
          targetProviderId: 'rune',
          targetRuntimeId: 'rune-1',
          expiresAtHeight,
        });
      await prepare('late', height + 20);
      await assert.rejects(prepare('sooner', height + 30), { code: 'MEMORY_HANDOVER_OPEN' });
      const restored = { providerId: 'rune', handoverId: 'late', restoredStateRoot: HASH };
      await network.mine(25);
      const { handovers } = await network.client.read('/v1/memory/handovers', { agentId });
      assert.deepEqual(
        handovers.map(({ status, abortCause }) => [status, abortCause]),
        [['ABORTED', 'EXPIRY']],
      );
      await network.event('MemoryHandoverExpired', { agent: 'walt' });
      await assert.rejects(act('rune', 'attestMemoryRestore', restored), {
        code: 'MEMORY_HANDOVER_STATUS',
      });
      await prepare('anew', height + 500);
    },
  );

  test('a session ends with its last height', inCampaign, async () => {
    const owner = await network.agent('walt');
    const { session } = await owner.grantSession({
      actions: ['transfer'],
      budget: '5 NET',
      expiresIn: 20,
    });
    await owner.stop();
    const key = await AgentKey.fromPem(session);
    const acting: Actor = { actorId: 'walt', sessionId: session.sessionId, key };
    await network.client.act(acting, 'transfer', { to: 'rita', amount: 5 });
    await network.mine(25);
    await assert.rejects(
      network.client.act(acting, 'transfer', { to: 'rita', amount: 5 }),
      (error: { code: string }) => /^SESSION_(EXPIRED|UNKNOWN)$/.test(error.code),
    );
  });

  test('a lost key is replaced by its guardians, after the delay', inCampaign, async () => {
    const guardians = ['rita', 'vito'];
    await act('walt', 'setAgentRecovery', { agentId: 'walt', guardians, threshold: 2 });
    // Guardians come into force after a delay, too.
    await network.advance(1_000, { blocks: 1_000 });
    const pair = labKey('walt-anew');
    const key = await AgentKey.fromPem(pair);
    const { signature } = await key.sign({
      schema: 'NET-KEY-RECOVERY/1',
      chainId: network.chainId,
      actorId: 'walt',
      newPublicKey: pair.publicKey,
    });
    const recovery = { recoveringAgentId: 'walt' };
    const { transitionHash: requestId } = await act('rita', 'requestAgentRecovery', {
      agentId: 'rita',
      ...recovery,
      newPublicKey: pair.publicKey,
      newKeySignature: signature,
    });
    await act('vito', 'approveAgentRecovery', { agentId: 'vito', ...recovery, requestId });
    const execute = () =>
      act('rita', 'executeAgentRecovery', { agentId: 'rita', ...recovery, requestId });
    await assert.rejects(execute(), { code: 'RECOVERY_DELAY_PENDING' });
    await network.advance(1_000, { blocks: 1_000 });
    await execute();
    const anew: Actor = { actorId: 'walt', key };
    await network.client.act(anew, 'transfer', { to: 'rita', amount: 1 });
    await assert.rejects(act('walt', 'transfer', { to: 'rita', amount: 1 }), {
      code: 'SIGNATURE_INVALID',
    });
  });

  test('what was done and what would be is listed rule by rule', async () => {
    const receipt = await act('walt', 'transfer', { to: 'rita', amount: 5 });
    const { trace, height } = await network.client.trace(receipt);
    assert.equal(height, receipt.height);
    assert.ok(trace.rules.every(({ holds }) => holds));
    const account = trace.writes.find(({ key }) => key === 'account/rita');
    const balances = [account?.before, account?.after].map(
      (record) => (record as { balance: number }).balance,
    );
    assert.deepEqual(balances, [100 * UNET_PER_NET, 100 * UNET_PER_NET + 5]);
    const too = { to: 'rita', amount: 1_000 * UNET_PER_NET };
    const client = new NetClient({ url: network.url });
    const walt = network.actor('walt');
    const would = await client.simulate(walt, 'transfer', too, { trace: true });
    assert.equal(would.outcome, 'refused');
    const last = would.trace?.rules.at(-1);
    assert.deepEqual(last, { code: 'INSUFFICIENT_BALANCE', holds: false, path: '/payload/amount' });
    assert.ok(!('trace' in (await client.simulate(walt, 'transfer', too))));
    await assert.rejects(network.client.trace(HASH), { code: 'TRANSITION_NOT_FOUND' });
  });
});
