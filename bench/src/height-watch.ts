/** Polls the heights of several nodes and records when each was first seen. */
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequest, HttpConnection } from './http-connection.ts';
import { quantile } from './measure.ts';

const EVERY_MILLISECONDS = 10;

export interface Lag {
  /** Blocks behind, over all polls. */
  blocks: { median: number; p99: number };
  /** Milliseconds between first sightings of a height at both nodes; NaN if no height was seen at both. */
  milliseconds: { median: number; p99: number };
}

export class HeightWatch {
  private readonly connections: HttpConnection[];
  /** By node: first sighting of a height or a greater one. */
  private readonly seenAt: Map<number, number>[];
  private readonly looks: number[][] = [];
  private isOver = false;
  private loop: Promise<void> = Promise.resolve();

  private constructor(connections: HttpConnection[]) {
    this.connections = connections;
    this.seenAt = connections.map(() => new Map<number, number>());
  }

  /** @param ports the writer's first */
  static async open(ports: readonly number[]): Promise<HeightWatch> {
    return new HeightWatch(await Promise.all(ports.map((port) => HttpConnection.open(port))));
  }

  async heights(): Promise<number[]> {
    return Promise.all(
      this.connections.map(async (connection, node) => {
        const { body } = await connection.send(getRequest('/v1/network'));
        const { height } = JSON.parse(body.toString()) as { height: number };
        const seen = this.seenAt[node];
        if (seen && !seen.has(height)) seen.set(height, performance.now());
        return height;
      }),
    );
  }

  begin(): void {
    this.isOver = false;
    this.looks.length = 0;
    for (const seen of this.seenAt) seen.clear();
    this.loop = this.look();
  }

  /** @returns the lag of every node but the first */
  async end(): Promise<Lag[]> {
    this.isOver = true;
    await this.loop;
    const [writer, ...others] = this.seenAt;
    return others.map((seen, index) => {
      const behind = this.looks.map((look) => (look[0] ?? 0) - (look[index + 1] ?? 0));
      const late = [...(writer ?? [])].flatMap(([height, at]) => {
        // A poll shows only the last of several new blocks.
        const first = [...seen].find(([other]) => other >= height);
        return first ? [first[1] - at] : [];
      });
      return {
        blocks: { median: quantile(behind, 0.5), p99: quantile(behind, 0.99) },
        milliseconds: { median: quantile(late, 0.5), p99: quantile(late, 0.99) },
      };
    });
  }

  /** Waits until all nodes have the first one's height. */
  async level(): Promise<void> {
    for (;;) {
      const heights = await this.heights();
      if (heights.every((height) => height === heights[0])) return;
      await sleep(EVERY_MILLISECONDS);
    }
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }

  private async look(): Promise<void> {
    while (!this.isOver) {
      this.looks.push(await this.heights());
      await sleep(EVERY_MILLISECONDS);
    }
  }
}
