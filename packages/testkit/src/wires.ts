/** Relays between nodes, one for each direction of a pair, so that a network can be split. */
import { Relay } from './relay.ts';

export class Wires {
  private readonly count: number;
  /** By node, and by the peer that it dials; a node has none to itself. */
  private readonly relays: readonly (readonly (Relay | null)[])[];

  private constructor(relays: Wires['relays']) {
    this.relays = relays;
    this.count = relays.length;
  }

  /** @param ports on which the nodes listen */
  static async between(ports: readonly number[]): Promise<Wires> {
    const rows = ports.map((_, from) =>
      Promise.all(ports.map(async (port, to) => (from === to ? null : await open(port, ports)))),
    );
    return new Wires(await Promise.all(rows));
  }

  /** Returns the port at which one node dials another. */
  port(from: number, to: number): number {
    const relay = this.relays[from]?.[to];
    if (!relay) throw new RangeError(`there is no wire from ${from} to ${to}`);
    return relay.port;
  }

  /** Cuts the wires between these nodes and all others; the rest stays as it is. */
  isolate(nodes: readonly number[]): void {
    for (const relay of this.across(nodes)) relay.cut();
  }

  /** Delays everything between these nodes and all others. */
  slow(nodes: readonly number[], milliseconds: number): void {
    for (const relay of this.across(nodes)) relay.delay = milliseconds;
  }

  /** Delays everything between all nodes. */
  slowAll(milliseconds: number): void {
    for (const relay of this.all) relay.delay = milliseconds;
  }

  mend(): void {
    for (const relay of this.all) relay.mend();
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((relay) => relay.close()));
  }

  private get all(): Relay[] {
    return this.relays.flat().filter((relay) => relay !== null);
  }

  private across(nodes: readonly number[]): Relay[] {
    const found: Relay[] = [];
    for (let from = 0; from < this.count; from++) {
      for (let to = 0; to < this.count; to++) {
        const relay = this.relays[from]?.[to];
        if (relay && nodes.includes(from) !== nodes.includes(to)) found.push(relay);
      }
    }
    return found;
  }
}

/** The nodes may not listen yet, so the system may offer one of their ports. */
async function open(target: number, taken: readonly number[]): Promise<Relay> {
  const relay = await Relay.open(target);
  if (!taken.includes(relay.port)) return relay;
  const other = await open(target, taken);
  await relay.close();
  return other;
}
