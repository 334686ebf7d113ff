/** Which states the origins offer, and which of them is restored. Nothing of an offer is believed that is not certified. */
import {
  compileSchema,
  type StateCheckpoint,
  ValidatorSetChange,
  type ValidatorSets,
} from '@netd/protocol';
import {
  type BlockHistory,
  type BlockId,
  type Clock,
  historyOfExpected,
  InvalidChainError,
  type RestorePoint,
  sleep,
  validateCheckpoint,
} from '@netd/engine';
import { asOriginFault, OriginFaultError, OriginUnavailableError, type Origin } from '../origin.ts';

const setChanges = compileSchema(ValidatorSetChange);

/** A large state is written down at the first block of the next minute, and takes its node a while. */
const ATTEMPTS = 60;
const PAUSE_MILLISECONDS = 2_000;

/** For an offer, a block before it, or a height: a slow origin does not hold the others up. */
const PATIENCE_MILLISECONDS = 5_000;

/**
 * Times the smallest state that is offered. Of an offer nothing but the root is certified, and that cannot be worked out before
 * all of it is here: who invents a state without end is heard after the others. One that is invented small is soon found out.
 */
const OUTSIZED = 2;
/** Bytes: so many take no long wait. */
const ALWAYS_FINE = 16 * 1024 * 1024;

/** What the database, its chunks and the leaves take of the disk, for each byte of the checkpoint. */
export const DISK_FACTOR = 4;

/** How many blocks before the checkpoint are fetched, for documents that look a few blocks back. */
const BLOCKS_BEHIND = 16;

interface Offer {
  origin: Origin;
  checkpoint: StateCheckpoint;
  block: BlockHistory;
}

export interface Ballot {
  chainId: string;
  /** The checkpoint at or below this height; the newest without it. */
  height?: number | undefined;
  /** The height of the first block of the chain. */
  firstHeight: number;
  /** How many of the blocks before the checkpoint are wanted; 16 without it. */
  blocksBehind?: number;
  /** Those of genesis, and what was found to follow from them. */
  sets: ValidatorSets;
  clock: Clock;
  signal?: AbortSignal | undefined;
  /** By origin: how often what it told could not be had. */
  failureScore: ReadonlyMap<string, number>;
  /** Told of an origin that answered what no honest one does. */
  onFault: (origin: Origin, reason: string) => void;
}

/**
 * The newest certified state that most of those tell who tell any; where no two tell the same, the newest. One that is said to be
 * far larger than another comes after that, and what only those tell whose states could not be had after all others.
 * @returns null where none has one, with the reasons
 * @throws the reason of the signal
 */
export async function choosePoint(
  origins: readonly Origin[],
  ballot: Ballot,
): Promise<{ point: RestorePoint | null; reasons: string[] }> {
  let reasons: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(ballot.clock, PAUSE_MILLISECONDS, ballot.signal);
    ballot.signal?.throwIfAborted();
    reasons = [];
    let isAnyBusy = false;
    const offers: Offer[] = [];
    await Promise.all(
      origins.map(async (origin) => {
        try {
          offers.push(await inTime(ballot.clock, offerOf(origin, ballot)));
        } catch (error) {
          reasons.push(`${origin.url}: ${blame(origin, error, ballot)}`);
          if (error instanceof OriginUnavailableError) isAnyBusy ||= error.status === 503;
        }
      }),
    );
    for (const group of ranked(offers, ballot)) {
      const point = await pointOf(group, ballot, reasons);
      if (point) return { point, reasons };
    }
    if (!isAnyBusy) break;
  }
  ballot.signal?.throwIfAborted();
  return { point: null, reasons };
}

/** Offers of the same state together: the most reliable, of these what is not outsized, what most tell, then the newest. */
function ranked(offers: readonly Offer[], { failureScore }: Ballot): [Offer, ...Offer[]][] {
  const groups = Map.groupBy(offers, ({ checkpoint }) => checkpoint.checkpointHash);
  const failuresOf = (group: readonly Offer[]): number =>
    Math.min(...group.map(({ origin }) => failureScore.get(origin.url) ?? 0));
  const smallest = Math.min(...offers.map(({ checkpoint }) => checkpoint.byteLength));
  const most = Math.max(ALWAYS_FINE, OUTSIZED * smallest);
  const isOutsized = ([{ checkpoint }]: [Offer, ...Offer[]]): boolean =>
    checkpoint.byteLength > most;
  return [...groups.values()]
    .filter((group): group is [Offer, ...Offer[]] => group.length > 0)
    .toSorted((a, b) => {
      const isLess =
        failuresOf(a) - failuresOf(b) ||
        Number(isOutsized(a)) - Number(isOutsized(b)) ||
        b.length - a.length;
      return isLess || b[0].checkpoint.height - a[0].checkpoint.height;
    });
}

/** @throws OriginUnavailableError, OriginFaultError */
async function offerOf(origin: Origin, ballot: Ballot): Promise<Offer> {
  const { chainId, height: wanted } = ballot;
  const checkpoint = (await origin.checkpoint(wanted)) as StateCheckpoint;
  const fault =
    validateCheckpoint(checkpoint, chainId) ??
    (wanted !== undefined && checkpoint.height > wanted
      ? 'is of a later height than asked for'
      : null);
  if (fault !== null) throw new OriginFaultError(`its checkpoint ${fault}`);
  const { stateRoot, certificateHash } = checkpoint;
  const block = await certifiedBlock(origin, checkpoint, ballot);
  const { header, certificate } = block;
  if (header.stateRoot !== stateRoot || certificate.certificateHash !== certificateHash) {
    throw new OriginFaultError('its checkpoint is not of the state that its block has');
  }
  return { origin, checkpoint, block };
}

/** @throws OriginUnavailableError, OriginFaultError */
async function certifiedBlock(
  origin: Origin,
  expected: BlockId,
  { sets }: Ballot,
): Promise<BlockHistory> {
  const received = await origin.block(expected.height);
  if (sets.isOfUnknownSet(received.certificate)) await followChanges(origin, sets);
  return historyOfExpected(received, expected, (at) => sets.at(at));
}

/**
 * Every change of validators since the last that is known: each is proven by the set before it, from whichever origin.
 * @throws OriginUnavailableError, OriginFaultError where one does not follow
 */
async function followChanges(origin: Origin, sets: ValidatorSets): Promise<void> {
  for (let after: number | null = sets.newest.fromHeight; after !== null;) {
    const { changes, next } = await origin.setChanges(after);
    const known = sets.newest.fromHeight;
    for (const change of Array.isArray(changes) ? changes : []) {
      const fault =
        setChanges(change) === null ? sets.follow(change) : 'a change has another shape';
      if (fault !== null) throw new OriginFaultError(fault);
    }
    // One that tells nothing new is not asked for ever.
    after = sets.newest.fromHeight > known ? next : null;
  }
}

/** The checkpoint that a group offers, with the blocks before it, from those of its origins that have them. */
async function pointOf(
  group: readonly [Offer, ...Offer[]],
  ballot: Ballot,
  reasons: string[],
): Promise<RestorePoint | null> {
  const [{ checkpoint }] = group;
  for (const { origin, block } of group) {
    try {
      const blocks = await withBlocksBefore(origin, block, ballot);
      return { checkpoint, blocks, tellers: group.map((offer) => offer.origin.url) };
    } catch (error) {
      reasons.push(`${origin.url}: ${blame(origin, error, ballot)}`);
    }
  }
  return null;
}

/** @throws OriginUnavailableError, OriginFaultError */
async function withBlocksBefore(
  origin: Origin,
  block: BlockHistory,
  { firstHeight, blocksBehind: count = BLOCKS_BEHIND, clock, sets }: Ballot,
): Promise<BlockHistory[]> {
  const blocks = [block];
  let { header } = block;
  const last = Math.max(firstHeight, header.height - count);
  while (header.height > last) {
    const expected = { height: header.height - 1, blockHash: header.previousBlockHash };
    const received = await inTime(clock, origin.block(expected.height));
    const before = historyOfExpected(received, expected, (at) => sets.at(at));
    blocks.push(before);
    header = before.header;
  }
  return blocks;
}

/**
 * The block of a state that was told elsewhere, and some before it, newest first, each certified; null where no origin has them.
 * @throws the reason of the signal
 */
export async function blocksBehind(
  origins: readonly Origin[],
  expected: BlockId,
  ballot: Ballot,
): Promise<BlockHistory[] | null> {
  for (const origin of origins) {
    try {
      const block = await inTime(ballot.clock, certifiedBlock(origin, expected, ballot));
      return await withBlocksBefore(origin, block, ballot);
    } catch (error) {
      ballot.signal?.throwIfAborted();
      blame(origin, error, ballot);
    }
  }
  return null;
}

/** @throws the error where no origin is to blame */
function blame(origin: Origin, thrown: unknown, { onFault }: Ballot): string {
  const error = thrown instanceof InvalidChainError ? asOriginFault(thrown) : thrown;
  if (error instanceof OriginFaultError) onFault(origin, error.message);
  else if (!(error instanceof OriginUnavailableError)) throw error;
  return error.message;
}

/** @throws OriginUnavailableError where it takes long */
export async function inTime<Result>(clock: Clock, work: Promise<Result>): Promise<Result> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(PATIENCE_MILLISECONDS, () => {
      reject(new OriginUnavailableError('it does not answer in time'));
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
