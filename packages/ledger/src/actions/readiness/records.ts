/** What the state holds of wallet builds, audits and the sealed genesis. */
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
  /** ATTESTED: two groups found the same artifact. CONFLICTING: they did so for two different ones. */
  status: 'PENDING' | 'ATTESTED' | 'CONFLICTING';
  /** The one artifact that two groups found; null unless ATTESTED. */
  artifactHash: string | null;
  /** Attestations, one of a group, at most MAX_ATTESTATIONS. */
  attestations: WalletAttestation[];
  firstAttestedAt: ChainPosition;
}

/** The build that last became ATTESTED on a channel; gone once it conflicts. */
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
  /** Commitment to what is audited. */
  scopeHash: string;
  /** The operator that opened it. */
  operatorId: string;
  /** Null where every auditor may submit. */
  auditorIds: string[] | null;
  dueAtHeight: number;
  /** EXPIRED: no report came in time; it counts as no audit. */
  status: 'OPEN' | 'CLOSED' | 'EXPIRED';
  /** Submitted, confirmations among them. */
  findings: number;
  /** How many of the findings confirm what an operator answered. */
  confirmations: number;
  /** Findings that are open, by severity. */
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
  /** Whether it still asks for something to be done. */
  open: boolean;
  /** The auditor's finding that confirmed the answer. */
  confirmedBy: string | null;
  submittedAt: ChainPosition;
  transitionHash: string;
}

export interface SealedGenesisRecord {
  genesisHash: string;
  proposalId: string;
  readinessHash: string;
  genesis: Genesis;
  /** The state in which every account can prove its holdings: the last before the sealing. */
  migration: { chainId: string; height: number; blockHash: string; stateRoot: string };
  sealedBy: string;
  sealedAt: ChainPosition;
  transitionHash: string;
}
