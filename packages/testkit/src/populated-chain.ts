/** A chain with a bit of everything, for tests of documents. */
import { devnetGenesis, DEVNET_POLICY, type Submission } from '@netd/ledger';
import {
  acknowledgementOf,
  contributionOf,
  engagementOf,
  genesisProposalOf,
  handoverOf,
  messageOf,
  offerOf,
  OPERATOR,
  profileOf,
  resultOf,
  submissionOf,
  tokenOf,
  TOKEN_ACTIONS,
  walletOf,
} from '@netd/ledger/testing';
import { UNET_PER_NET, type Genesis, type Receipt } from '@netd/protocol';
import {
  applicationOf,
  beaconOf,
  checkpointOf,
  claimOf,
  signEnvelope,
  testKey,
  workOrderOf,
} from '@netd/protocol/testing';
import { ChainHarness, HARNESS_GENESIS, type HarnessOptions } from './chain-harness.ts';

/** Put wherever private data could enter an envelope; no document may show it. */
export const PRIVATE_MARK = 'MARK-OF-SOMETHING-PRIVATE';

const leak = { privateScope: PRIVATE_MARK, plaintext: { body: PRIVATE_MARK } };
const span = { heights: 1, milliseconds: 1 };

/** The harness's genesis with an instant dispute window. */
const GENESIS: Genesis = devnetGenesis({
  chainId: HARNESS_GENESIS.chainId,
  genesisTime: HARNESS_GENESIS.genesisTime,
  operator: { actorId: OPERATOR, publicKey: testKey(OPERATOR).publicKey },
  validator: { validatorId: 'validator-1', consensusPublicKey: testKey('validator').publicKey },
  policy: { ...DEVNET_POLICY, work: { ...DEVNET_POLICY.work, disputeWindow: span } },
});

const VERIFIERS = ['vera', 'vito'];
const PROVIDER = 'keeper';
const VALIDATOR = 'val';
const AUDITOR = 'vigil';

/** Officers: id, role, and the action applied for. */
const OFFICERS = [
  ...VERIFIERS.map((actorId) => [actorId, 'VERIFIER', 'voteWork'] as const),
  [PROVIDER, 'RUNTIME_PROVIDER', 'registerRuntimeOffer'] as const,
  [VALIDATOR, 'VALIDATOR', 'submitValidatorHeartbeat'] as const,
  [AUDITOR, 'AUDITOR', 'attestWalletDistribution'] as const,
];

/**
 * Builds the same chain each time, block by block.
 * alice recruited bob; bob recruited carol and dave (retired). bob qualified by the paid order o-1. o-2 is open to
 * all, o-3 is for carol.
 * bob has a beacon, messages with alice, memory, an open handover, and offered contribution c-1.
 * val is a bonded validator with a delegation. The operator offered proposal p-1 and opened audit-1. vigil attested a
 * wallet build.
 */
export async function openPopulated(
  options: Omit<HarnessOptions, 'genesis'>,
): Promise<ChainHarness> {
  const harness = await ChainHarness.open({ ...options, genesis: GENESIS });
  await harness.commit(harness.registration('alice', leak));
  await harness.commit(
    harness.registration('bob', { referrerAgentId: 'alice', description: 'reads' }),
  );
  await harness.commit(
    harness.registration('carol', { referrerAgentId: 'bob' }),
    harness.registration('dave', { referrerAgentId: 'bob' }),
  );
  await installOfficers(harness);
  await talkAndRemember(harness);
  await payForWork(harness);
  await commit(harness, harness.intent(OPERATOR, 'createWorkOrder', workOrderOf('o-2'), leak));
  await commit(
    harness,
    harness.intent(OPERATOR, 'createWorkOrder', workOrderOf('o-3', { agentId: 'carol' }), leak),
  );
  const stake = { validatorId: VALIDATOR, amount: 10 * UNET_PER_NET };
  await commit(harness, harness.intent(OPERATOR, 'delegate', stake, leak));
  await commit(harness, harness.intent(OPERATOR, 'undelegate', { ...stake, amount: UNET_PER_NET }));
  await commit(
    harness,
    harness.intent('bob', 'submitProtocolContribution', contributionOf(), leak),
  );
  await commit(
    harness,
    harness.intent(OPERATOR, 'submitProposal', genesisProposalOf({ governorId: OPERATOR }), leak),
  );
  await commit(
    harness,
    harness.intent(OPERATOR, 'createAuditEngagement', engagementOf(harness.chain), leak),
  );
  await commit(harness, harness.intent(AUDITOR, 'attestWalletDistribution', walletOf(AUDITOR)));
  await commit(
    harness,
    harness.intent(OPERATOR, 'setAgentStatus', { agentId: 'dave', status: 'retired' }),
  );
  return harness;
}

async function commit(harness: ChainHarness, intent: Submission): Promise<Receipt> {
  const [receipt] = await harness.commit(intent);
  if (!receipt) throw new Error(`an intent gave no receipt: ${intent.encoded.text}`);
  return receipt;
}

/** Applies, is invited and claims, for each officer. */
async function installOfficers(harness: ChainHarness): Promise<void> {
  for (const [actorId, role, action] of OFFICERS) {
    await harness.commit(harness.registration(actorId));
    await harness.commit(harness.gift(actorId, 2_000 * UNET_PER_NET));
    const key = testKey(actorId);
    const { chainId } = harness.genesis;
    const application = applicationOf(
      { actorId, key },
      {
        nonce: `application-${actorId}`,
        chainId,
        applicationId: `app-${actorId}`,
        role,
        capabilities: [{ action }],
        profile: profileOf(actorId, role),
        expiresAtHeight: harness.chain.height + 100,
        ...leak,
      },
    );
    await harness.commit(submissionOf('application', signEnvelope(key, application)));
    const { transitionHash: invitationId } = await commit(
      harness,
      harness.intent(OPERATOR, 'createOperatorInvitation', {
        applicationId: `app-${actorId}`,
        ...(role === 'VERIFIER' || role === 'AUDITOR'
          ? { independenceGroup: `group-${actorId}` }
          : {}),
      }),
    );
    const claim = claimOf({ actorId, key }, { nonce: `claim-${actorId}`, chainId, invitationId });
    await harness.commit(submissionOf('claim', signEnvelope(key, claim)));
  }
}

async function talkAndRemember(harness: ChainHarness): Promise<void> {
  let ids = 0;
  const at = {
    get height() {
      return harness.chain.height;
    },
    freshNonce: () => `message-${++ids}`,
  };
  await commit(
    harness,
    harness.intent('bob', 'publishBeacon', beaconOf('bob', harness.chain.height), leak),
  );
  await commit(
    harness,
    harness.intent('carol', 'publishBeacon', beaconOf('carol', harness.chain.height)),
  );
  await commit(
    harness,
    harness.intent('bob', 'setAgentRecovery', {
      agentId: 'bob',
      guardians: ['alice'],
      threshold: 1,
    }),
  );
  await commit(
    harness,
    harness.intent('bob', 'sendAgentMessage', messageOf(at, 'bob', 'alice'), leak),
  );
  await commit(
    harness,
    harness.intent('bob', 'sendAgentMessage', messageOf(at, 'bob', 'alice', { sequence: 2 }), leak),
  );
  await commit(
    harness,
    harness.intent('alice', 'acknowledgeAgentMessage', acknowledgementOf('alice', 'message-1')),
  );
  await commit(
    harness,
    harness.intent('bob', 'commitMemoryCheckpoint', checkpointOf('bob', 1), leak),
  );
  await commit(
    harness,
    harness.intent(PROVIDER, 'registerRuntimeOffer', offerOf(at, PROVIDER, 'runtime-1')),
  );
  const handover = handoverOf(at, 'bob', 'of-bob', { targetProviderId: PROVIDER });
  await commit(harness, harness.intent('bob', 'prepareMemoryHandover', handover, leak));
  await commit(
    harness,
    harness.intent('bob', 'extendAgentCapabilities', { agentId: 'bob', actions: TOKEN_ACTIONS }),
  );
  await commit(
    harness,
    harness.intent('bob', 'createToken', tokenOf({ mintAuthority: 'bob' }), leak),
  );
}

async function payForWork(harness: ChainHarness): Promise<void> {
  const validationPolicy = {
    schema: 'NET-WORK-VALIDATION-POLICY/1',
    mode: 'INDEPENDENT_REVIEW',
    proofTypes: ['ARTIFACT_HASH'],
    requiredAccepts: 2,
    minIndependentGroups: 2,
    committeeSize: 2,
    sampleRateBps: 0,
  };
  await commit(
    harness,
    harness.intent(OPERATOR, 'createWorkOrder', workOrderOf('o-1', { validationPolicy }), leak),
  );
  await commit(harness, harness.intent('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' }));
  await commit(harness, harness.intent('bob', 'submitWorkResult', resultOf('o-1'), leak));
  await harness.advance(20_000);
  for (const verifierId of VERIFIERS) {
    const payload = { orderId: 'o-1', verifierId, vote: 'ACCEPT', evidenceHash: 'e'.repeat(64) };
    await commit(harness, harness.intent(verifierId, 'voteWork', payload));
  }
  await harness.advance(20_000);
  await commit(harness, harness.intent('carol', 'settleVerifiedWork', { orderId: 'o-1' }));
}
