/** A chain on which a bit of everything has happened: what documents are built from in tests. */
import { devnetGenesis, DEVNET_POLICY, type Submission } from '@netd/ledger';
import {
  acknowledgementOf,
  beaconOf,
  checkpointOf,
  contributionOf,
  engagementOf,
  genesisProposalOf,
  handoverOf,
  messageOf,
  offerOf,
  OPERATOR,
  profileOf,
  resultOf,
  signEnvelope,
  submissionOf,
  testKey,
  tokenOf,
  TOKEN_ACTIONS,
  workOrderOf,
} from '@netd/ledger/testing';
import { UNET_PER_NET, type Genesis, type JsonObject, type Receipt } from '@netd/protocol';
import { ChainRig, RIG_GENESIS, type RigOptions } from './chain-rig.ts';

/** Stands in every place where something private could have got into an envelope; no document may show it. */
export const PRIVATE_MARK = 'MARK-OF-SOMETHING-PRIVATE';

const leak = { privateScope: PRIVATE_MARK, plaintext: { body: PRIVATE_MARK } };
const span = { heights: 1, milliseconds: 1 };

/** As the rig's, with a dispute window that is over at once. */
const GENESIS: Genesis = devnetGenesis({
  chainId: RIG_GENESIS.chainId,
  genesisTime: RIG_GENESIS.genesisTime,
  operator: { actorId: OPERATOR, publicKey: testKey(OPERATOR).publicKey },
  validator: { validatorId: 'validator-1', consensusPublicKey: testKey('validator').publicKey },
  policy: { ...DEVNET_POLICY, work: { ...DEVNET_POLICY.work, disputeWindow: span } },
});

const VERIFIERS = ['vera', 'vito'];
const PROVIDER = 'keeper';
const VALIDATOR = 'val';

/** Who holds which office, and the one action it applies for. */
const OFFICERS = [
  ...VERIFIERS.map((actorId) => [actorId, 'VERIFIER', 'voteWork'] as const),
  [PROVIDER, 'RUNTIME_PROVIDER', 'registerRuntimeOffer'] as const,
  [VALIDATOR, 'VALIDATOR', 'submitValidatorHeartbeat'] as const,
];

/**
 * Opens a chain and plays the same play on it, block by block: equal chains come of it.
 *
 * alice recruited bob, bob recruited carol and dave. bob was paid for o-1, which qualified him; o-2 is open to all,
 * o-3 is for carol. dave is retired. bob has a beacon, messages with alice, memory and an open handover. val is a bonded validator
 * with a delegation. bob offered the contribution c-1, the operator the proposal p-1, and it opened
 * audit-1.
 */
export async function openPopulated(options: Omit<RigOptions, 'genesis'>): Promise<ChainRig> {
  const rig = await ChainRig.open({ ...options, genesis: GENESIS });
  await rig.commit(rig.registration('alice', leak));
  await rig.commit(rig.registration('bob', { referrerAgentId: 'alice', description: 'reads' }));
  await rig.commit(
    rig.registration('carol', { referrerAgentId: 'bob' }),
    rig.registration('dave', { referrerAgentId: 'bob' }),
  );
  await installOfficers(rig);
  await talkAndRemember(rig);
  await payForWork(rig);
  await act(rig, OPERATOR, 'createWorkOrder', workOrderOf('o-2'), leak);
  await act(rig, OPERATOR, 'createWorkOrder', workOrderOf('o-3', { agentId: 'carol' }), leak);
  const stake = { validatorId: VALIDATOR, amount: 10 * UNET_PER_NET };
  await act(rig, OPERATOR, 'delegate', stake, leak);
  await act(rig, OPERATOR, 'undelegate', { ...stake, amount: UNET_PER_NET });
  await act(rig, 'bob', 'submitProtocolContribution', contributionOf(), leak);
  await act(rig, OPERATOR, 'submitProposal', genesisProposalOf({ governorId: OPERATOR }), leak);
  await act(rig, OPERATOR, 'createAuditEngagement', engagementOf(rig.chain), leak);
  await act(rig, OPERATOR, 'setAgentStatus', { agentId: 'dave', status: 'retired' });
  return rig;
}

async function act(
  rig: ChainRig,
  actorId: string,
  action: string,
  payload: JsonObject,
  members: JsonObject = {},
): Promise<Receipt> {
  const [receipt] = await rig.commit(rig.intent(actorId, action, payload, members));
  if (!receipt) throw new Error(`${action} gave no receipt`);
  return receipt;
}

/** Each applies, is invited, and claims. */
async function installOfficers(rig: ChainRig): Promise<void> {
  for (const [actorId, role, action] of OFFICERS) {
    await rig.commit(rig.registration(actorId));
    await rig.commit(rig.gift(actorId, 2_000 * UNET_PER_NET));
    await rig.commit(
      selfSigned(rig, actorId, 'application', {
        schema: 'NET-OPERATOR-APPLICATION/1',
        applicationId: `app-${actorId}`,
        role,
        capabilities: [{ action }],
        profile: profileOf(actorId, role),
        expiresAtHeight: rig.chain.height + 100,
        ...leak,
      }),
    );
    const { transitionHash: invitationId } = await act(rig, OPERATOR, 'createOperatorInvitation', {
      applicationId: `app-${actorId}`,
      ...(role === 'VERIFIER' ? { independenceGroup: `group-${actorId}` } : {}),
    });
    const schema = 'NET-OPERATOR-INVITATION-CLAIM/1';
    await rig.commit(selfSigned(rig, actorId, 'claim', { schema, invitationId }));
  }
}

function selfSigned(
  rig: ChainRig,
  actorId: string,
  kind: 'application' | 'claim',
  members: JsonObject,
): Submission {
  const { publicKey, publicKeyHash, ...key } = testKey(actorId);
  return submissionOf(
    kind,
    signEnvelope(key, {
      actorId,
      publicKey,
      publicKeyHash,
      nonce: `${kind}-${actorId}`,
      chainId: rig.genesis.chainId,
      ...members,
    }),
  );
}

async function talkAndRemember(rig: ChainRig): Promise<void> {
  let ids = 0;
  const at = {
    get height() {
      return rig.chain.height;
    },
    freshNonce: () => `message-${++ids}`,
  };
  await act(rig, 'bob', 'publishBeacon', beaconOf('bob', rig.chain.height), leak);
  await act(rig, 'carol', 'publishBeacon', beaconOf('carol', rig.chain.height));
  await act(rig, 'bob', 'setAgentRecovery', { agentId: 'bob', guardians: ['alice'], threshold: 1 });
  await act(rig, 'bob', 'sendAgentMessage', messageOf(at, 'bob', 'alice'), leak);
  await act(rig, 'bob', 'sendAgentMessage', messageOf(at, 'bob', 'alice', { sequence: 2 }), leak);
  await act(rig, 'alice', 'acknowledgeAgentMessage', acknowledgementOf('alice', 'message-1'));
  await act(rig, 'bob', 'commitMemoryCheckpoint', checkpointOf('bob', 1), leak);
  await act(rig, PROVIDER, 'registerRuntimeOffer', offerOf(at, PROVIDER, 'runtime-1'));
  const handover = handoverOf(at, 'bob', 'of-bob', { targetProviderId: PROVIDER });
  await act(rig, 'bob', 'prepareMemoryHandover', handover, leak);
  await act(rig, 'bob', 'extendAgentCapabilities', { agentId: 'bob', actions: TOKEN_ACTIONS });
  await act(rig, 'bob', 'createToken', tokenOf({ mintAuthority: 'bob' }), leak);
}

async function payForWork(rig: ChainRig): Promise<void> {
  const validationPolicy = {
    schema: 'NET-WORK-VALIDATION-POLICY/1',
    mode: 'INDEPENDENT_REVIEW',
    proofTypes: ['ARTIFACT_HASH'],
    requiredAccepts: 2,
    minIndependentGroups: 2,
    committeeSize: 2,
    sampleRateBps: 0,
  };
  await act(rig, OPERATOR, 'createWorkOrder', workOrderOf('o-1', { validationPolicy }), leak);
  await act(rig, 'bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
  await act(rig, 'bob', 'submitWorkResult', resultOf('o-1'), leak);
  await rig.advance(20_000);
  for (const verifierId of VERIFIERS) {
    const payload = { orderId: 'o-1', verifierId, vote: 'ACCEPT', evidenceHash: 'e'.repeat(64) };
    await act(rig, verifierId, 'voteWork', payload);
  }
  await rig.advance(20_000);
  await act(rig, 'carol', 'settleVerifiedWork', { orderId: 'o-1' });
}
