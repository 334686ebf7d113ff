/** Four nodes of `netd start`, with a record of all payments that got a receipt. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { AgentKey, type Actor, type Receipt } from '@netd/sdk';
import {
  during,
  insist,
  reached,
  StartedNodes,
  type NodePlace,
  type StartedNode,
} from './started-nodes.ts';

type How = NonNullable<Parameters<StartedNodes['start']>[2]>;

const MOST_ROUNDS = 400;
const MOST_POLLS = 1_200;

export class FourValidators {
  readonly nodes: StartedNodes;
  readonly all: StartedNode[] = [];
  readonly operator: Actor;
  /** Block hashes by height, of all payments with a receipt. */
  readonly answered = new Map<number, string>();

  private constructor(nodes: StartedNodes, operator: Actor) {
    this.nodes = nodes;
    this.operator = operator;
  }

  /** Returns null and skips the test if there is no CometBFT. */
  static async begin(
    t: TestContext,
    {
      genesis,
      how = () => ({}),
      wired = false,
    }: {
      genesis?: Parameters<StartedNodes['changeGenesis']>[0];
      how?: (index: number) => How;
      /** Puts relays between them, for `nodes.wires`. */
      wired?: boolean;
    } = {},
  ): Promise<FourValidators | null> {
    const nodes = await StartedNodes.make(t, 4);
    if (!nodes) return null;
    if (genesis) nodes.changeGenesis(genesis);
    if (wired) await nodes.wire();
    const world = new FourValidators(nodes, await nodes.operator());
    await Promise.all([0, 1, 2, 3].map((index) => world.up(index, [], how(index))));
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

  /**
   * Restarts a validator with another program, while the one before it receives payments. Returns their
   * number.
   */
  async replace(index: number, how: How): Promise<number> {
    await this.down(index);
    const starting = this.up(index, [], how);
    let paid = 0;
    await during(starting, async () => {
      await this.pay((index + 3) % 4);
      paid++;
    });
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

  /**
   * Waits until all have the newest block with the same hash and root. Asserts that each has all payments
   * with a receipt.
   */
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

  /** Pays until a certificate has a vote of the validator, and returns the height of CometBFT. */
  async untilVoteOf(name: string): Promise<number> {
    for (let round = 0; ; round++) {
      assert.ok(round < MOST_ROUNDS, `${round} payments, and no vote of ${name}`);
      const { height } = await this.pay(0);
      const { certificate } = await this.at(0).client.read('/v1/blocks/{height}', { height });
      assert.ok('commit' in certificate);
      const { header } = certificate.commit;
      if (certificate.votes.some(({ validatorId }) => validatorId === name)) return header.height;
    }
  }

  /**
   * Polls, because no event reports the health of a node.
   * @param fault that the node reports; null for none
   */
  async untilHealth(index: number, fault: RegExp | null): Promise<void> {
    for (let polls = 0; ; polls++) {
      const { status, faults } = await this.at(index).client.read('/health');
      const isSo = fault === null ? status === 'ok' : fault.test(faults.join('\n'));
      if (isSo) return;
      assert.ok(polls < MOST_POLLS, `${String(fault)} of ${index}: ${faults.join('\n') || status}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
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
