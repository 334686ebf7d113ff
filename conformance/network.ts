/**
 * The network under test, and a cast of agents that this run registered there. Everything goes through the public
 * interface, under ids that no other run has, so that checks work on an empty node and on a busy one, again and again.
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

/** What an agent of the cast asks for beside the base set. */
const EXTENSION = [
  'faucet',
  'transfer',
  'createWorkOrder',
  'cancelWorkOrder',
  'createToken',
  'mintToken',
];
const PURSE = 500 * UNET_PER_NET;
/** Heights an envelope of the cast stays valid. */
const LIFETIME = 1_000;

export interface NetworkOptions {
  url: string;
  /** The data directory of the node, for what needs its operator. */
  dataDir?: string;
  /** If the node is a follower: the address of the node that takes its writes. */
  writer?: string;
}

export class Network {
  readonly http: Http;
  readonly url: string;
  /** Where clients write: the node itself, unless it is a follower. */
  readonly writer: string;
  /** Ends every id of this run. */
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

  /** An id of this run. */
  id(name: string): string {
    return `${name}-${this.run}`;
  }

  /** An id that nothing has yet. */
  fresh(name: string): string {
    return `${name}-${this.next('fresh')}-${this.run}`;
  }

  /** How often `next` was asked for this name. */
  count(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** Counts on: 1 the first time. */
  next(name: string): number {
    const count = this.count(name) + 1;
    this.counts.set(name, count);
    return count;
  }

  /** Makes something the first time, and has it from then on. */
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

  /** A registration as an honest agent signs it; `members` replace or add before signing. */
  async registration(
    actorId: string,
    key: AgentKey,
    members: JsonObject = {},
  ): Promise<JsonObject> {
    return key.sign(registrationOf({ actorId, key }, { nonce: this.fresh('n'), ...members }));
  }

  /** One of the cast, registered the first time it is asked for. */
  agent(name: string, members: JsonObject = {}): Promise<Actor & { answer: Answer }> {
    return this.once(`agent ${name}`, () => this.join(this.id(name), members));
  }

  /** One of the cast that has money and may spend it. */
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

  /** The operator of the node. */
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

  /** An intent as an honest agent signs it; `members` replace or add before signing. */
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

  /** Submits an action, whatever becomes of it. */
  async tries(actor: Actor, action: string, payload: JsonObject): Promise<Answer> {
    return this.http.post('/v1/intents', await this.intent(actor, action, payload));
  }

  /** Submits an action that has to be committed. */
  async does(actor: Actor, action: string, payload: JsonObject): Promise<Receipt> {
    const answer = await this.tries(actor, action, payload);
    assert.equal(answer.status, 201, `${action} of ${actor.actorId} was not committed`);
    return answer.body['receipt'] as unknown as Receipt;
  }

  /** Commits something harmless, so that the height moves on. */
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
