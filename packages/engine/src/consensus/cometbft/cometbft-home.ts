/** CometBFT's home directory. Each start rewrites it, except the record of the last signature. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cometbftAddress, rawKeyFromPem, type ValidatorSet } from '@netd/protocol';
import { replaceFile, writeOnce } from '../../durable-file.ts';
import { removeEntry, type WrittenEntries } from '../../written-entries.ts';

const MAX_SOCKET_PATH = 103;

/** In milliseconds. */
interface CometbftTimes {
  commit: number;
  emptyBlocks: number;
  /** The time to wait for the proposal of a round; default 1,000. */
  propose?: number | undefined;
  /** The time to wait for late votes after two thirds have voted differently; default 200. */
  vote?: number | undefined;
}

const DEFAULT_TIMES: CometbftTimes = { commit: 100, emptyBlocks: 5_000 };
const DEFAULT_PROPOSE = 1_000;
const DEFAULT_VOTE = 200;

export const emptyBlocksOf = ({ times = DEFAULT_TIMES }: Pick<CometbftHome, 'times'>): number =>
  times.emptyBlocks;

export interface CometbftHome {
  path: string;
  chainId: string;
  genesisTime: string;
  validatorSet: ValidatorSet;
  /** Must be the same for all validators. */
  appState: object;
  /** The validator's key, or the address to which a remote signer connects; null on a full node. */
  signer: { privateKeyPem: string } | { listenAddress: string } | null;
  abciSocket: string;
  rpcSocket: string;
  p2pAddress: string;
  /** `id@host:port` each. */
  peers: readonly string[];
  /** Port of this machine on which CometBFT serves its metrics; none by default. */
  metricsPort?: number;
  times?: CometbftTimes;
  stateSync?: StateSyncConfig;
}

interface StateSyncConfig {
  /** At least two. */
  rpcServers: readonly string[];
  trustHeight: number;
  trustHash: string;
  tempDir: string;
}

class CometbftHomeError extends Error {
  override name = 'CometbftHomeError';
}

/**
 * Never overwrites the record of the last signature.
 * @throws RangeError if a socket's path is too long; CometbftHomeError if that record or the node's key is
 * damaged
 */
export function writeCometbftHome(home: CometbftHome): void {
  for (const socket of [home.abciSocket, home.rpcSocket]) {
    if (Buffer.byteLength(socket) > MAX_SOCKET_PATH) {
      throw new RangeError(`${socket} is too long for the path of a socket: use a shorter TMPDIR`);
    }
  }
  mkdirSync(join(home.path, 'config'), { recursive: true, mode: 0o700 });
  mkdirSync(join(home.path, 'data'), { recursive: true, mode: 0o700 });
  const put = (name: string, content: unknown): void =>
    replaceFile(
      join(home.path, name),
      typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
      0o600,
    );
  readRecord(home.path);
  put('config/config.toml', configToml(home));
  put('config/genesis.json', genesisDocument(home));
  put('config/priv_validator_key.json', validatorKeyFile(keyOf(home.signer)));
  nodeKey(home.path);
  beginRecord(home.path);
}

const keyOf = (signer: CometbftHome['signer']): string =>
  signer && 'privateKeyPem' in signer ? signer.privateKeyPem : newKeyPem();

const newKeyPem = (): string =>
  String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));

const RECORD = 'data/priv_validator_state.json';

/**
 * Returns the CometBFT height of the last signature; 0 before.
 * @param hasSigned true if there must be a record
 * @throws CometbftHomeError if the record is damaged or lost: a validator without it could vote twice
 */
export function readRecord(home: string, hasSigned = false): number {
  const path = join(home, RECORD);
  const what =
    'says what this validator has signed last; without it, it could vote twice: put it back from a copy that is not older, or, if the disk was lost, run netd recover --validator';
  if (existsSync(path)) {
    const isWhole = ({ height }: { height?: unknown }): boolean => /^\d+$/.test(String(height));
    return Number((readJson(path, what, isWhole) as { height: unknown }).height);
  }
  if (hasSigned || hasBlocks(home)) {
    throw new CometbftHomeError(`${path} is missing. It ${what}`);
  }
  return 0;
}

/** The record that replaced a lost one. The key signs nothing in `(certified, record]`. */
export interface RecoveredRecord {
  /** Highest certified CometBFT height that was known when the record was written. */
  certified: number;
  record: number;
}

const RECOVERED = 'data/recovered.json';
/** Greater than any round, so that the key signs nothing more at the height of the record. */
const LAST_ROUND = 2 ** 31 - 1;

export function writeRecoveredRecord(home: string, { certified, record }: RecoveredRecord): void {
  const kept = { schema: 'NET-RECOVERED-RECORD/1', certified, record };
  replaceFile(join(home, RECOVERED), `${JSON.stringify(kept)}\n`, 0o600);
  const signed = { height: String(record), round: LAST_ROUND, step: 3 };
  replaceFile(join(home, RECORD), `${JSON.stringify(signed, null, 2)}\n`, 0o600);
}

/** @throws CometbftHomeError if the file is damaged */
export function readRecoveredRecord(home: string): RecoveredRecord | null {
  const path = join(home, RECOVERED);
  if (!existsSync(path)) return null;
  return readJson(
    path,
    'says which votes of this key prove that it signs elsewhere: run netd recover --validator again',
    (value) => {
      const { certified, record } = value as Partial<RecoveredRecord>;
      return Number.isSafeInteger(certified) && Number.isSafeInteger(record);
    },
  ) as RecoveredRecord;
}

export const hasBlocks = (home: string): boolean => existsSync(join(home, 'data/blockstore.db'));

export function beginRecord(home: string): void {
  const none = { height: '0', round: 0, step: 0 };
  writeOnce(join(home, RECORD), `${JSON.stringify(none, null, 2)}\n`, 0o600);
}

function readJson(path: string, what: string, isWhole: (value: object) => boolean): object {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && isWhole(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CometbftHomeError(`${path} is damaged. It ${what}`);
}

export function nodeId(path: string): string {
  return keyAddress(nodeKey(path));
}

interface NodeKeyFile {
  priv_key?: { value?: unknown };
}

const seedIn = ({ priv_key: key }: NodeKeyFile): Buffer =>
  Buffer.from(String(key?.value), 'base64').subarray(0, 32);

function nodeKey(path: string): string {
  const file = join(path, 'config/node_key.json');
  if (existsSync(file)) {
    const found = readJson(
      file,
      'is the name by which peers know this node: put it back, or take it away and tell them the new one',
      (value) => seedIn(value).length === 32,
    );
    return pemOfSeed(seedIn(found));
  }
  mkdirSync(join(path, 'config'), { recursive: true, mode: 0o700 });
  const pem = newKeyPem();
  replaceFile(file, JSON.stringify({ priv_key: privateKeyJson(pem) }), 0o600);
  return pem;
}

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

function pemOfSeed(seed: Uint8Array): string {
  const key = Buffer.concat([PKCS8_PREFIX, seed]);
  return String(
    createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({
      type: 'pkcs8',
      format: 'pem',
    }),
  );
}

function rawKeys(privateKeyPem: string): { seed: Buffer; raw: Buffer } {
  const key = createPrivateKey(privateKeyPem);
  const seed = key.export({ type: 'pkcs8', format: 'der' }).subarray(PKCS8_PREFIX.length);
  const raw = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32);
  return { seed, raw };
}

export const keyAddress = (privateKeyPem: string): string =>
  cometbftAddress(rawKeys(privateKeyPem).raw);

function privateKeyJson(privateKeyPem: string): object {
  const { seed, raw } = rawKeys(privateKeyPem);
  return {
    type: 'tendermint/PrivKeyEd25519',
    value: Buffer.concat([seed, raw]).toString('base64'),
  };
}

const publicKeyJson = (raw: Uint8Array): object => ({
  type: 'tendermint/PubKeyEd25519',
  value: Buffer.from(raw).toString('base64'),
});

export function validatorKeyFile(privateKeyPem: string): object {
  return {
    address: keyAddress(privateKeyPem).toUpperCase(),
    pub_key: publicKeyJson(rawKeys(privateKeyPem).raw),
    priv_key: privateKeyJson(privateKeyPem),
  };
}

function genesisDocument({ chainId, genesisTime, validatorSet, appState }: CometbftHome): object {
  return {
    genesis_time: genesisTime,
    chain_id: chainId,
    initial_height: '1',
    consensus_params: {
      // Fits MAX_BLOCK_BYTES of envelopes, plus the commit and evidence.
      block: { max_bytes: '5242880', max_gas: '-1' },
      evidence: {
        max_age_num_blocks: '100000',
        max_age_duration: '172800000000000',
        max_bytes: '1048576',
      },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: '1' },
      abci: { vote_extensions_enable_height: '0' },
    },
    validators: validatorSet.validators.map((validator) => {
      const raw = rawKeyFromPem(validator.consensusPublicKey) ?? new Uint8Array();
      return {
        address: cometbftAddress(raw).toUpperCase(),
        pub_key: publicKeyJson(raw),
        power: String(validator.votingPower),
        name: validator.validatorId,
      };
    }),
    app_hash: '',
    app_state: appState,
  };
}

function configToml(home: CometbftHome): string {
  const { signer, times = DEFAULT_TIMES } = home;
  const { commit, emptyBlocks, propose = DEFAULT_PROPOSE, vote = DEFAULT_VOTE } = times;
  const text = (value: string): string => JSON.stringify(value);
  return `# Written by netd at each start.
proxy_app = ${text(`unix://${home.abciSocket}`)}
abci = "socket"
filter_peers = true
priv_validator_laddr = ${text(signer && 'listenAddress' in signer ? signer.listenAddress : '')}
log_level = "error"

[rpc]
laddr = ${text(`unix://${home.rpcSocket}`)}

[p2p]
laddr = ${text(`tcp://${home.p2pAddress}`)}
persistent_peers = ${text(home.peers.join(','))}
# Strangers that hold all inbound slots keep no validator out.
unconditional_peer_ids = ${text(home.peers.map((peer) => peer.split('@')[0]).join(','))}
addr_book_strict = false
allow_duplicate_ip = true
pex = false
# 100 ms by default, which would be the least time of a vote.
flush_throttle_timeout = "10ms"

[mempool]
type = "flood"
size = 20000
cache_size = 40000
max_tx_bytes = 65536
max_txs_bytes = 268435456

[consensus]
timeout_propose = "${propose}ms"
timeout_prevote = "${vote}ms"
timeout_precommit = "${vote}ms"
timeout_commit = "${commit}ms"
create_empty_blocks = false
create_empty_blocks_interval = "${emptyBlocks}ms"
peer_gossip_sleep_duration = "10ms"

${stateSyncToml(home)}[storage]
discard_abci_responses = true

[tx_index]
indexer = "null"

[instrumentation]
prometheus = ${home.metricsPort !== undefined}
prometheus_listen_addr = "127.0.0.1:${home.metricsPort ?? 0}"
`;
}

/** CometBFT requires at least five seconds of discovery. */
function stateSyncToml({ stateSync }: CometbftHome): string {
  if (!stateSync) return '';
  const { rpcServers, trustHeight, trustHash, tempDir } = stateSync;
  return `[statesync]
enable = true
rpc_servers = ${JSON.stringify(rpcServers.join(','))}
trust_height = ${trustHeight}
trust_hash = ${JSON.stringify(trustHash)}
trust_period = "168h0m0s"
discovery_time = "5s"
chunk_request_timeout = "10s"
chunk_fetchers = "4"
temp_dir = ${JSON.stringify(tempDir)}

`;
}

const KEPT_OF_CHAIN: WrittenEntries = [
  [
    /^(blockstore|state|evidence|tx_index)\.db$/,
    [[/^(CURRENT(\.bak)?|LOCK|LOG(\.old)?|MANIFEST-\d+|\d+\.(ldb|log|sst|tmp))$/]],
  ],
  [/^cs\.wal$/, [[/^wal(\.\d+)?$/]]],
];

export function forgetChain(path: string): void {
  const data = join(path, 'data');
  if (!existsSync(data)) return;
  for (const name of readdirSync(data)) removeEntry(data, name, KEPT_OF_CHAIN);
}
