/**
 * A private network for a test: its own laboratory, agents with keys and money, and a clock that the test
 * moves.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import {
  Agent,
  AgentError,
  AgentKey,
  NetClient,
  NetError,
  type Actor,
  type AgentOptions,
  type EventsOptions,
  type EventType,
  type NetAmount,
  type NetEvent,
  type PayloadOf,
  type SchemaOf,
} from '../index.ts';
import { requireOptions, type OptionNames } from '../option-names.ts';
import { keep, Story } from './story.ts';
import { defaultHome } from '../agent/home-node.ts';
import { unetOf } from '../agent/amount.ts';
import { isActorId } from '../agent/opening.ts';
import { NetworkStartError } from './find-netd.ts';
import { ANYBODY, labKey } from './lab-key.ts';
import { LabProcess } from './lab-process.ts';
import { giveRole, type TestRoleOptions } from './roles.ts';

/** State of the clock and the blocks of a laboratory. */
export type Laboratory = SchemaOf<'Laboratory'>;
/** `automatic`: as on every chain. `each`: one block for each intent. `none`: only `mine` makes blocks. */
export type BlockMode = Laboratory['mode'];

/** Options of `startNetwork`. */
export interface NetworkOptions {
  /** Names of the agents to register, or what each of them gets. */
  agents?: readonly string[] | Readonly<Record<string, TestAgent>> | undefined;
  /** Default balance of an agent; default '100 NET'. */
  funded?: NetAmount | number | undefined;
  /** True to start the house: verifiers, a requester with jobs, an echo, blob stores. Default false. */
  house?: boolean | undefined;
  /** Default `each`: an intent is answered at once, and no other blocks are made. */
  blocks?: BlockMode | undefined;
  /**
   * A node of the network to fork. The test begins with its state, including agents and balances, under
   * another chain id.
   */
  forkFrom?: string | undefined;
  /** Fork at the newest checkpoint at or below this height; default at the newest of all. */
  at?: number | undefined;
  /**
   * Trusted genesis hash of the forked network. Without it the node's state is only checked for
   * contradictions.
   */
  genesisHash?: string | undefined;
  /** Seed of all keys. The same seed gives the same keys in Python and at the command line. */
  seed?: string | undefined;
  /** Path of the program; default $NETD, otherwise netd on the PATH, in node_modules, or in the checkout. */
  netd?: string | undefined;
  /** Milliseconds to start; default 180,000. */
  timeout?: number | undefined;
}

const NETWORK_OPTIONS: OptionNames<NetworkOptions> = {
  agents: true,
  funded: true,
  house: true,
  blocks: true,
  forkFrom: true,
  at: true,
  genesisHash: true,
  seed: true,
  netd: true,
  timeout: true,
};

/** An agent that the network of a test starts with. */
export interface TestAgent extends Partial<TestRoleOptions> {
  /** '5 NET' or unet. A bond of its role comes on top. */
  funded?: NetAmount | number | undefined;
  /** Actions that the agent may do beyond the base set. */
  actions?: readonly Extension[] | undefined;
  /** Public text of its registration. */
  description?: string | undefined;
}

type Extension = PayloadOf<'extendAgentCapabilities'>['actions'][number];

type EventFilter = Pick<EventsOptions, 'after' | 'agent' | 'order'> & { timeout?: number };

/** A busy machine needs minutes. A start that fails is reported at once. */
const EVENT_PATIENCE = 180_000;
const START_PATIENCE = 180_000;
const LOOK = 50;
const HOUSE = { verifiers: 3, jobs: 3 };
const DEFAULT_FUNDS = '100 NET';

/**
 * Starts a private network on a free port, with its data in a temporary directory. The network ends with
 * `stop`, or when this process ends.
 * @throws NetworkStartError if netd is not found or does not start; NetError if an agent is refused
 */
export async function startNetwork(options: NetworkOptions = {}): Promise<Network> {
  requireOptions('startNetwork', options, NETWORK_OPTIONS);
  const { house = false, timeout = START_PATIENCE, netd } = options;
  const lab = await LabProcess.start({
    house,
    timeout,
    args: forkArguments(options),
    ...(netd === undefined ? {} : { netd }),
  });
  try {
    return await Network.over(lab, options);
  } catch (error) {
    await lab.stop();
    throw error;
  }
}

function forkArguments({ forkFrom, at, genesisHash }: NetworkOptions): string[] {
  return [
    ...(forkFrom === undefined ? [] : ['--fork-from', forkFrom]),
    ...(at === undefined ? [] : ['--at', String(at)]),
    ...(genesisHash === undefined ? [] : ['--genesis-hash', genesisHash]),
  ];
}

/** A private network of a test, with a clock that the test controls. */
export class Network {
  /** Address of the node. */
  readonly url: string;
  /** The chain of the network. */
  readonly chainId: string;
  /** Client of the node, without an actor. */
  readonly client: NetClient;
  /** An actor with the role OPERATOR and ten million NET. */
  readonly operator: Actor;
  /** URLs of the house's blob stores; empty without a house. */
  readonly blobs: readonly string[];
  private readonly lab: LabProcess;
  private readonly options: NetworkOptions;
  private readonly actors = new Map<string, Actor>();
  private readonly open: Agent[] = [];
  private readonly told: Story;
  private readonly forget: () => void;
  private stopping: Promise<void> | null = null;

  private constructor(lab: LabProcess, operator: Actor, options: NetworkOptions) {
    const { url, chainId, blobs, controlPath } = lab.facts;
    this.url = url;
    this.chainId = chainId;
    this.client = new NetClient({
      url,
      chainId,
      ...(controlPath ? { controlToken: readFileSync(controlPath, 'utf8').trim() } : {}),
    });
    this.operator = operator;
    this.blobs = blobs.map((store) => store.url);
    this.lab = lab;
    this.options = options;
    this.told = new Story(this.client);
    this.forget = keep(this.told);
  }

  /** @ignore for startNetwork */
  static async over(lab: LabProcess, options: NetworkOptions): Promise<Network> {
    const { operatorActorId, operatorKeyPath } = lab.facts;
    const pair = JSON.parse(readFileSync(operatorKeyPath, 'utf8')) as Parameters<
      typeof AgentKey.fromPem
    >[0];
    const operator = { actorId: operatorActorId, key: await AgentKey.fromPem(pair) };
    const network = new Network(lab, operator, options);
    await network.mode(options.blocks === 'none' ? 'each' : (options.blocks ?? 'each'));
    const { agents = [] } = options;
    const all: [name: string, agent: TestAgent][] = Array.isArray(agents)
      ? (agents as readonly string[]).map((name) => [name, {}])
      : Object.entries(agents as Readonly<Record<string, TestAgent>>);
    await Promise.all(all.map(([name, agent]) => network.join(name, agent)));
    if (options.house === true) await network.untilHouse(options.timeout ?? START_PATIENCE);
    if (options.blocks === 'none') await network.mode('none');
    return network;
  }

  /**
   * Registers an agent under its key from the seed, with money, the requested actions and a role.
   * @throws AgentError if the name is invalid; RangeError if the network, or the origin of its fork, has such
   *   an agent
   */
  async join(
    name: string,
    {
      funded = this.options.funded ?? DEFAULT_FUNDS,
      actions = [],
      description,
      role,
      ...duty
    }: TestAgent = {},
  ): Promise<Actor> {
    if (!isActorId(name)) throw new AgentError('AGENT_ID_INVALID', JSON.stringify(name));
    const pair = labKey(name, this.options.seed);
    const actor = { actorId: name, key: await AgentKey.fromPem(pair) };
    try {
      await this.client.register(actor, description === undefined ? {} : { description });
    } catch (cause) {
      if (!(cause instanceof NetError && cause.code === 'AGENT_EXISTS')) throw cause;
      const begins =
        this.options.forkFrom === undefined ? '' : ', which begins with the state of another';
      throw new RangeError(
        `${name} is an agent of this network already${begins}: act as it with impersonate('${name}'), or give the newcomer another name`,
        { cause },
      );
    }
    await this.keepKey(name, pair);
    const amount = unetOf(funded, 'funded');
    if (amount > 0) {
      await this.client.act(this.operator, 'transfer', { to: name, amount });
    }
    if (actions.length > 0) {
      await this.client.act(actor, 'extendAgentCapabilities', { actions: [...actions] });
    }
    if (role) await giveRole(this.client, { operator: this.operator, actor }, { role, ...duty });
    this.actors.set(name, actor);
    return actor;
  }

  /**
   * Returns the signer of an agent, for `client.act(actor, …)`.
   * @throws RangeError if it has not joined
   */
  actor(name: string): Actor {
    const actor = this.actors.get(name);
    if (actor) return actor;
    throw new RangeError(`${name} has not joined this network: name it in agents, or call join`);
  }

  /**
   * Returns an actor for `client.act(actor, …)` that acts as any other without its key. Only a laboratory
   * allows it.
   */
  async impersonate(actorId: string): Promise<Actor> {
    return { actorId, key: await AgentKey.fromPem(labKey(ANYBODY)) };
  }

  /** Options for `Agent.open` on this network, with the keys from the seed. */
  agentOptions(): Pick<AgentOptions, 'url' | 'keys'> {
    return { url: this.url, keys: this.keys };
  }

  /** Opens an agent, which stops with the network. Registers it first if needed. */
  async agent(name: string, options: AgentOptions = {}): Promise<Agent> {
    if (!this.actors.has(name)) await this.join(name);
    const agent = await Agent.open(name, { log: false, ...this.agentOptions(), ...options });
    this.told.follow(agent);
    this.open.push(agent);
    return agent;
  }

  /** Returns a balance in unet. */
  async balance(accountId: string): Promise<number> {
    return (await this.client.read('/v1/accounts/{accountId}', { accountId })).balance;
  }

  /**
   * Waits for an event of the chain. Events since genesis count, unless `after` names a later start.
   * @param options.timeout milliseconds; default 180,000
   * @throws Error with the story of the order if none came in time
   */
  async event<Type extends EventType>(
    type: Type,
    { timeout = EVENT_PATIENCE, ...filter }: EventFilter = {},
  ): Promise<Extract<NetEvent, { type: Type }>> {
    const signal = AbortSignal.timeout(timeout);
    for await (const event of this.client.events({ after: '0.0', ...filter, type, signal })) {
      return event as Extract<NetEvent, { type: Type }>;
    }
    const story = await this.story(filter.order).catch(() => '');
    throw new Error(`no ${type} within ${timeout} ms${story && `\n${story}`}`);
  }

  /**
   * Returns what happened to an order: events of the chain with their heights, and the events and steps of agents
   * that `agent` has opened. A failing test of `node --test` prints it by itself.
   * @param orderId default the last five orders
   */
  async story(orderId?: string): Promise<string> {
    return this.told.text(orderId);
  }

  /** Returns the state of the clock and the blocks. */
  async status(): Promise<Laboratory> {
    return this.client.read('/v1/lab');
  }

  /** Makes this many blocks now. Pending intents go into the first ones. */
  async mine(blocks = 1): Promise<Laboratory> {
    return this.client.post<Laboratory>('/v1/lab/mine', { blocks });
  }

  /**
   * Moves the clock ahead and makes blocks, so that everything due in that time happens.
   * @param options.blocks default as many as an idle chain makes, at most 1,000
   */
  async advance(seconds: number, { blocks }: { blocks?: number } = {}): Promise<Laboratory> {
    return this.time({ seconds, ...(blocks === undefined ? {} : { blocks }) });
  }

  /**
   * Moves the clock to a time, as `advance` does.
   * @throws NetError LAB_CLOCK_BACKWARDS
   */
  async advanceTo(time: Date | string, { blocks }: { blocks?: number } = {}): Promise<Laboratory> {
    const to = new Date(time).toISOString();
    return this.time({ to, ...(blocks === undefined ? {} : { blocks }) });
  }

  /** Switches between blocks on demand and blocks by the clock. */
  async mode(mode: BlockMode): Promise<Laboratory> {
    return this.client.post<Laboratory>('/v1/lab/mode', { mode });
  }

  /** Keeps the current state. Returns the id for `revert`. */
  async snapshot(): Promise<string> {
    const { snapshots } = await this.client.post<Laboratory>('/v1/lab/snapshot', {});
    const id = snapshots.at(-1)?.id;
    if (id === undefined) throw new TypeError('the laboratory names no snapshot');
    return id;
  }

  /**
   * Reverts blocks and clock to a snapshot; default the newest. That snapshot stays usable, later ones are
   * deleted.
   * @throws NetError LAB_SNAPSHOT_UNKNOWN
   */
  async revert(id?: string): Promise<Laboratory> {
    return this.client.post<Laboratory>('/v1/lab/revert', id === undefined ? {} : { id });
  }

  /** Stops the agents and the node, and deletes their data. */
  async stop(): Promise<void> {
    this.stopping ??= this.end();
    await this.stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async untilHouse(timeout: number): Promise<void> {
    const deadline = Date.now() + timeout;
    while (Date.now() < deadline) {
      const [{ actual }, { orders }, { beacons }] = await Promise.all([
        this.client.read('/v1/validation'),
        this.client.read('/v1/work-orders', { status: 'OPEN' }),
        this.client.read('/v1/discovery', { agentId: 'house-echo' }),
      ]);
      const isThere = actual.activeVerifiers >= HOUSE.verifiers && orders.length >= HOUSE.jobs;
      if (isThere && beacons.length > 0) return;
      await after(LOOK);
    }
    throw new NetworkStartError(`the agents of the house have not joined within ${timeout} ms`);
  }

  private async end(): Promise<void> {
    this.forget();
    await Promise.allSettled(this.open.map((agent) => agent.stop()));
    await this.lab.stop();
  }

  private async time(body: {
    seconds?: number;
    to?: string;
    blocks?: number;
  }): Promise<Laboratory> {
    return this.client.post<Laboratory>('/v1/lab/time', body);
  }

  private get keys(): string {
    return join(this.lab.facts.dataDir, 'of-agents', 'keys');
  }

  private async keepKey(actorId: string, pair: ReturnType<typeof labKey>): Promise<void> {
    const { chainId } = this;
    const file = { schema: 'NET-AGENT-KEY/1', chainId, actorId, ...pair };
    const home = defaultHome(chainId, actorId, this.keys);
    await home.writeSecret(actorId, `${JSON.stringify(file, null, 2)}\n`);
  }
}
