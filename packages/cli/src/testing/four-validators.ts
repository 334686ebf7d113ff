/** Four nodes of `netd start`, whose answered payments are remembered. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { AgentKey, type Actor, type Receipt } from '@netd/sdk';
import {
  insist,
  reached,
  StartedNodes,
  type NodePlace,
  type StartedNode,
} from './started-nodes.ts';

type How = NonNullable<Parameters<StartedNodes['start']>[2]>;

export class FourValidators {
  readonly nodes: StartedNodes;
  readonly all: StartedNode[] = [];
  readonly operator: Actor;
  /** Of all that was answered with a receipt, the block. */
  readonly answered = new Map<number, string>();

  private constructor(nodes: StartedNodes, operator: Actor) {
    this.nodes = nodes;
    this.operator = operator;
  }

  /** Returns null and skips the test if there is no CometBFT. */
  static async begin(
    t: TestContext,
    { genesis, how }: { genesis?: Parameters<StartedNodes['changeGenesis']>[0]; how?: How } = {},
  ): Promise<FourValidators | null> {
    const nodes = await StartedNodes.make(t, 4);
    if (!nodes) return null;
    if (genesis) nodes.changeGenesis(genesis);
    const world = new FourValidators(nodes, await nodes.operator());
    await Promise.all([0, 1, 2, 3].map((index) => world.up(index, [], how)));
    await insist(
      async () => world.at(0).client.register({ actorId: 'ada', key: await AgentKey.generate() }),
      'AGENT_EXISTS',
    );
    return world;
  }

  at(index: number): StartedNode {
    const node = this.all[index];
    if (!node) throw new RangeError('there is no such node');
    return node;
  }

  async upAll(): Promise<void> {
    await Promise.all([0, 1, 2, 3].map((index) => this.up(index)));
  }

  async up(index: number, more: readonly string[] = [], how: How = {}): Promise<StartedNode> {
    const node = await this.nodes.start(this.place(index), more, how);
    this.all[index] = node;
    return node;
  }

  place(index: number): NodePlace {
    return this.nodes.placeOf(index);
  }

  async down(index: number): Promise<void> {
    assert.equal((await this.nodes.stop(this.at(index))).code, 0);
  }

  /** Stops one and starts it with another program, while the one before it takes payments. Returns how many. */
  async replace(index: number, how: How): Promise<number> {
    await this.down(index);
    const starting = this.up(index, [], how);
    starting.catch(() => {});
    let paid = 0;
    do {
      await this.pay((index + 3) % 4);
      paid++;
    } while (!(await settled(starting)));
    await starting;
    return paid;
  }

  async pay(index: number): Promise<Receipt> {
    const receipt = await insist(() => this.payOnce(index));
    assert.ok(receipt);
    return receipt;
  }

  async payOnce(index: number): Promise<Receipt> {
    const { client } = this.at(index);
    const receipt = await client.act(this.operator, 'transfer', { to: 'ada', amount: 1 });
    this.answered.set(receipt.height, receipt.blockHash);
    return receipt;
  }

  /** All have come to the newest block of any, with one hash and one root; and what was answered is there, at each. */
  async agree(some = this.all): Promise<number> {
    const heights = await Promise.all(
      some.map(async ({ client }) => (await client.network()).height),
    );
    const height = Math.max(...heights);
    const seen = await Promise.all(
      some.map(async (node) => {
        await reached(node, height);
        const { blockHash, header } = await node.client.read('/v1/blocks/{height}', { height });
        return `${blockHash} ${header.stateRoot}`;
      }),
    );
    assert.equal(new Set(seen).size, 1, seen.join('\n'));
    return height;
  }

  async holdsWhatWasAnswered(index: number): Promise<void> {
    for (const [height, expected] of this.answered) {
      const { blockHash } = await this.at(index).client.read('/v1/blocks/{height}', { height });
      assert.equal(blockHash, expected);
    }
  }

  /** Returns the directory of the sockets between a validator and its CometBFT. */
  socketsOf(index: number): string {
    const config = join(this.place(index).dataDir, 'cometbft/config/config.toml');
    const [, path = ''] = /^proxy_app = "unix:\/\/(.*)"$/m.exec(readFileSync(config, 'utf8')) ?? [];
    return dirname(path);
  }
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
