/**
 * The network under test, and this run's cast of agents. Ids are unique to the run, so that checks can be repeated
 * on any node.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UNET_PER_NET, type JsonObject, type Receipt } from '@netd/protocol';
import { intentOf, registrationOf } from '@netd/protocol/testing';
import { AgentKey, type Actor } from '@netd/sdk';
import { Skip } from './skip.ts';
import { textOf } from './expect.ts';
import { Http, type Answer } from './http.ts';

/** Capabilities of the cast beyond the base set. */
const EXTENSION = [
  'faucet',
  'transfer',
  'createWorkOrder',
  'cancelWorkOrder',
  'createToken',
  'mintToken',
];
const PURSE = 500 * UNET_PER_NET;
/** Heights for which the cast's envelopes are valid. */
const LIFETIME = 1_000;

export interface NetworkOptions {
  url: string;
  /** The node's data directory, for checks that need its operator. */
  dataDir?: string;
  /** The writer's address, if the node is a follower. */
  writer?: string;
}

export class Network {
  readonly http: Http;
  readonly url: string;
  /** The address for writes: the node, or a follower's writer. */
  readonly writer: string;
  /** Suffix of every id of this run. */
  readonly run = randomBytes(4).toString('hex');
  private readonly dataDir: string | null;
  private readonly made = new Map<string, Promise<unknown>>();
  private readonly counts = new Map<string, number>();

  constructor({ url, dataDir, writer }: NetworkOptions) {
    this.http = new Http(url, writer);
    this.url = this.http.url;
    this.writer = writer ?? this.url;
    this.dataDir = dataDir ?? null;
  }

  id(name: string): string {
    return `${name}-${this.run}`;
  }

  /** Returns an unused id. */
  fresh(name: string): string {
    return `${name}-${this.next('fresh')}-${this.run}`;
  }

  /** Returns the last number from `next`, or 0. */
  count(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** Returns 1, 2, … for each name. */
  next(name: string): number {
    const count = this.count(name) + 1;
    this.counts.set(name, count);
    return count;
  }

  /** Makes something once; later calls return the same promise. */
  once<Thing>(name: string, make: () => Promise<Thing>): Promise<Thing> {
    const known = this.made.get(name) ?? make();
    this.made.set(name, known);
    return known as Promise<Thing>;
  }

  async status(): Promise<{ chainId: string; height: number; open: boolean }> {
    return (await this.http.document('/v1/network')) as never;
  }

  async height(): Promise<number> {
    return (await this.status()).height;
  }

  /** Registers an agent; `members` are added to its envelope. */
  async join(name: string, members: JsonObject = {}): Promise<Actor & { answer: Answer }> {
    const key = await AgentKey.generate();
    const envelope = await this.registration(name, key, members);
    const answer = await this.http.post('/v1/agents/register', envelope);
    assert.equal(answer.status, 201, `${name} could not register`);
    return { actorId: name, key, answer };
  }

  /** Makes an honest registration; `members` override before signing. */
  async registration(
    actorId: string,
    key: AgentKey,
    members: JsonObject = {},
  ): Promise<JsonObject> {
    return key.sign(registrationOf({ actorId, key }, { nonce: this.fresh('n'), ...members }));
  }

  /** Returns an agent of the cast, registering it on first use. */
  agent(name: string, members: JsonObject = {}): Promise<Actor & { answer: Answer }> {
    return this.once(`agent ${name}`, () => this.join(this.id(name), members));
  }

  /** Returns an agent of the cast with funds and permission to spend. */
  spender(name: string): Promise<Actor> {
    return this.once(`spender ${name}`, async () => {
      const actor = await this.agent(name);
      await this.does(actor, 'extendAgentCapabilities', {
        agentId: actor.actorId,
        actions: EXTENSION,
      });
      await this.does(actor, 'faucet', { amount: PURSE });
      return actor;
    });
  }

  operator(): Promise<Actor> {
    return this.once('operator', async () => {
      if (this.dataDir === null) throw new Skip('needs the operator: name --data-dir');
      const facts = readJson(join(this.dataDir, 'dev.json'));
      const file = readJson(textOf(facts['operatorKeyPath']));
      const { privateKey, publicKey } = file as { privateKey: string; publicKey: string };
      const key = await AgentKey.fromPem({ privateKey, publicKey });
      return { actorId: textOf(facts['operatorActorId']), key };
    });
  }

  /** Makes an honest intent; `members` override before signing. */
  async intent(
    { actorId, key }: Actor,
    action: string,
    payload: JsonObject,
    members: JsonObject = {},
  ): Promise<JsonObject> {
    const { chainId, height } = await this.status();
    const unsigned = intentOf(actorId, {
      nonce: this.fresh('n'),
      expiresAtHeight: height + LIFETIME,
      action,
      payload,
      chainId,
      ...members,
    });
    return key.sign(unsigned);
  }

  /** Submits an action and returns any answer. */
  async tries(actor: Actor, action: string, payload: JsonObject): Promise<Answer> {
    return this.http.post('/v1/intents', await this.intent(actor, action, payload));
  }

  /** Submits an action that must be committed. */
  async does(actor: Actor, action: string, payload: JsonObject): Promise<Receipt> {
    const answer = await this.tries(actor, action, payload);
    assert.equal(answer.status, 201, `${action} of ${actor.actorId} was not committed`);
    return answer.body['receipt'] as unknown as Receipt;
  }

  /** Registers agents to advance the height. */
  async pass(heights: number): Promise<void> {
    for (let height = 0; height < heights; height++) await this.join(this.fresh('pass'));
  }
}

function readJson(path: string): JsonObject {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
  } catch (error) {
    const { message } = error as Error;
    throw new Skip(`needs the operator, whose key cannot be read: ${message}`);
  }
}
