/**
 * Nodes of `netd start` on this machine with the genesis of one testnet. Each is a process with its own
 * CometBFT.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { readKeyFile } from '@netd/node/keys';
import { openTestnet, type Testnet } from '@netd/node/testnet';
import type { Genesis } from '@netd/protocol';
import { AgentKey, NetClient, NetError, type Actor } from '@netd/sdk';
import { freePort } from '@netd/testkit/free-port';
import { Wires } from '@netd/testkit/wires';
import { Command, type Ended } from './command.ts';

export interface StartedNode {
  command: Command;
  url: string;
  client: NetClient;
}

interface StartedHow {
  env?: NodeJS.ProcessEnv;
  /** Runs another installation of netd. */
  program?: readonly [string, ...string[]];
}

export interface NodePlace {
  dataDir: string;
  p2pAddress: string;
  /** Peers as `id@host:port`. */
  peers: readonly string[];
}

export class StartedNodes {
  readonly home: string;
  readonly testnet: Testnet;
  /** Set if validators reach each other through relays. */
  wires: Wires | null = null;
  private readonly running = new Set<Command>();

  private constructor(home: string, testnet: Testnet) {
    this.home = home;
    this.testnet = testnet;
  }

  /**
   * Creates keys and a genesis for validators, but does not start them. Returns null and skips the test if
   * there is no CometBFT.
   */
  static async make(t: TestContext, count: number): Promise<StartedNodes | null> {
    try {
      await requireCometbft(cometbftPath(defaultEngineDir()));
    } catch (error) {
      t.skip((error as Error).message);
      return null;
    }
    const home = mkdtempSync(join(tmpdir(), 'netd-nodes-'));
    const { testnet } = await openTestnet(join(home, 'net'), count, Date.now());
    const nodes = new StartedNodes(home, testnet);
    t.after(() => nodes.end());
    return nodes;
  }

  /** Returns the directory and addresses of a validator; numbers start at 0. */
  placeOf(index: number): NodePlace {
    const own = this.testnet.validators[index];
    if (!own) throw new RangeError('there is no such validator');
    return { ...own, peers: this.peersOf(index) };
  }

  /** Puts relays between the validators. Call it before the first start. */
  async wire(): Promise<Wires> {
    const ports = this.testnet.validators.map(({ p2pAddress }) => Number(p2pAddress.split(':')[1]));
    this.wires = await Wires.between(ports);
    return this.wires;
  }

  private peersOf(from: number): string[] {
    const { wires } = this;
    if (!wires) return this.peers;
    return this.peers.flatMap((peer, to) =>
      from === to ? [] : [`${peer.split('@')[0]}@127.0.0.1:${wires.port(from, to)}`],
    );
  }

  /** Changes the genesis. Call it before the first start. */
  changeGenesis(change: (genesis: Genesis) => Genesis): void {
    const text = JSON.stringify(
      change(JSON.parse(readFileSync(this.genesisPath, 'utf8')) as Genesis),
    );
    for (const { dataDir } of this.testnet.validators) {
      writeFileSync(join(dataDir, 'genesis.json'), text);
    }
  }

  /** Prepares a directory for another node. */
  async another(name: string): Promise<NodePlace> {
    const p2pAddress = `127.0.0.1:${await freePort()}`;
    return { dataDir: join(this.home, name), p2pAddress, peers: this.peers };
  }

  get peers(): string[] {
    return this.testnet.validators.map(({ peer }) => peer);
  }

  get genesisPath(): string {
    return join(this.placeOf(0).dataDir, 'genesis.json');
  }

  /** Returns the chain's operator, who owns all NET. */
  operator(): Promise<Actor> {
    return this.actor(0, 'operator');
  }

  owner(index: number): Promise<Actor> {
    return this.actor(index, 'owner');
  }

  private async actor(index: number, name: string): Promise<Actor> {
    const file = readKeyFile(join(this.placeOf(index).dataDir, 'keys', `${name}.json`));
    return { actorId: file.actorId, key: await AgentKey.fromPem(file) };
  }

  /** Starts a node, and resolves when it answers. */
  async start(
    place: NodePlace,
    more: readonly string[] = [],
    how: StartedHow = {},
  ): Promise<StartedNode> {
    const command = this.begin(place, more, how);
    const line = await new Promise<string>((resolve, reject) => {
      command.child.stdout?.on('data', () => {
        if (command.stdout.includes('\n')) resolve(command.stdout);
      });
      command.lost().catch(reject);
    });
    const { url } = JSON.parse(line) as { url?: string };
    if (url === undefined) throw new Error(`the node refuses to start: ${line}${command.stderr}`);
    return { command, url, client: new NetClient({ url }) };
  }

  /** Starts a node without waiting for it. */
  begin(
    { dataDir, p2pAddress, peers }: NodePlace,
    more: readonly string[] = [],
    { env = {}, program }: StartedHow = {},
  ): Command {
    const args = ['--data-dir', dataDir, '--p2p', p2pAddress, '--peers', peers.join(',')];
    const pace = ['--block-time', '20', '--empty-blocks', '300'];
    const command = new Command(
      ['start', ...args, ...pace, '--port', '0', '--json', ...more],
      this.home,
      program,
      // Temporary files of a killed node are removed with the home directory.
      { NET_ENGINE_DIR: defaultEngineDir(), TMPDIR: this.home, ...env },
    );
    this.running.add(command);
    void command.ended.then(() => this.running.delete(command));
    return command;
  }

  async stop({ command }: Pick<StartedNode, 'command'>): Promise<Ended> {
    command.child.kill('SIGINT');
    return command.ended;
  }

  /** Returns the process id of a node's CometBFT; null while it is being started. */
  engineOf({ command }: Pick<StartedNode, 'command'>): number | null {
    const { pid } = command.child;
    const tasks = `/proc/${pid}/task`;
    const children = readdirSync(tasks).flatMap((task) =>
      readFileSync(join(tasks, task, 'children'), 'utf8')
        .split(' ')
        .filter(Boolean),
    );
    return children.length === 0 ? null : Number(children[0]);
  }

  /** Stops all nodes and removes their files. */
  async end(): Promise<void> {
    await Promise.all([...this.running].map((command) => this.stop({ command })));
    await this.wires?.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/**
 * A wait ends after this many attempts without progress, because any bound in seconds would fail on a busy
 * machine.
 */
const MOST_ATTEMPTS = 30;
const MOST_POLLS = 6_000;

/**
 * Retries, because on a busy machine a block may take longer than a request waits. The first attempt may have
 * succeeded.
 */
export async function insist<Answer>(
  send: () => Promise<Answer>,
  known?: string,
): Promise<Answer | null> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      if (attempt > 0 && error.code === known) return null;
      if (error.code !== 'NO_QUORUM' || attempt >= MOST_ATTEMPTS) throw error;
    }
  }
}

/** Repeats an act until the work has ended, at least once. */
export async function during<Result>(
  work: Promise<Result>,
  act: () => Promise<unknown>,
): Promise<Result> {
  work.catch(() => {});
  do await act();
  while (!(await settled(work)));
  return work;
}

/** True if the promise has already settled. */
const settled = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);

export async function reached({ client }: StartedNode, height: number): Promise<void> {
  let [last, polls] = [-1, 0];
  for (;;) {
    const { height: now } = await client.network();
    if (now >= height) return;
    polls = now > last ? 0 : polls + 1;
    assert.ok(polls < MOST_POLLS, `the node stays at height ${now}, and ${height} is awaited`);
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
