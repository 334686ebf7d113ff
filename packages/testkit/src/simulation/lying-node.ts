/**
 * A liar before an honest node: about blocks (by the catalogue), its height, and states. It also offers an
 * uncertified state, complete and with matching chunk hashes.
 */
import {
  hashWithout,
  makeCheckpoint,
  sha256Hex,
  type StateCheckpoint,
  type StateChunk,
} from '@netd/protocol';
import { liesAboutBlock } from '@netd/protocol/testing';
import { Random } from './random.ts';
import type { NetworkNode, SimulatedAnswer } from './simulated-network.ts';

const OFTEN = 0.3;
/** The last digit of a number in JSON. */
const NUMBER_END = /\d(?=[,}])/g;
const FIRST_DIGIT = 48;

export class LyingNode implements NetworkNode {
  readonly url: string;
  lies = 0;
  private readonly honest: NetworkNode;
  private readonly random: Random;
  private isHonest = false;
  /** Forged checkpoints by hash: the first chunk, and the checkpoint with the others. */
  private readonly forged = new Map<string, { first: Buffer; of: string }>();

  constructor(url: string, honest: NetworkNode, seed: number) {
    this.url = url;
    this.honest = honest;
    this.random = Random.named(seed, url);
  }

  get isUp(): boolean {
    return this.honest.isUp;
  }

  /** Stops lying. */
  confess(): void {
    this.isHonest = true;
  }

  answer(path: string): SimulatedAnswer | null {
    const answer = this.honest.answer(path);
    if (answer === null || answer.status !== 200 || this.isHonest) return answer;
    if (!this.random.chance(OFTEN)) return answer;
    const received = this.lieAbout(path, answer.text);
    if (received === undefined) return answer;
    this.lies++;
    return received === null ? null : { status: 200, text: received };
  }

  async state(path: string): Promise<SimulatedAnswer | null> {
    const forged = await this.forgedChunk(path);
    if (forged) return forged;
    const answer = await this.honest.state(path);
    if (answer === null || answer.status !== 200 || this.isHonest) return answer;
    if (!this.random.chance(OFTEN)) return answer;
    this.lies++;
    const received = path.includes('/chunks/')
      ? this.lieAboutChunk(JSON.parse(answer.text) as StateChunk)
      : await this.lieAboutCheckpoint(JSON.parse(answer.text) as StateCheckpoint);
    return received === null ? null : { status: 200, text: JSON.stringify(received) };
  }

  private lieAboutChunk(chunk: StateChunk): object | null {
    const bytes = Buffer.from(chunk.data, 'base64');
    const flipped = Buffer.from(bytes);
    const at = this.random.below(bytes.length);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    const received = this.random.pick([flipped, bytes.subarray(1), Buffer.alloc(0), null]);
    return received && { ...chunk, data: received.toString('base64') };
  }

  private async lieAboutCheckpoint(checkpoint: StateCheckpoint): Promise<object | null> {
    const other = 'ab'.repeat(32);
    const { height, byteLength, chunkHashes } = checkpoint;
    if (this.random.chance(0.4)) return this.forge(checkpoint);
    const altered = this.random.pick([
      { height: height + 1 },
      { stateRoot: other },
      { certificateHash: other },
      { byteLength: byteLength + 1 },
      { chunkHashes: [...chunkHashes, other] },
    ]);
    const received = { ...checkpoint, ...altered };
    if (this.random.chance(0.5)) return received;
    return { ...received, checkpointHash: hashWithout(received, 'checkpointHash') };
  }

  /** Changes one number of a state. Everything matches except the certified root. */
  private async forge(checkpoint: StateCheckpoint): Promise<StateCheckpoint | null> {
    const { checkpointHash, byteLength, chunkHashes } = checkpoint;
    const received = await this.honest.state(`/v1/state/chunks/0?checkpoint=${checkpointHash}`);
    if (received?.status !== 200) return null;
    const first = Buffer.from((JSON.parse(received.text) as StateChunk).data, 'base64');
    const places = [...first.toString('latin1').matchAll(NUMBER_END)].map(({ index }) => index);
    const at = this.random.pick(places);
    first[at] = FIRST_DIGIT + (((first[at] ?? 0) - FIRST_DIGIT) % 9) + 1;
    const made = makeCheckpoint(checkpoint, byteLength, [
      sha256Hex(first),
      ...chunkHashes.slice(1),
    ]);
    this.forged.set(made.checkpointHash, { first, of: checkpointHash });
    return made;
  }

  /** Returns a chunk of a forged state; null if the request is for another state. */
  private async forgedChunk(path: string): Promise<SimulatedAnswer | null> {
    const [, index, hash = ''] = /chunks\/(\d+)\?checkpoint=(\w+)$/.exec(path) ?? [];
    const forged = this.forged.get(hash);
    if (!forged) return null;
    if (index !== '0')
      return this.honest.state(`/v1/state/chunks/${index}?checkpoint=${forged.of}`);
    return { status: 200, text: JSON.stringify({ data: forged.first.toString('base64') }) };
  }

  /** @returns undefined if no lie applies, null to break the connection */
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
    const received = random.pick([
      { height: height + 1 + random.below(1_000) },
      { height: random.below(height + 1), blockHash: other },
      { blockHash: other },
      { height: -1 },
      { height: 'high' },
      { blockHash: 7 },
    ]);
    return JSON.stringify({ ...document, ...received });
  }
}
