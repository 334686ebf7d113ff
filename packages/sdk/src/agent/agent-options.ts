import type { AgentMetadata } from '@netd/formats';
import type { OptionNames } from '../option-names.ts';
import type { ReachFailpoint } from './failpoints.ts';
import type { AgentHome } from './home.ts';

/** How an agent is opened; all of it is optional. */
export interface AgentOptions {
  /** Base address of the node; default $NET_URL in Node, else http://127.0.0.1:8420. */
  url?: string;
  /** The capabilities that it offers, by which orders are matched; default ['general']. */
  capabilities?: readonly string[];
  /** Public: stands in its registration and its metadata. */
  description?: string;
  /** The agent that recruited it. */
  referrer?: string;
  /**
   * What the chain begins with, known from somewhere other than the node. With it the agent believes nothing that
   * decides without a proof: orders, senders, others' keys, its memory, receipts, heights.
   */
  genesisHash?: string;
  /** Origins of netd blobs; without it those that the network announces. */
  blobs?: readonly string[];
  /**
   * Origins of stores that may be asked whatever their address is. Another agent's word is enough for public addresses and for those of
   * the private network that the node is in; loopback and other private addresses have to be named here or in `blobs`.
   */
  trustedOrigins?: readonly string[];
  /** https, for the beacon; default where its metadata can be fetched. */
  endpoint?: string;
  /** How it can be spoken to; default messages alone. */
  protocols?: readonly string[];
  /** false leaves the beacon as it is: for a program that only does one thing. */
  beacon?: boolean;
  /** false leaves the memory alone: neither taken up nor checked. */
  memory?: boolean;
  /** The runtime that this is, where the memory was handed over to one: it is taken up there alone. */
  runtime?: string;
  prices?: AgentMetadata['prices'];
  links?: AgentMetadata['links'];
  /** Seals the key files that are made, and opens sealed ones. */
  passphrase?: string;
  /** The directory of key files, in Node; default $NET_HOME, else ~/.netd/keys. */
  keys?: string;
  /** Where keys and state are kept, outside of Node. */
  home?: AgentHome;
  /** Called with a line for each event that has no listener; default console.log, false for silence. */
  log?: ((line: string) => void) | false;
  /** Gives the opening up, which else waits for a node that went away; later it does nothing. */
  opening?: AbortSignal;
  /** Only in tests: called at the moments that failpoints.ts names. */
  reach?: ReachFailpoint;
}

export const AGENT_OPTIONS: OptionNames<AgentOptions> = {
  url: true,
  capabilities: 'texts',
  description: true,
  referrer: true,
  genesisHash: true,
  blobs: 'texts',
  trustedOrigins: 'texts',
  endpoint: true,
  protocols: 'texts',
  beacon: true,
  memory: true,
  runtime: true,
  prices: true,
  links: true,
  passphrase: true,
  keys: true,
  home: true,
  log: true,
  opening: true,
  reach: true,
};
