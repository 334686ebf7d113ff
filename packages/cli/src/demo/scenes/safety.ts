/** During the vote, an audit finding is fixed and confirmed, and two auditors reproduce a wallet build. */
import { hashValue, type JsonObject } from '@netd/protocol';
import { act, names, type Stage } from '../stage.ts';

const AUDIT_LIFETIME = 500;
const WALLET_CHANNELS = ['NPM', 'DIRECT_DOWNLOAD'] as const;

export async function safety(stage: Stage): Promise<void> {
  await engage(stage);
  await attestWallet(stage);
}

async function engage(stage: Stage): Promise<void> {
  const { client, cast, operator, runId, say } = stage;
  const { auditor, reviewer } = cast;
  const engagementId = `demo-${runId}-audit`;
  const findingId = `${engagementId}-1`;
  const { height } = await client.network();
  await act(stage, operator, 'createAuditEngagement', {
    engagementId,
    title: 'How this devnet is run',
    scopeHash: hashValue({ engagementId, scope: 'keys, backups, and who may do what' }),
    auditorIds: [auditor.actorId, reviewer.actorId],
    dueAtHeight: height + AUDIT_LIFETIME,
  });
  const finding = (id: string, title: string): JsonObject => ({
    engagementId,
    findingId: id,
    findingHash: hashValue({ id, title }),
    title,
    component: 'operations',
  });
  await act(stage, reviewer, 'submitAuditFinding', {
    ...finding(findingId, 'The operator key has no backup'),
    auditorId: reviewer.actorId,
    severity: 'HIGH',
  });
  await act(stage, operator, 'respondAuditFinding', {
    findingId,
    response: 'FIXED',
    responseHash: hashValue({ findingId, answer: 'a sealed copy is kept elsewhere' }),
  });
  await act(stage, auditor, 'submitAuditFinding', {
    ...finding(`${engagementId}-2`, 'The fix holds'),
    auditorId: auditor.actorId,
    severity: 'INFO',
    confirms: findingId,
  });
  await act(stage, operator, 'closeAuditEngagement', { engagementId });
  say(
    `${reviewer.name} audits the operator and finds one thing; it is fixed, and ${auditor.name} confirms.`,
  );
  stage.show('The audit', `/v1/audits/${engagementId}`);
}

async function attestWallet(stage: Stage): Promise<void> {
  const { cast, runId, say } = stage;
  const { auditor, reviewer } = cast;
  const version = `0.1.0-demo.${runId}`;
  const artifactHash = hashValue({ wallet: version });
  for (const channel of WALLET_CHANNELS) {
    for (const { actorId, key, name } of [auditor, reviewer]) {
      await act(stage, { actorId, key }, 'attestWalletDistribution', {
        auditorId: actorId,
        channel,
        version,
        artifactHash,
        uri: `https://wallet.example/${channel.toLowerCase()}/${version}`,
        evidenceHash: hashValue({ channel, version, downloadedBy: name }),
      });
    }
  }
  say(
    `${names([auditor, reviewer])} find the same wallet build on ${WALLET_CHANNELS.length} channels.`,
  );
  stage.show('Wallet builds', '/v1/wallet/releases');
}
