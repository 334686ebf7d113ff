/** Networks to compare: a devnet of one, validators with a CometBFT each, and CometBFT's kvstore with as many. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cometbftPath,
  defaultEngineDir,
  requireCometbft,
  writeCometbftHome,
} from '@netd/engine/cometbft';
import {
  beginChainOfMany,
  defaultEngineHome,
  makeValidatorKeys,
  validatorKeyPath,
  type ValidatorCard,
} from '@netd/node/founders';
import { readKeyFile } from '@netd/node/keys';
import { makeValidatorSet } from '@netd/protocol';
import { freePort } from '@netd/testkit/free-port';
import { Wires } from '@netd/testkit/wires';
import { CHAIN_ID } from './agents.ts';
import { childrenOf, processTimeOf } from './cpu-time.ts';
import { getRequest, HttpConnection } from './http-connection.ts';
import { NETD, startNetd, startServer, type ServerProcess } from './netd-process.ts';

/** Milliseconds that every chain pauses after a block, to equalize pauses. */
const BLOCK_TIME = 20;
/** Many processes start on few cores. */
const PATIENCE = 240_000;
const POLL_MILLISECONDS = 50;

/** The processes of one chain. */
export class Network {
  private readonly servers: readonly ServerProcess[];
  private readonly engines: readonly number[];
  /** Options of `netd start` for a joining node. */
  readonly joining: readonly string[];
  private readonly wires: Wires | null;

  /** @param engines process ids; only the servers if the engine itself answers */
  constructor(
    servers: readonly ServerProcess[],
    engines: readonly number[],
    { joining = [], wires = null }: { joining?: readonly string[]; wires?: Wires | null } = {},
  ) {
    this.servers = servers;
    this.engines = engines;
    this.joining = joining;
    this.wires = wires;
  }

  /** Ports of the nodes. */
  get ports(): number[] {
    return this.servers.map(({ port }) => port);
  }

  /** Returns microseconds of all nodes, and CometBFT's part. */
  cpu(): { all: number; engine: number } {
    const sum = (pids: readonly number[]): number =>
      pids.reduce((total, pid) => total + processTimeOf(pid), 0);
    const engine = sum(this.engines);
    const own = this.servers.map(({ pid }) => pid).filter((pid) => !this.engines.includes(pid));
    return { all: engine + sum(own), engine };
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill('SIGTERM')));
    await this.wires?.close();
  }
}

export async function startSolo(directory: string): Promise<Network> {
  const server = await startNetd(directory, {
    blockTime: BLOCK_TIME,
    patience: PATIENCE,
    environment: { NET_CHAIN_ID: CHAIN_ID },
  });
  return new Network([server], []);
}

interface Place {
  dataDir: string;
  p2pAddress: string;
}

export interface ValidatorOptions {
  /** Milliseconds. */
  emptyBlocks?: number;
  blockTime?: number;
  /** Milliseconds that everything takes from one validator to another; none by default. */
  delay?: number;
  /** Further options of `netd start`. */
  options?: readonly string[];
}

export async function startValidators(
  directory: string,
  count: number,
  { emptyBlocks = 600_000, blockTime = BLOCK_TIME, delay, options = [] }: ValidatorOptions = {},
): Promise<Network> {
  await requireCometbft(cometbftPath(defaultEngineDir()));
  const { places, cards } = await makePlaces(directory, count);
  const [first] = places;
  if (!first) throw new RangeError('there are no validators');
  const files = cards.map((card) => ({ file: `${card.validatorId}.json`, card }));
  beginChainOfMany(first.dataDir, files, { now: Date.now() });
  const genesis = join(first.dataDir, 'genesis.json');
  const ports = places.map(({ p2pAddress }) => Number(p2pAddress.split(':')[1]));
  const wires = delay === undefined ? null : await Wires.between(ports);
  wires?.slowAll(delay ?? 0);
  const peersOf = (from: number): string =>
    cards
      .flatMap(({ peer }, to) => {
        if (wires === null) return [peer];
        const [id] = peer.split('@');
        return from === to ? [] : [`${id}@127.0.0.1:${wires.port(from, to)}`];
      })
      .join(',');
  const pace = ['--block-time', String(blockTime)];
  const joining = [
    '--peers',
    cards.map(({ peer }) => peer).join(','),
    ...pace,
    '--genesis',
    genesis,
  ];
  const servers = await Promise.all(
    places.map((place, index) =>
      startNode(
        place,
        [
          '--peers',
          peersOf(index),
          ...pace,
          '--empty-blocks',
          String(emptyBlocks),
          ...options,
          ...(place === first ? [] : ['--genesis', genesis]),
        ],
        '/readyz',
      ),
    ),
  );
  return new Network(
    servers,
    servers.flatMap(({ pid }) => childrenOf(pid)),
    { joining, wires },
  );
}

/** @param path answers 200 once it is up */
function startNode(
  { dataDir, p2pAddress }: Place,
  options: readonly string[],
  path: string,
): Promise<ServerProcess> {
  return startServer(
    (port) => [
      NETD,
      'start',
      '--port',
      String(port),
      '--data-dir',
      dataDir,
      '--p2p',
      p2pAddress,
      ...options,
    ],
    // Its standard error only lists what it waits for.
    { path, patience: PATIENCE, errors: 'ignore' },
  );
}

/**
 * Starts a full node in a new directory and waits until it has this height.
 * @param origins of a state; without any it starts from genesis
 * @returns milliseconds since process start, and microseconds of it and its CometBFT
 */
export async function joinAsFullNode(
  dataDir: string,
  network: Network,
  { height, origins = [] }: { height: number; origins?: readonly string[] },
): Promise<{ time: number; cpu: number }> {
  const startedAt = performance.now();
  const place = { dataDir, p2pAddress: `127.0.0.1:${await freePort()}` };
  const state = origins.length > 0 ? ['--state-sync', origins.join(',')] : [];
  const server = await startNode(place, ['--full-node', ...network.joining, ...state], '/livez');
  try {
    while (!(await hasBlock(server.port, height))) await sleep(POLL_MILLISECONDS);
    const time = performance.now() - startedAt;
    const cpu = [server.pid, ...childrenOf(server.pid)].map(processTimeOf);
    return { time, cpu: cpu.reduce((sum, each) => sum + each, 0) };
  } finally {
    await server.kill('SIGTERM');
  }
}

async function hasBlock(port: number, height: number): Promise<boolean> {
  const connection = await HttpConnection.open(port);
  const { status } = await connection.send(getRequest(`/v1/blocks/${height}`));
  connection.close();
  return status === 200;
}

/** Configured like our engines, but with CometBFT's own in-process application, in memory. */
export async function startKvstore(directory: string, count: number): Promise<Network> {
  const binary = cometbftPath(defaultEngineDir());
  const { places, cards } = await makePlaces(directory, count);
  const validators = cards.map((card) => ({ ...card, votingPower: 1 }));
  const validatorSet = makeValidatorSet(CHAIN_ID, 1, validators);
  const genesisTime = new Date().toISOString();
  const servers = await Promise.all(
    places.map(({ dataDir, p2pAddress }, index) => {
      const home = defaultEngineHome(dataDir);
      writeCometbftHome({
        path: home,
        chainId: CHAIN_ID,
        genesisTime,
        validatorSet,
        p2pAddress,
        appState: {},
        abciSocket: join(dataDir, 'abci'),
        rpcSocket: join(dataDir, 'rpc'),
        peers: cards.filter((_, other) => other !== index).map(({ peer }) => peer),
        signer: { privateKeyPem: readKeyFile(validatorKeyPath(dataDir)).privateKey },
        times: { commit: BLOCK_TIME, emptyBlocks: 600_000 },
      });
      return startServer(
        (port) => [
          'start',
          '--home',
          home,
          '--proxy_app',
          'kvstore',
          '--rpc.laddr',
          `tcp://127.0.0.1:${port}`,
        ],
        {
          program: binary,
          path: '/health',
          patience: PATIENCE,
          // Each pending answer needs a subscription.
          environment: {
            CMT_RPC_MAX_SUBSCRIPTION_CLIENTS: '10000',
            CMT_RPC_TIMEOUT_BROADCAST_TX_COMMIT: '60s',
          },
        },
      );
    }),
  );
  return new Network(
    servers,
    servers.map(({ pid }) => pid),
  );
}

async function makePlaces(
  directory: string,
  count: number,
): Promise<{ places: Place[]; cards: ValidatorCard[] }> {
  const places: Place[] = [];
  for (let index = 0; index < count; index++) {
    const p2pAddress = `127.0.0.1:${await freePort()}`;
    places.push({ dataDir: join(directory, `${index + 1}`), p2pAddress });
  }
  const cards = places.map(({ dataDir, p2pAddress }, index) =>
    makeValidatorKeys(dataDir, {
      chainId: CHAIN_ID,
      validatorId: `validator-${index + 1}`,
      faultDomain: `local-${index + 1}`,
      address: p2pAddress,
    }),
  );
  return { places, cards };
}
