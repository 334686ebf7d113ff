/** Names of lists. COLLECTIONS assigns records to them. */
import type { ChainPosition } from '@netd/protocol';

/** Lists with the newest record first. All share one table of the store, so names are unique. */
export const LISTS = {
  agent: ['agents'],
  beacon: ['beacons', 'beacons-by-capability', 'beacons-by-protocol'],
  'node-heartbeat': ['nodes'],
  referral: ['referrals', 'referrals-by-referrer'],
  order: [
    'orders',
    'orders-by-status',
    'orders-by-mode',
    'orders-by-requester',
    'orders-by-agent',
    'orders-open-for-agent',
    'orders-open-market',
    'orders-open-by-requirement',
    'orders-open-without-requirements',
  ],
  message: [
    'messages',
    'messages-by-status',
    'messages-by-conversation',
    'messages-by-agent',
    'messages-by-agent-and-status',
  ],
  'memory-checkpoint': ['memory-checkpoints', 'memory-checkpoints-by-agent'],
  'memory-handover': ['memory-handovers', 'memory-handovers-by-agent'],
  token: ['tokens'],
  application: ['applications', 'applications-by-status'],
  invitation: ['invitations', 'invitations-by-status'],
  verifier: ['verifiers', 'verifiers-active'],
  'validator-candidate': ['validator-candidates', 'validator-candidates-active'],
  'runtime-provider': ['runtime-providers', 'runtime-providers-active'],
  auditor: ['auditors', 'auditors-active'],
  unbonding: ['unbondings-by-delegator', 'unbondings-by-validator'],
  'validator-heartbeat': ['validator-heartbeats'],
  'validator-fault': ['validator-faults', 'validator-faults-by-validator'],
  contribution: [
    'contributions',
    'contributions-by-status',
    'contributions-by-author',
    'contributions-by-author-and-status',
  ],
  'contribution-receipt': ['contribution-receipts'],
  proposal: ['proposals', 'proposals-by-status'],
  'proposal-vote': ['proposal-votes'],
  release: ['releases'],
  'wallet-distribution': ['wallet-distributions', 'wallet-distributions-by-channel'],
  'audit-engagement': ['audit-engagements', 'audit-engagements-by-status'],
  'audit-finding': ['audit-findings', 'audit-findings-by-engagement'],
} as const;

/** Indexes with the highest rank first. They share the table and the names of the lists. */
export const SORTED_INDEXES = {
  'token-holder': ['token-holders'],
  delegator: ['delegators'],
  location: ['locations'],
} as const;

export type ListedCollection = keyof typeof LISTS;
export type ListName<Collection extends ListedCollection> = (typeof LISTS)[Collection][number];

export type SortedCollection = keyof typeof SORTED_INDEXES;
export type SortedIndexName<Collection extends SortedCollection> =
  (typeof SORTED_INDEXES)[Collection][number];

export interface ListEntry<List extends string = string> {
  list: List;
  value: string;
  position: ChainPosition;
}

/** An entry under `list` and `value`, highest rank first, equal ranks by state key. */
export interface SortedIndexEntry<List extends string = string> {
  list: List;
  value: string;
  rank: number;
}
