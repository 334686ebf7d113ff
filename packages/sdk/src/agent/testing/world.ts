/** A small network that is alive: a node, two stores of blobs, a requester with money, verifiers who vote. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { serveBlobs, type RunningBlobs } from '@netd/blobs';
import { BlobClient } from '@netd/blobs/client';
import { encryptionKeyOf, workScope, type EncryptionSecret, type WorkScope } from '@netd/formats';
import { serve, type RunningNode } from '@netd/node';
import { freePort } from '@netd/testkit/free-port';
import { FAST_CHAIN_ID, makeFastDevnet, type FastDevnetOptions } from '@netd/testkit/fast-devnet';
import { makeFastTestnet } from '@netd/testkit/fast-testnet';
import { sha256Hex, UNET_PER_NET, type JsonObject, type Receipt } from '@netd/protocol';
import type { PayloadOf } from '../../actions.ts';
import { AgentKey } from '../../agent-key.ts';
import { NetClient, type Actor, type Application } from '../../client.ts';
import { awaitsVote, nextVote } from '../../sealed-vote.ts';
import type { Agent, AgentOptions } from '../agent.ts';
import type { Failpoint, ReachFailpoint } from '../failpoints.ts';
import type { WorkOrder } from '../parts.ts';
import { startNodeProcess, startTestnetProcess } from './node-process.ts';
import { REVIEW_POLICY } from './review-policy.ts';

const BOND = 100 * UNET_PER_NET;
const VERIFIERS = ['vera', 'vito', 'viki'];

export interface OrderOptions {
  agentId?: string;
  funding?: number;
  requirements?: string[];
  jobType?: string;
  workerBond?: number;
  /** The blob behind the scope hash, in place of one with a review. */
  scopeBytes?: Uint8Array;
  /** True if the scope is stored; default true. */
  stored?: boolean;
  scope?: Partial<WorkScope>;
  deliverWithin?: { heights: number; milliseconds: number };
  verifyWithin?: { heights: number; milliseconds: number };
  validationPolicy?: typeof REVIEW_POLICY;
  jury?: 'none';
}

export interface Outages {
  reach: ReachFailpoint;
  arm: () => void;
  /** Waits for the last outage; fails if a failpoint was never reached. */
  over: () => Promise<void>;
}

export interface WorldOptions {
  apart?: boolean;
  idleBlockTime?: number;
  /** Overrides of the options of a fast devnet. */
  chain?: FastDevnetOptions;
  /** Folder for the chain's data; default the world's home. */
  disk?: string;
  /** So many, ordered by CometBFT, in place of the one of a devnet; the node is the last of them, and apart. */
  validators?: number;
}

interface RoleTerms {
  actions: readonly string[];
  profile: JsonObject;
  independenceGroup?: string;
}

export class World {
  readonly home: string;
  node!: Pick<RunningNode, 'url' | 'stop'> & { crash?: () => Promise<void> };
  readonly blobs: RunningBlobs[] = [];
  client!: NetClient;
  operator!: Actor;
  requester!: Actor;
  readonly verifiers: Actor[] = [];
  private orders = 0;
  private voting = true;
  private paused = false;
  private voter: Promise<void> | null = null;
  private port = 0;

  /** True if the node is a process of its own, which can be killed. */
  private readonly apart: boolean;
  /** Milliseconds between blocks if nothing happens; not for a node in its own process. */
  private readonly idleBlockTime: number;
  private readonly chain: FastDevnetOptions;
  private readonly validators: number;
  private readonly dataDir: string;

  private constructor(
    home: string,
    { apart, idleBlockTime, chain, validators, disk }: Required<WorldOptions>,
  ) {
    this.home = home;
    this.dataDir = join(disk, 'chain');
    this.apart = apart;
    this.idleBlockTime = idleBlockTime;
    this.chain = chain;
    this.validators = validators;
  }

  static async start(
    t: Pick<TestContext, 'after'>,
    { apart = false, idleBlockTime = 100, chain = {}, validators = 0, disk }: WorldOptions = {},
  ): Promise<World> {
    const home = mkdtempSync(join(tmpdir(), 'netd-agent-'));
    const place = disk ?? home;
    const world = new World(home, { apart, idleBlockTime, chain, validators, disk: place });
    t.after(() => world.stop());
    await world.startNode();
    for (let i = 0; i < 2; i++) {
      const dataDir = join(world.home, `blobs-${i}`);
      const { url } = world.node;
      world.blobs.push(await serveBlobs({ host: '127.0.0.1', port: 0, dataDir, nodeUrl: url }));
    }
    return world;
  }

  private async startNode(): Promise<void> {
    const { dataDir } = this;
    const operator =
      this.validators > 0
        ? await makeFastTestnet(dataDir, this.validators)
        : makeFastDevnet(dataDir, this.chain);
    // It comes back on its port, which no connection may take while it is away.
    this.port ||= await freePort();
    if (this.validators > 0) this.node = await startTestnetProcess(dataDir, this.port);
    else if (this.apart) this.node = await startNodeProcess(dataDir, this.port);
    else {
      this.node = await serve({
        host: '127.0.0.1',
        port: this.port,
        dataDir,
        blockTime: 1,
        idleBlockTime: this.idleBlockTime,
      });
    }
    this.client = new NetClient({ url: this.node.url });
    this.operator = { actorId: 'operator', key: await AgentKey.fromPem(operator) };
  }

  /** The node goes away, and comes back on the same port. */
  async stopNode(): Promise<void> {
    await this.node.stop();
  }

  /** Kills the node as it is, and starts it again on the same port; for a world whose node is apart. */
  async crashNode(): Promise<void> {
    await this.killNode();
    // One among several is started again by what started it.
    if (this.validators === 0) await this.startNode();
  }

  /** kill -9 */
  async killNode(): Promise<void> {
    await this.node.crash?.();
  }

  /** Replaces the chain with a new one of the same name, staff and port. */
  async resetNode(): Promise<void> {
    await this.killNode();
    rmSync(this.dataDir, { recursive: true });
    await this.startNode();
    this.verifiers.length = 0;
    await this.staff();
  }

  async restartNode(): Promise<void> {
    await this.startNode();
  }

  /** Lets the node go away for a moment whenever an agent gets to one of these points, once each, after `arm`. */
  outagesAt(points: readonly Failpoint[]): Outages {
    const left = new Set(points);
    let armed = false;
    let last = Promise.resolve();
    const outage = async (before: Promise<void>): Promise<void> => {
      await before;
      await this.stopNode();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await this.restartNode();
    };
    return {
      reach: (name) => {
        if (armed && left.delete(name)) last = outage(last);
      },
      arm: () => void (armed = true),
      over: async () => {
        await last;
        assert.deepEqual([...left], [], 'not reached');
      },
    };
  }

  get origins(): string[] {
    return this.blobs.map(({ url }) => url);
  }

  /** How an agent of a test opens: its keys and state below the world's home. */
  options(more: AgentOptions = {}): AgentOptions {
    return {
      url: this.node.url,
      keys: join(this.home, 'keys'),
      blobs: this.origins,
      // Agents of tests name these to each other, and all of them are on this machine.
      trustedOrigins: this.origins,
      capabilities: ['research'],
      log: false,
      ...more,
    };
  }

  /** A key file is lost. */
  async forgetKey(name: string): Promise<void> {
    rmSync(join(this.home, 'keys', FAST_CHAIN_ID, `${name}.json`));
  }

  /** An agent with a key and 900 NET. */
  async join(
    actorId: string,
    actions: PayloadOf<'extendAgentCapabilities'>['actions'] = [],
  ): Promise<Actor> {
    const actor = { actorId, key: await AgentKey.generate() };
    if (actorId.startsWith('house-')) {
      const { publicKeyHash } = actor.key;
      await this.client.act(this.operator, 'reserveName', { actorId, publicKeyHash });
    }
    await this.client.register(actor);
    await this.client.act(actor, 'extendAgentCapabilities', { actions: ['faucet', ...actions] });
    await this.client.act(actor, 'faucet', { amount: 900 * UNET_PER_NET });
    return actor;
  }

  /** Announces each store by the beacon of an agent of the operator, as `netd dev` does. */
  async announceBlobs(): Promise<void> {
    for (const [index, origin] of this.origins.entries()) {
      const keeper = await this.join(`house-blobs-${index}`);
      const { height } = await this.client.network();
      await this.act(keeper, 'publishBeacon', {
        schema: 'NET-AGENT-BEACON/1',
        agentId: keeper.actorId,
        indexable: true,
        endpoint: origin.replace('http:', 'https:'),
        capabilities: ['blobs'],
        protocols: ['netd-blobs/1'],
        metadataHash: '0'.repeat(64),
        expiresAtHeight: height + 4_000,
        sequence: 1,
      });
    }
  }

  /** Adds a requester and verifiers. The verifiers vote on each order they are drawn for until `pauseVotes`. */
  async staff(): Promise<void> {
    this.requester = await this.join('rita', ['createWorkOrder', 'cancelWorkOrder']);
    for (const name of VERIFIERS) {
      const actor = await this.join(name);
      await this.takeRole(actor, 'VERIFIER', {
        actions: ['voteWork'],
        profile: { bond: BOND },
        independenceGroup: `firm-of-${name}`,
      });
      this.verifiers.push(actor);
    }
    this.voter ??= this.voteForever();
  }

  private async takeRole(
    actor: Actor,
    role: Application['role'],
    { actions, profile, independenceGroup }: RoleTerms,
  ): Promise<void> {
    const { height } = await this.client.network();
    const applicationId = `apply-${actor.actorId}`;
    await this.client.apply(actor, {
      applicationId,
      role,
      capabilities: actions.map((action) => ({ action })),
      profile,
      expiresAtHeight: height + 1_000,
    });
    const { transitionHash } = await this.client.act(this.operator, 'createOperatorInvitation', {
      applicationId,
      ...(independenceGroup === undefined ? {} : { independenceGroup }),
    });
    await this.client.claim(actor, transitionHash);
  }

  /** An agent gets money, a role and a bond, and offers a runtime of this name. */
  async offerRuntime(
    { agentId: providerId }: Pick<Agent, 'agentId'>,
    runtimeId: string,
  ): Promise<void> {
    const actor = await this.actorOf(providerId);
    await this.client.act(actor, 'extendAgentCapabilities', { actions: ['faucet'] });
    await this.client.act(actor, 'faucet', { amount: 900 * UNET_PER_NET });
    const actions = ['registerRuntimeOffer', 'attestMemoryRestore'];
    const profile = { bond: BOND, region: 'eu', faultDomain: `${providerId}-1` };
    await this.takeRole(actor, 'RUNTIME_PROVIDER', { actions, profile });
    await this.client.act(actor, 'registerRuntimeOffer', {
      providerId,
      runtimeId,
      endpoint: `https://${providerId}.example/`,
      serializer: 'NET-PORTABLE-MEMORY/1',
      encryptions: ['AES-256-GCM'],
      maxByteLength: 1_000_000,
      expiresAtHeight: (await this.client.network()).height + 4_000,
    });
  }

  /** The reason for which the verifiers reject each result; null if they accept every stored one. */
  rejectsBecause: string | null = null;
  /** False if the verifiers say of each scope that it cannot be judged. */
  canJudge = true;

  pauseVotes(paused: boolean): void {
    this.paused = paused;
  }

  private async voteForever(): Promise<void> {
    while (this.voting) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (this.paused) continue;
      try {
        await this.voteOnce();
      } catch {
        // The node is away, by intention: the next turn asks again.
      }
    }
  }

  private async voteOnce(): Promise<void> {
    const { orders } = await this.client.read('/v1/work-orders', { status: 'VERIFYING' });
    for (const order of orders) {
      const { orderId, result } = order;
      for (const verifier of this.verifiers) {
        const { actorId } = verifier;
        if (!result || !awaitsVote(order, actorId)) continue;
        const found = await this.fetch(result.deliverableHash);
        const verdict = found && this.rejectsBecause === null ? 'ACCEPT' : 'REJECT';
        const next = await nextVote(order, verifier, {
          vote: this.canJudge ? verdict : 'UNJUDGEABLE',
          evidenceHash: sha256Hex(this.rejectsBecause ?? `${orderId} ${actorId}`),
          reExecutionHash: result.deliverableHash,
        });
        if (next) await this.client.act(verifier, 'voteWork', next);
      }
    }
  }

  /** Returns a blob straight from a store; null if it is missing there. */
  async fetch(hash: string, store = 0): Promise<Uint8Array | null> {
    return new BlobClient(this.origins[store] ?? '').get(hash);
  }

  /** Other bytes under the name of a blob, as a store that is broken has them. */
  spoil(hash: string, store: number): void {
    const file = this.blobFile(hash, store);
    const bytes = readFileSync(file);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  }

  async remove({ actorId, key }: Actor, hash: string, store: number): Promise<void> {
    const signer = { keyId: actorId, sign: (bytes: Uint8Array) => key.signBytes(bytes) };
    await new BlobClient(this.origins[store] ?? '').delete(hash, signer);
  }

  /** An agent of the tests, by its key file. */
  async actorOf(agentId: string): Promise<Actor> {
    const file = JSON.parse(this.keyText(agentId)) as { publicKey: string; privateKey: string };
    return { actorId: agentId, key: await AgentKey.fromPem(file) };
  }

  encryptionOf(agentId: string): EncryptionSecret {
    const { x, d } = JSON.parse(this.keyText(`${agentId}.encryption`)) as { x: string; d: string };
    return { ...encryptionKeyOf(x), d };
  }

  private keyText(name: string): string {
    return readFileSync(join(this.home, 'keys', FAST_CHAIN_ID, `${name}.json`), 'utf8');
  }

  /** Returns the file in which a store keeps a blob. */
  blobFile(hash: string, store: number): string {
    return join(this.home, `blobs-${store}`, 'blobs', hash.slice(0, 2), hash);
  }

  /** Stores a blob as the requester. */
  store(bytes: Uint8Array): Promise<string> {
    return this.storeAs(this.requester, bytes);
  }

  async storeAs({ actorId, key }: Actor, bytes: Uint8Array): Promise<string> {
    const signer = { keyId: actorId, sign: (data: Uint8Array) => key.signBytes(data) };
    for (const origin of this.origins) await new BlobClient(origin).put(bytes, signer);
    return sha256Hex(bytes);
  }

  /** The id that the next order will have. */
  nextOrderId(): string {
    return `order-${this.orders + 1}`;
  }

  /** @returns its id */
  async order(options: OrderOptions = {}): Promise<string> {
    const payload = this.orderPayload(options);
    if (options.stored !== false) await this.store(this.scopeOf(options));
    await this.client.act(this.requester, 'createWorkOrder', payload);
    return payload.orderId;
  }

  private scopeOf({ scopeBytes, scope }: OrderOptions): Uint8Array {
    return (
      scopeBytes ??
      workScope.make({
        schema: 'NET-WORK-SCOPE/1',
        title: 'Say what it is',
        instructions: 'Three words.',
        inputs: [],
        deliverable: { mediaType: 'text/plain', maxBytes: 1_000 },
        acceptance: [{ kind: 'review', question: 'Are these three words?' }],
        ...scope,
      }).bytes
    );
  }

  /** Returns the payload that creates the next order. */
  orderPayload(options: OrderOptions): PayloadOf<'createWorkOrder'> {
    const { agentId, workerBond, deliverWithin, verifyWithin } = options;
    const { requirements = ['research'] } = options;
    const orderId = this.nextOrderId();
    this.orders++;
    return {
      orderId,
      title: 'Say what it is',
      scopeHash: sha256Hex(this.scopeOf(options)),
      jobType: options.jobType ?? 'research',
      requirements,
      funding: options.funding ?? 10 * UNET_PER_NET,
      ...(agentId === undefined ? {} : { agentId }),
      ...(workerBond === undefined ? {} : { workerBond }),
      ...(deliverWithin === undefined ? {} : { deliverWithin }),
      ...(verifyWithin === undefined ? {} : { verifyWithin }),
      validationPolicy: options.validationPolicy ?? REVIEW_POLICY,
      ...(options.jury === undefined ? {} : { jury: options.jury }),
    };
  }

  async orderAt(orderId: string): Promise<WorkOrder> {
    return (await this.client.read('/v1/work-orders/{orderId}', { orderId })).order;
  }

  async balanceOf(agentId: string): Promise<number> {
    return (await this.client.read('/v1/agents/{agentId}', { agentId })).account.balance;
  }

  /** Everything that happened, by type. */
  async events(type: string): Promise<JsonObject[]> {
    const found = await this.client.get<{ events: { data: JsonObject }[] }>(
      `/v1/events?type=${type}&after=0.0&limit=1000`,
    );
    return found.events.map(({ data }) => data);
  }

  act(actor: Actor, action: string, payload: JsonObject): Promise<Receipt> {
    return this.client.act(actor, action, payload);
  }

  private async stop(): Promise<void> {
    this.voting = false;
    await this.voter;
    for (const one of this.blobs) await one.stop();
    await this.node.stop();
    rmSync(this.home, { recursive: true, force: true });
  }
}
