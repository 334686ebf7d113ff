/** Chooses one of the states that origins offer. Only certified facts are trusted. */
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

/** Origins write a state at the first block of a minute, which takes a while. */
const ATTEMPTS = 60;
const PAUSE_MILLISECONDS = 2_000;

const PATIENCE_MILLISECONDS = 5_000;

/**
 * Offers this many times larger than the smallest are tried last, because an origin could invent an endless
 * state.
 */
const OUTSIZED = 2;
/** Bytes. A checkpoint up to this size never takes long. */
const ALWAYS_FINE = 16 * 1024 * 1024;

/** Space for database, chunks and leaves, as a multiple of the checkpoint. */
export const DISK_FACTOR = 4;

const BLOCKS_BEHIND = 16;

interface Offer {
  origin: Origin;
  checkpoint: StateCheckpoint;
  block: BlockHistory;
}

export interface Ballot {
  chainId: string;
  /** Default: the newest. */
  height?: number | undefined;
  firstHeight: number;
  /** Number of blocks to fetch before the checkpoint; default 16. */
  blocksBehind?: number;
  sets: ValidatorSets;
  clock: Clock;
  signal?: AbortSignal | undefined;
  failureScore: ReadonlyMap<string, number>;
  /** Called for an answer that no honest origin gives. */
  onFault: (origin: Origin, reason: string) => void;
}

/**
 * Prefers the state that most origins offer, then the newest.
 * @returns null if there is none, with the reasons
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

async function certifiedBlock(
  origin: Origin,
  expected: BlockId,
  { sets }: Pick<Ballot, 'sets'>,
): Promise<BlockHistory> {
  const received = await origin.block(expected.height);
  if (sets.isOfUnknownSet(received.certificate)) await followChanges(origin, sets);
  return historyOfExpected(received, expected, (at) => sets.at(at));
}

/**
 * Returns the newest block of the origin, with its certificate verified.
 * @param sets gets the changes of validators since
 * @throws OriginUnavailableError, OriginFaultError
 */
export async function certifiedHead(origin: Origin, sets: ValidatorSets): Promise<BlockHistory> {
  try {
    return await certifiedBlock(origin, await origin.head(), { sets });
  } catch (error) {
    throw error instanceof InvalidChainError ? asOriginFault(error) : error;
  }
}

/** Fetches the changes of validators. The previous set proves each change, so any origin will do. */
async function followChanges(origin: Origin, sets: ValidatorSets): Promise<void> {
  for (let after: number | null = sets.newest.fromHeight; after !== null;) {
    const { changes, next } = await origin.setChanges(after);
    const known = sets.newest.fromHeight;
    for (const change of Array.isArray(changes) ? changes : []) {
      const fault =
        setChanges(change) === null ? sets.follow(change) : 'a change has another shape';
      if (fault !== null) throw new OriginFaultError(fault);
    }
    after = sets.newest.fromHeight > known ? next : null;
  }
}

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
 * Returns the block of a known state and some before it, newest first, all certified; null if no origin has
 * them.
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

function blame(origin: Origin, thrown: unknown, { onFault }: Ballot): string {
  const error = thrown instanceof InvalidChainError ? asOriginFault(thrown) : thrown;
  if (error instanceof OriginFaultError) onFault(origin, error.message);
  else if (!(error instanceof OriginUnavailableError)) throw error;
  return error.message;
}

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
