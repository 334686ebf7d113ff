import type { ChainPosition, Genesis } from '@netd/protocol';

export type WalletChannelName =
  'CHROME_WEB_STORE' | 'FIREFOX_ADDONS' | 'NPM' | 'APP_STORE' | 'PLAY_STORE' | 'DIRECT_DOWNLOAD';

export interface WalletAttestation {
  auditorId: string;
  independenceGroup: string;
  artifactHash: string;
  uri: string;
  evidenceHash: string;
  attestedAt: ChainPosition;
  transitionHash: string;
}

/** One version of a wallet build on one channel, as auditors found it there. */
export interface WalletDistributionRecord {
  channel: WalletChannelName;
  version: string;
  /** ATTESTED: two groups found the same artifact. CONFLICTING: they did so for two artifacts. */
  status: 'PENDING' | 'ATTESTED' | 'CONFLICTING';
  /** Null unless ATTESTED. */
  artifactHash: string | null;
  /** One per group, at most MAX_ATTESTATIONS. */
  attestations: WalletAttestation[];
  firstAttestedAt: ChainPosition;
}

/** The last ATTESTED build of a channel; deleted if it conflicts. */
export interface WalletChannelRecord {
  channel: WalletChannelName;
  version: string;
  artifactHash: string;
  attestedAt: ChainPosition;
}

export type FindingSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO';

export interface AuditEngagementRecord {
  engagementId: string;
  title: string;
  scopeHash: string;
  operatorId: string;
  /** Null if every auditor may submit findings. */
  auditorIds: string[] | null;
  dueAtHeight: number;
  /** EXPIRED: no report came in time, so it counts as no audit. */
  status: 'OPEN' | 'CLOSED' | 'EXPIRED';
  /** All findings, including confirmations. */
  findings: number;
  /** Findings that confirm an operator's answer. */
  confirmations: number;
  /** Open findings by severity. */
  open: { CRITICAL: number; HIGH: number; MEDIUM: number; LOW: number };
  reportHash: string | null;
  createdAt: ChainPosition;
  closedAt: ChainPosition | null;
}

export type FindingResponse = 'ACCEPTED' | 'FIXED' | 'DISPUTED' | 'RISK_ACCEPTED';

export interface AuditFindingRecord {
  findingId: string;
  engagementId: string;
  auditorId: string;
  severity: FindingSeverity;
  findingHash: string;
  title: string;
  component: string;
  /** The finding whose answer this one confirms. */
  confirms: string | null;
  /** The operator's last answer. */
  response: {
    response: FindingResponse;
    responseHash: string;
    operatorId: string;
    at: ChainPosition;
  } | null;
  /** True while it needs an answer or a confirmation. */
  open: boolean;
  /** The finding of the auditor who confirmed the answer. */
  confirmedBy: string | null;
  submittedAt: ChainPosition;
  transitionHash: string;
}

export interface SealedGenesisRecord {
  genesisHash: string;
  proposalId: string;
  readinessHash: string;
  genesis: Genesis;
  /** The last state before the sealing, in which every account can prove its holdings. */
  migration: { chainId: string; height: number; blockHash: string; stateRoot: string };
  sealedBy: string;
  sealedAt: ChainPosition;
  transitionHash: string;
}
