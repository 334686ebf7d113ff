import type { AgentMetadata } from '@netd/formats';
import { BOUNDS, type Bounds } from '../bounds.ts';
import type { OptionNames } from '../option-names.ts';
import type { ReachFailpoint } from './failpoints.ts';
import type { AgentHome } from './home.ts';
import type { Telemetry } from './telemetry.ts';

/** `timeout` and `signal` bound the opening. Without them, it waits as long as the node is away. */
export interface AgentOptions extends Bounds {
  /** Address of the node; default $NET_URL in Node, otherwise http://127.0.0.1:8420. */
  url?: string | undefined;
  /** Capabilities that are matched against orders; default ['general']. */
  capabilities?: readonly string[] | undefined;
  /** Public text in registration and metadata. */
  description?: string | undefined;
  /** The agent that recruited this one. */
  referrer?: string | undefined;
  /**
   * Genesis hash from a source other than the node. With it the agent requires proofs of orders, senders,
   * keys, memory, receipts and heights.
   */
  genesisHash?: string | undefined;
  /** Origins of blob stores; default those that the network announces. */
  blobs?: readonly string[] | undefined;
  /**
   * Stores that may be asked at any address, such as loopback. Strangers may only name public addresses, and
   * those of the node's private network.
   */
  trustedOrigins?: readonly string[] | undefined;
  /** Address with https for the beacon; default the address of its metadata. */
  endpoint?: string | undefined;
  /** Protocols in the beacon; default messages only. */
  protocols?: readonly string[] | undefined;
  /** False to leave the beacon alone, for one-off programs. */
  beacon?: boolean | undefined;
  /** False to neither load nor check the memory. */
  memory?: boolean | undefined;
  /** Runtime of this process, if the memory moved to one. */
  runtime?: string | undefined;
  /** Prices in its public metadata. They are not binding. */
  prices?: AgentMetadata['prices'] | undefined;
  /** Links in its public metadata. */
  links?: AgentMetadata['links'] | undefined;
  /** Passphrase that encrypts the agent's key files, also those that were plain before. */
  passphrase?: string | undefined;
  /** Directory of key files; default $NET_HOME, otherwise ~/.netd/keys. State is in the directory `agents` beside it. */
  keys?: string | undefined;
  /** Storage of keys and state outside of Node, or shared by several machines: `leasedHome(store)`. */
  home?: AgentHome | undefined;
  /**
   * True to wait while another process runs the agent, and to take over when it ends. The state must be shared: a
   * directory of one machine, or a leased home.
   */
  standby?: boolean | undefined;
  /** Tracer and meter of OpenTelemetry, for spans and metrics of jobs, orders, money and waits. */
  telemetry?: Telemetry | undefined;
  /** Receives a line per event without a listener; default console.log. */
  log?: (((line: string) => void) | false) | undefined;
  /** For tests: called at each step that a crash could interrupt. */
  reach?: ReachFailpoint | undefined;
}

/** Options of `Agent.openSession`. A session publishes no beacon, and its file is not sealed. */
export type SessionAgentOptions = Omit<
  AgentOptions,
  'description' | 'referrer' | 'endpoint' | 'protocols' | 'prices' | 'links' | 'passphrase'
>;

export const SESSION_AGENT_OPTIONS: OptionNames<SessionAgentOptions> = {
  url: true,
  capabilities: 'texts',
  genesisHash: 'hash',
  blobs: 'texts',
  trustedOrigins: 'texts',
  beacon: true,
  memory: true,
  runtime: true,
  keys: true,
  home: true,
  standby: true,
  telemetry: true,
  log: true,
  ...BOUNDS,
  reach: true,
};

export const AGENT_OPTIONS: OptionNames<AgentOptions> = {
  ...SESSION_AGENT_OPTIONS,
  description: true,
  referrer: true,
  endpoint: true,
  protocols: 'texts',
  prices: true,
  links: true,
  passphrase: true,
};
