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

export interface WalletDistributionRecord {
  channel: WalletChannelName;
  version: string;
  /** ATTESTED: two groups found the same artifact. CONFLICTING: they did so for two artifacts. */
  status: 'PENDING' | 'ATTESTED' | 'CONFLICTING';
  artifactHash: string | null;
  /** One per group. */
  attestations: WalletAttestation[];
  firstAttestedAt: ChainPosition;
}

/** Deleted if the build conflicts. */
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
  /** Null if every auditor may report. */
  auditorIds: string[] | null;
  dueAtHeight: number;
  /** EXPIRED: no report came in time. */
  status: 'OPEN' | 'CLOSED' | 'EXPIRED';
  /** Includes confirmations. */
  findings: number;
  confirmations: number;
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
  confirms: string | null;
  response: {
    response: FindingResponse;
    responseHash: string;
    operatorId: string;
    at: ChainPosition;
  } | null;
  open: boolean;
  confirmedBy: string | null;
  submittedAt: ChainPosition;
  transitionHash: string;
}

export interface SealedGenesisRecord {
  genesisHash: string;
  proposalId: string;
  readinessHash: string;
  genesis: Genesis;
  /** The last state before the sealing, to prove holdings. */
  migration: { chainId: string; height: number; blockHash: string; stateRoot: string };
  sealedBy: string;
  sealedAt: ChainPosition;
  transitionHash: string;
}
