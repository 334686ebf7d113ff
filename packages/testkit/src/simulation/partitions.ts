/** Cuts and mends links of a simulated network. */
import type { Random } from './random.ts';
import type { SimulatedNetwork } from './simulated-network.ts';

const OFTEN = 0.03;
/** Steps for which a link stays cut. */
const DURATIONS = [1, 4, 20];

export class Partitions {
  count = 0;
  private readonly network: SimulatedNetwork;
  private readonly random: Random;
  private readonly links: readonly (readonly [string, string])[];
  /** The step that mends a link, by the link's index. */
  private readonly cuts = new Map<number, number>();

  /** @param urls nodes, each linked to every other */
  constructor(network: SimulatedNetwork, random: Random, urls: readonly string[]) {
    this.network = network;
    this.random = random;
    this.links = urls.flatMap((one, index) =>
      urls.slice(0, index).map((other) => [one, other] as const),
    );
  }

  /** Cuts some links, and mends those that are due. */
  pass(step: number): void {
    for (const [place, [one, other]] of this.links.entries()) {
      const until = this.cuts.get(place);
      if (until === undefined && this.random.chance(OFTEN)) {
        this.cuts.set(place, step + this.random.pick(DURATIONS));
        this.count++;
        this.network.cut(one, other, true);
      } else if (until !== undefined && until <= step) {
        this.cuts.delete(place);
        this.network.cut(one, other, false);
      }
    }
  }

  /** Isolates a node, or restores its links unless they are cut anyway. */
  isolate(url: string, isAlone: boolean): void {
    for (const [place, [one, other]] of this.links.entries()) {
      if (one !== url && other !== url) continue;
      this.network.cut(one, other, isAlone || this.cuts.has(place));
    }
  }

  heal(): void {
    this.cuts.clear();
    for (const [one, other] of this.links) this.network.cut(one, other, false);
  }
}
