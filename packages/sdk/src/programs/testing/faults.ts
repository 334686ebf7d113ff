/** Faults of a node, as programs see them at its address. */
import { until } from '@netd/protocol/testing';
import { Relay } from '@netd/testkit/relay';
import { fillDisk, makeRoom, mountSmallDisk } from '@netd/testkit/small-disk';
import { World } from '../../agent/testing/world.ts';

export const FAULTS = ['killed', 'slow', 'full', 'reset'] as const;
export type FaultName = (typeof FAULTS)[number];

export interface FaultyNode {
  world: World;
  /** NET_URL of the programs. */
  url: string;
  /** Starts the fault. */
  strike: () => Promise<void>;
  /** Waits until a program has met the fault. `hears` returns true once a program has reported an outage. */
  felt: (hears: () => boolean) => Promise<void>;
  /** Ends the fault. A reset does not end. */
  mend: () => Promise<void>;
}

/** netd writes no block with less than 64 MB free. */
const DISK = '192m';
/** Milliseconds in each direction. */
const SLOW = 50;
/** Milliseconds; longer than any request waits. */
const STALLED = 600_000;

/**
 * Starts a network whose node gets the fault.
 * @param ends receives functions that the caller must run at the end, in reverse order
 * @returns null if this machine cannot make the fault
 */
export async function faultyNode(
  fault: FaultName,
  ends: (() => unknown)[],
): Promise<FaultyNode | null> {
  const disk = fault === 'full' ? mountSmallDisk(DISK) : null;
  if (fault === 'full' && !disk) return null;
  if (disk) ends.push(disk.remove);
  const t = { after: (end: () => unknown) => void ends.push(end) };
  const world = await World.start(t, { apart: true, ...(disk ? { disk: disk.path } : {}) });
  const felt = async (hears: () => boolean): Promise<void> => void (await until(hears));
  const { url } = world.node;
  if (disk) {
    const strike = async (): Promise<void> => fillDisk(disk.path);
    return { world, url, strike, felt, mend: async () => makeRoom(disk.path) };
  }
  if (fault === 'slow') {
    const relay = await Relay.open(Number(new URL(url).port));
    ends.push(() => relay.close());
    relay.delay = SLOW;
    return {
      world,
      url: `http://127.0.0.1:${relay.port}`,
      strike: async () => {
        relay.delay = STALLED;
      },
      felt: async () => void (await until(() => relay.inFlight > 0)),
      mend: async () => {
        relay.cut();
        relay.mend();
        relay.delay = SLOW;
      },
    };
  }
  const isReset = fault === 'reset';
  return {
    world,
    url,
    strike: () => (isReset ? world.resetNode() : world.killNode()),
    felt,
    mend: async () => {
      if (!isReset) await world.restartNode();
    },
  };
}
