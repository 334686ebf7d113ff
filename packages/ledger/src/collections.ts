/**
 * Every collection of the state in one table: the prefix of its keys, what its records are, which of them fall due
 * at a height, and by which members they are listed. A state key is `<collection>/<id>`.
 */
import type { ChainPosition, JsonObject, ProtectiveDelay, Validator } from '@netd/protocol';
import type { Capability, Role } from './authority.ts';

export interface ChainRecord {
  chainId: string;
  epoch: number;
  genesisHash: string;
  genesisTime: string;
  open: boolean;
}

export interface PolicyRecord {
  faucet: { enabled: boolean; perRequest: number; perAccount: number; perDay: number };
  recoveryDelay: ProtectiveDelay;
}

/** Who may sign for an actor id, and what for. */
export interface AuthorityRecord {
  actorId: string;
  publicKey: string;
  publicKeyHash: string;
  roles: Role[];
  /** Beyond what the roles carry by themselves. */
  capabilities: Capability[];
  active: boolean;
}

export type AgentStatus = 'active' | 'suspended' | 'retired';

export interface AgentRecord {
  agentId: string;
  description: string;
  status: AgentStatus;
  referrerAgentId: string | null;
  registeredAt: ChainPosition;
}

/** A public key that was ever registered, by its 32 raw bytes in hex. It stays for good. */
export interface KeyRecord {
  actorId: string;
}

export interface BeaconRecord {
  agentId: string;
  /** The highest sequence ever published; it survives withdrawal. */
  lastSequence: number;
  /** As signed; null after withdrawal. */
  beacon:
    (JsonObject & { capabilities: string[]; protocols: string[]; expiresAtHeight: number }) | null;
  publishedAt: ChainPosition;
}

export interface Guardians {
  agentIds: string[];
  threshold: number;
}

/** A point from which a protective delay counts. */
export interface Moment {
  height: number;
  time: number;
}

export interface RecoveryRecord {
  agentId: string;
  guardians: Guardians;
  /** Takes the place of `guardians` once the protective delay since `announced` has passed. */
  nextGuardians: (Guardians & { announced: Moment }) | null;
  request: {
    requestId: string;
    newPublicKey: string;
    /** The guardians in force when it was requested: changing them later does not stop it. */
    guardians: Guardians;
    approvals: string[];
    requested: Moment;
    /** When the threshold was reached; null before. */
    approved: Moment | null;
  } | null;
  /** How often the key has cancelled a request since the last recovery. */
  cancellations: number;
}

export interface NodeHeartbeatRecord {
  agentId: string;
  sequence: number;
  observedHeight: number;
  observedStateRoot: string;
  nodeVersion: string;
  endpoint: string | null;
  region: string | null;
  countryCode: string | null;
  faultDomain: string | null;
  receivedAt: ChainPosition;
}

export interface ReferralRecord {
  agentId: string;
  referrerAgentId: string;
  status: 'pending' | 'qualified';
  registeredAt: ChainPosition;
  /** The transition of the settled work that qualified it. */
  qualifyingTransitionHash: string | null;
}

export interface AccountRecord {
  accountId: string;
  /** In unet. */
  balance: number;
  /** What the faucet has paid to it, ever. */
  faucetReceived: number;
}

/** What the faucet has paid in one UTC day of header time. */
export interface FaucetDayRecord {
  day: number;
  paid: number;
}

export interface RecentRootRecord {
  height: number;
  blockHash: string;
  stateRoot: string;
}

export interface CommitmentRecord {
  transitionsRoot: string;
  eventsRoot: string;
}

export interface SpentNonce {
  hash: string;
  expiry: number;
}

/** The record types by collection. */
export interface Collections {
  chain: ChainRecord;
  policy: PolicyRecord;
  validator: Validator;
  authority: AuthorityRecord;
  agent: AgentRecord;
  key: KeyRecord;
  beacon: BeaconRecord;
  recovery: RecoveryRecord;
  'node-heartbeat': NodeHeartbeatRecord;
  referral: ReferralRecord;
  account: AccountRecord;
  'faucet-day': FaucetDayRecord;
  supply: number;
  counter: number;
  'recent-root': RecentRootRecord;
  commitment: CommitmentRecord;
  nonce: SpentNonce[];
}

export type CollectionName = keyof Collections;

/** An entry of a list: records are found under `list` and `value`, newest first by `position`. */
export interface ListEntry {
  list: string;
  /** '' for the list of all. */
  value: string;
  position: ChainPosition;
}

interface CollectionInfo<Record> {
  /** What a reader of the raw state should know. */
  summary: string;
  /** The first height at which the record has something to happen to it; the store keeps these in order. */
  dueAtHeight?: (record: Record) => number | null;
  /** The lists the record stands in. */
  lists?: (record: Record) => ListEntry[];
  /** The last height at which it stands in them. */
  listedUntil?: (record: Record) => number | null;
}

export const COLLECTIONS: { readonly [Name in CollectionName]: CollectionInfo<Collections[Name]> } =
  {
    chain: { summary: 'chain/identity: chain id, epoch, genesis hash and time, open mode.' },
    policy: { summary: 'policy/limits: the bounds genesis set.' },
    validator: { summary: 'The validators of genesis, by id.' },
    authority: { summary: 'Key, roles and capabilities, by actor id.' },
    agent: {
      summary: 'The public record of an agent, by id.',
      lists: (agent) => [{ list: 'agents', value: '', position: agent.registeredAt }],
    },
    key: { summary: 'Every public key ever registered, by raw key in hex: no key is used twice.' },
    beacon: {
      summary: 'The latest beacon of an agent and its highest sequence, by agent id.',
      lists: ({ beacon, publishedAt }) => {
        if (!beacon) return [];
        const entry = (list: string, value: string): ListEntry => ({
          list,
          value,
          position: publishedAt,
        });
        return [
          entry('beacons', ''),
          ...beacon.capabilities.map((capability) => entry('beacons-by-capability', capability)),
          ...beacon.protocols.map((protocol) => entry('beacons-by-protocol', protocol)),
        ];
      },
      listedUntil: ({ beacon }) => beacon?.expiresAtHeight ?? null,
    },
    recovery: { summary: 'Guardians and a pending key recovery, by agent id.' },
    'node-heartbeat': {
      summary: 'The last heartbeat of a follower node, by agent id.',
      lists: (heartbeat) => [{ list: 'nodes', value: '', position: heartbeat.receivedAt }],
    },
    referral: {
      summary:
        'Who recruited an agent and whether paid work has qualified it, by recruited agent id.',
      lists: (referral) => [
        { list: 'referrals', value: '', position: referral.registeredAt },
        {
          list: 'referrals-by-referrer',
          value: referral.referrerAgentId,
          position: referral.registeredAt,
        },
      ],
    },
    account: {
      summary: 'Balances in unet, by actor id or net:<class> for the accounts of genesis.',
    },
    'faucet-day': { summary: 'faucet-day/today: what the faucet paid on the last day it paid.' },
    supply: { summary: 'The total of each accounting class; together always the whole supply.' },
    counter: { summary: 'Maintained counts, so that nothing is ever counted by walking.' },
    'recent-root': {
      summary:
        'Height, block hash and state root of predecessors of blocks with transitions, by height modulo 1,024.',
    },
    commitment: {
      summary:
        'commitment/latest: the roots of the last block with transitions, so that the state root covers them.',
    },
    nonce: {
      summary:
        'Spent nonces of a block with their expiries, by height; gone when all have expired.',
      dueAtHeight: (spent) => spent.reduce((latest, { expiry }) => Math.max(latest, expiry), 0) + 1,
    },
  };

export function stateKey(collection: CollectionName, id: string): string {
  return `${collection}/${id}`;
}

/** The collection and id of a state key, or null where the text is not one. */
export function parseStateKey(key: string): { collection: CollectionName; id: string } | null {
  const slash = key.indexOf('/');
  const collection = key.slice(0, slash);
  if (slash < 1 || !Object.hasOwn(COLLECTIONS, collection)) return null;
  return { collection: collection as CollectionName, id: key.slice(slash + 1) };
}
