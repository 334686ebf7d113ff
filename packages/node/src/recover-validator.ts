/** Gives a validator that lost its disk a signing record above everything that its key can have signed. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataDirError, identityOf, sleep, systemClock, writeOnce, type Clock } from '@netd/engine';
import { beginSigningPlace, readRecord, writeRecoveredRecord } from '@netd/engine/cometbft';
import {
  certifiedHead,
  FollowError,
  Origin,
  OriginFaultError,
  OriginUnavailableError,
} from '@netd/sync';
import { COMMIT_SCHEME, ValidatorSets, type Genesis } from '@netd/protocol';
import { genesisFor, signsElsewhereFile, validatorOf } from './comet-dir.ts';
import { GENESIS_FILE } from './data-dir.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { defaultEngineHome, signsHerePath, validatorKeyPath } from './founders.ts';

export interface RecoverValidatorOptions {
  dataDir: string;
  /** Needed if the data directory has no genesis. */
  genesisFile?: string | undefined;
  /** Default: in the data directory. */
  engineHome?: string | undefined;
  from: readonly string[];
  /** The operator asserts that this key signed nothing above the newest certified height. */
  asIs?: boolean | undefined;
  clock?: Clock;
  /** Milliseconds per answer; default 30,000. */
  originTimeout?: number;
  /** Milliseconds without a higher certified height, after which the chain counts as stopped; default 90,000. */
  patience?: number;
  onHeight?: (height: number) => void;
  /** Called once for a source that lies, or does not answer. The height then rests on the other sources. */
  onFault?: (url: string, reason: string) => void;
}

export interface RecoveredValidator {
  path: string;
  validatorId: string;
  /** Heights of CometBFT. */
  certifiedHeight: number;
  recordHeight: number;
  /** False if the set of validators is fixed. */
  setCanChange: boolean;
}

const PATIENCE_MILLISECONDS = 90_000;
const POLL_MILLISECONDS = 1_000;
const ADVANCES = 2;
const MAX_LIGHT_BLOCK_BYTES = 4 * 1024 * 1024;
const NEAR_MILLISECONDS = 120_000;
const MOST_MARGIN = 10;

/** Returns the extra heights that the validator misses, at most a fifth of the misses that jail it. */
const marginOf = ({ policy: { validatorSet } }: Genesis): number =>
  validatorSet
    ? Math.max(1, Math.min(MOST_MARGIN, Math.floor(validatorSet.downtime.missed / 5)))
    : MOST_MARGIN;

interface Seen {
  height: number;
  /** Milliseconds since 1970. */
  time: number;
}

/**
 * Writes a record above everything that the key can have signed. Signs nothing.
 * @throws DataDirError, KeyFileError, FollowError
 */
export async function recoverValidator(
  options: RecoverValidatorOptions,
): Promise<RecoveredValidator> {
  const root = resolve(options.dataDir);
  if (existsSync(signsElsewhereFile(root)) || !existsSync(validatorKeyPath(root))) {
    throw new DataDirError(
      `${validatorKeyPath(root)} does not sign here. With a remote signer, the record is the signer's: recover it where the signer runs. Otherwise put the key back first`,
    );
  }
  const unlock = lockDataDir(root);
  try {
    const { genesis, isNew } = genesisFor(root, options.genesisFile);
    const { actorId: validatorId } = validatorOf(root, genesis);
    const home = resolve(options.engineHome ?? defaultEngineHome(root));
    const isWordOnly = options.from.length === 0 && options.asIs === true;
    const { certified, record } = isWordOnly ? unsigned(home) : await boundOf(genesis, options);
    const known = knownRecord(home);
    if (record < known) {
      throw new DataDirError(
        `this key has signed up to height ${known} of CometBFT here, and the nodes know only ${certified} heights: name nodes that are up to date`,
      );
    }
    const text = `${JSON.stringify(genesis, null, 2)}\n`;
    if (isNew) writeOnce(join(root, GENESIS_FILE), text, 0o644);
    if (!isWordOnly) writeRecoveredRecord(home, { certified, record });
    beginSigningPlace(signsHerePath(root), home);
    return {
      path: root,
      validatorId,
      certifiedHeight: certified,
      recordHeight: record,
      setCanChange: genesis.policy.validatorSet !== undefined,
    };
  } finally {
    unlock();
  }
}

/** @throws DataDirError, CometbftHomeError if the key has signed here */
function unsigned(home: string): { certified: number; record: number } {
  const height = readRecord(home);
  if (height === 0) return { certified: 0, record: 0 };
  throw new DataDirError(
    `this key has signed up to height ${height} of CometBFT here: name nodes of the chain with --from URL,URL`,
  );
}

/** Returns 0 for a record that is missing or damaged, because a new one replaces it. */
function knownRecord(home: string): number {
  try {
    return readRecord(home);
  } catch (error) {
    if ((error as Error).name !== 'CometbftHomeError') throw error;
    return 0;
  }
}

async function boundOf(
  genesis: Genesis,
  { from, asIs = false, ...options }: RecoverValidatorOptions,
): Promise<{ certified: number; record: number }> {
  const sources = new Sources(genesis, from, options);
  const { height, hasAdvanced } = await watchHeights(() => sources.highest(), options);
  if (!hasAdvanced && asIs) {
    const decided = await sources.decidedFrom(height);
    return { certified: decided, record: decided };
  }
  if (!hasAdvanced) {
    throw new FollowError(
      `the chain stays at height ${height} of CometBFT without this key, so nobody can tell which votes the lost machine has cast above it. Let another validator come back, and run this again; or, if you know that the lost machine voted for nothing above height ${height}, say --as-is: if you are wrong, you lose a tenth of the bond, once`,
    );
  }
  if (asIs) {
    throw new FollowError(
      'the chain goes on without this key: leave out --as-is, because the nodes prove the height',
    );
  }
  return { certified: height, record: height + 1 + marginOf(genesis) };
}

/**
 * Returns the highest certified height. If it has advanced twice, the key has signed nothing above it,
 * because its machine was gone before then.
 * @throws FollowError if the time of that header is far from the clock
 */
export async function watchHeights(
  highest: () => Promise<Seen>,
  {
    clock = systemClock,
    patience = PATIENCE_MILLISECONDS,
    onHeight,
  }: Pick<RecoverValidatorOptions, 'clock' | 'patience' | 'onHeight'>,
): Promise<{ height: number; hasAdvanced: boolean }> {
  let height = 0;
  let advances = -1;
  let since = clock.elapsed();
  for (;;) {
    const seen = await highest();
    if (seen.height > height) {
      height = seen.height;
      advances++;
      since = clock.elapsed();
      onHeight?.(height);
    }
    if (advances >= ADVANCES) {
      requireNear(seen, clock.now());
      return { height, hasAdvanced: true };
    }
    if (clock.elapsed() - since >= patience) return { height, hasAdvanced: false };
    await sleep(clock, POLL_MILLISECONDS);
  }
}

function requireNear({ height, time }: Seen, now: number): void {
  if (Math.abs(time - now) <= NEAR_MILLISECONDS) return;
  throw new FollowError(
    `the newest certified header (height ${height} of CometBFT) is of ${new Date(time).toISOString()}, and the clock here says ${new Date(now).toISOString()}: set the clock, or name nodes that are up to date`,
  );
}

class Sources {
  private readonly genesis: Genesis;
  private readonly onFault: RecoverValidatorOptions['onFault'];
  private readonly sets: ValidatorSets;
  private origins: Origin[];
  private readonly reasons = new Map<string, string>();

  constructor(
    genesis: Genesis,
    from: readonly string[],
    { originTimeout, onFault }: Pick<RecoverValidatorOptions, 'originTimeout' | 'onFault'>,
  ) {
    this.genesis = genesis;
    this.onFault = onFault;
    this.sets = new ValidatorSets(identityOf(genesis).genesisSet);
    this.origins = [...new Set(from)].map((url) => new Origin(url, originTimeout));
  }

  /** @throws FollowError if no source answers, or all lie */
  async highest(): Promise<Seen> {
    const seen = await Promise.all(this.origins.map((origin) => this.seenBy(origin)));
    const [best] = seen
      .filter((each) => each !== null)
      .toSorted((one, other) => other.height - one.height);
    if (best) return best;
    const reasons = [...this.reasons].map(([url, reason]) => `${url}: ${reason}`);
    throw new FollowError(
      `no node reports a certified height (${reasons.join('; ')}): name others with --from`,
      'NODE_UNREACHABLE',
    );
  }

  /** Returns the last height that CometBFT decided after this one, according to any of the sources. */
  async decidedFrom(height: number): Promise<number> {
    const ends = this.origins.map(async (origin) => {
      for (let last = height; ; last++) {
        const path = `/v1/consensus/engine-blocks/${last + 1}`;
        try {
          await origin.get(path, undefined, MAX_LIGHT_BLOCK_BYTES);
        } catch (error) {
          if (error instanceof OriginUnavailableError || error instanceof OriginFaultError)
            return last;
          throw error;
        }
      }
    });
    return Math.max(height, ...(await Promise.all(ends)));
  }

  private async seenBy(origin: Origin): Promise<Seen | null> {
    try {
      return await this.headOf(origin);
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof OriginFaultError) {
        this.origins = this.origins.filter((each) => each !== origin);
        this.onFault?.(origin.url, reason);
      } else if (!(error instanceof OriginUnavailableError)) throw error;
      else if (!this.reasons.has(origin.url)) this.onFault?.(origin.url, reason);
      this.reasons.set(origin.url, reason);
      return null;
    }
  }

  private async headOf(origin: Origin): Promise<Seen> {
    const { certificate } = await certifiedHead(origin, this.sets);
    if (certificate.scheme !== COMMIT_SCHEME) {
      throw new FollowError(
        `${this.genesis.chainId} has a single validator: leave out --validator`,
      );
    }
    const { height, time } = certificate.commit.header;
    return { height, time: Date.parse(time) };
  }
}
