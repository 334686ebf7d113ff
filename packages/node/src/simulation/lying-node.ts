/** A node that stands before an honest one, and lies: about blocks by the catalogue, and about how far it is. */
import { liesAboutBlock } from '@netd/protocol/testing';
import { Random } from './random.ts';
import type { NetworkNode, SimulatedAnswer } from './simulated-network.ts';

const OFTEN = 0.3;

export class LyingNode implements NetworkNode {
  readonly url: string;
  lies = 0;
  private readonly honest: NetworkNode;
  private readonly random: Random;
  private isHonest = false;

  constructor(url: string, honest: NetworkNode, seed: number) {
    this.url = url;
    this.honest = honest;
    this.random = Random.named(seed, url);
  }

  get isUp(): boolean {
    return this.honest.isUp;
  }

  /** From now on it tells the truth. */
  confess(): void {
    this.isHonest = true;
  }

  answer(path: string): SimulatedAnswer | null {
    const answer = this.honest.answer(path);
    if (answer === null || answer.status !== 200 || this.isHonest) return answer;
    if (!this.random.chance(OFTEN)) return answer;
    const told = this.lieAbout(path, answer.text);
    if (told === undefined) return answer;
    this.lies++;
    return told === null ? null : { status: 200, text: told };
  }

  /** @returns undefined where there is no lie about it, null to break the connection */
  private lieAbout(path: string, text: string): string | null | undefined {
    const { random } = this;
    const document = JSON.parse(text) as Record<string, unknown> & { height?: number };
    if (path.startsWith('/v1/blocks/')) {
      if (random.chance(0.1)) return random.pick(['', '{', '[]', 'null', text.slice(1), null]);
      return JSON.stringify(random.pick(liesAboutBlock(document)).alter(document));
    }
    if (path !== '/v1/network') return undefined;
    const height = Number(document.height);
    const other = 'ab'.repeat(32);
    const told = random.pick([
      { height: height + 1 + random.below(1_000) },
      { height: random.below(height + 1), blockHash: other },
      { blockHash: other },
      { height: -1 },
      { height: 'high' },
      { blockHash: 7 },
    ]);
    return JSON.stringify({ ...document, ...told });
  }
}
