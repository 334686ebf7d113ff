import {
  ActorId,
  ChainPosition,
  Hash,
  Height,
  HttpsUri,
  RecordId,
  type Genesis,
} from '@netd/protocol';
import { exactly, orNull, Type, type Static } from '@netd/protocol/type';

export const WALLET_CHANNELS = [
  'CHROME_WEB_STORE',
  'FIREFOX_ADDONS',
  'NPM',
  'APP_STORE',
  'PLAY_STORE',
  'DIRECT_DOWNLOAD',
] as const;
type WalletChannelName = (typeof WALLET_CHANNELS)[number];

export const WalletVersion = Type.String({
  pattern: '^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$',
  description: '1 to 64 letters, digits, dots, pluses or hyphens, as 1.4.0.',
});

const WalletAttestation = exactly({
  auditorId: ActorId,
  independenceGroup: Type.String(),
  artifactHash: Hash,
  uri: HttpsUri,
  evidenceHash: Hash,
  attestedAt: ChainPosition,
  transitionHash: Hash,
});
export type WalletAttestation = Static<typeof WalletAttestation>;

export const WalletDistributionRecord = exactly({
  channel: Type.Enum([...WALLET_CHANNELS]),
  version: WalletVersion,
  // ATTESTED: two groups found the same artifact.
  status: Type.Enum(['PENDING', 'ATTESTED', 'CONFLICTING'], {
    description: 'CONFLICTING: two artifacts of one version were attested; trust neither.',
  }),
  artifactHash: orNull(Hash, 'The artifact that counts; null unless ATTESTED.'),
  attestations: Type.Array(WalletAttestation),
  firstAttestedAt: ChainPosition,
});
export type WalletDistributionRecord = Static<typeof WalletDistributionRecord>;

/** The attested build of a channel. The record is deleted if two builds conflict. */
export interface WalletChannelRecord {
  channel: WalletChannelName;
  version: string;
  artifactHash: string;
  attestedAt: ChainPosition;
}

export const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type FindingSeverity = (typeof SEVERITIES)[number];

export const OpenFindings = exactly(
  {
    CRITICAL: Type.Integer(),
    HIGH: Type.Integer(),
    MEDIUM: Type.Integer(),
    LOW: Type.Integer(),
  },
  { title: 'OpenFindings', description: 'Findings that are open, by severity.' },
);

export const AuditEngagementRecord = exactly(
  {
    engagementId: RecordId,
    title: Type.String(),
    scopeHash: Hash,
    operatorId: Type.String({ ...ActorId, description: 'Who opened it.' }),
    auditorIds: orNull(Type.Array(ActorId), 'Who may submit findings; null: every auditor.'),
    dueAtHeight: Height,
    status: Type.Enum(['OPEN', 'CLOSED', 'EXPIRED'], {
      description: 'EXPIRED: there was no report until it was due; it counts as no audit.',
    }),
    // Findings with their confirmations.
    findings: Type.Integer(),
    confirmations: Type.Integer(),
    open: OpenFindings,
    reportHash: orNull(Hash),
    createdAt: ChainPosition,
    closedAt: orNull(ChainPosition),
  },
  { title: 'AuditEngagement' },
);
export type AuditEngagementRecord = Static<typeof AuditEngagementRecord>;

export const FindingResponse = Type.Enum(['ACCEPTED', 'FIXED', 'DISPUTED', 'RISK_ACCEPTED']);
export type FindingResponse = Static<typeof FindingResponse>;

export const AuditFindingRecord = exactly({
  findingId: RecordId,
  engagementId: RecordId,
  auditorId: ActorId,
  severity: Type.Enum([...SEVERITIES]),
  findingHash: Hash,
  title: Type.String(),
  component: Type.String(),
  confirms: orNull(RecordId),
  response: orNull(
    exactly({
      response: FindingResponse,
      responseHash: Hash,
      operatorId: ActorId,
      at: ChainPosition,
    }),
    "The operator's last answer.",
  ),
  open: Type.Boolean(),
  confirmedBy: orNull(RecordId, "The auditor's finding that confirmed the answer."),
  submittedAt: ChainPosition,
  transitionHash: Hash,
});
export type AuditFindingRecord = Static<typeof AuditFindingRecord>;

export interface SealedGenesisRecord {
  genesisHash: string;
  proposalId: string;
  readinessHash: string;
  genesis: Genesis;
  /** The last state before the sealing, with which holdings are proven. */
  migration: { chainId: string; height: number; blockHash: string; stateRoot: string };
  sealedBy: string;
  sealedAt: ChainPosition;
  transitionHash: string;
}
