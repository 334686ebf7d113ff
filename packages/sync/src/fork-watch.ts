/** Keeps the evidence if validators contradict themselves, and halts the follower. */
import { type Clock, sleep, type Store, type ValidatorSetAt } from '@netd/engine';
import type { CertifiedHeader, ForkEvidence } from '@netd/documents';
import { firstOther, isCertified, keepEvidence, signersOfBoth } from './fork.ts';
import type { Origin } from './origin.ts';

export interface ForkWatchOptions {
  store: Store;
  clock: Clock;
  validatorSetAt: ValidatorSetAt;
  forkPath: string;
  fork: ForkEvidence | null;
  signal: AbortSignal;
  onFork: (evidence: ForkEvidence) => void;
  onBlockFailure: (error: unknown, height: number) => void;
}

interface Contradiction {
  /** Null if no stored block contradicts theirs. */
  ours: CertifiedHeader | null;
  theirs: CertifiedHeader;
  reason: string;
}

const DISK_BACKOFF_MILLISECONDS = 2_000;

export class ForkWatch {
  isKept: boolean;
  private readonly options: ForkWatchOptions;
  private evidence: ForkEvidence | null;

  constructor(options: ForkWatchOptions) {
    this.options = options;
    this.evidence = options.fork;
    this.isKept = options.fork !== null;
  }

  get isFound(): boolean {
    return this.evidence !== null;
  }

  get fault(): string | null {
    if (!this.evidence) return null;
    const { height, reason } = this.evidence;
    return `the validators of this chain contradict themselves at height ${height} (${reason}): this follower goes no further, and what proves it ${this.isKept ? 'lies' : 'cannot be written yet'} in ${this.options.forkPath}`;
  }

  /**
   * @param height of a suspected difference
   * @returns true if the validators certified two histories; then this follower ends
   */
  async compare(origin: Origin, height: number): Promise<boolean> {
    const { store, signal, validatorSetAt } = this.options;
    const other = await firstOther(origin, store, height, signal);
    if (!other || !isCertified(other.theirs, validatorSetAt)) return false;
    await this.found(origin, { ...other, reason: 'two blocks of one height are certified' });
    return true;
  }

  async found({ url }: Origin, { ours, theirs, reason }: Contradiction): Promise<void> {
    if (this.evidence) return;
    const { clock, onFork } = this.options;
    const { header, certificate } = theirs;
    const evidence: ForkEvidence = {
      schema: 'NET-FORK-EVIDENCE/1',
      chainId: header.chainId,
      height: header.height,
      ours,
      theirs: { header, certificate },
      signedBoth: signersOfBoth(ours, theirs),
      origin: url,
      reason,
      foundAt: new Date(clock.now()).toISOString(),
    };
    this.evidence = evidence;
    await this.keep(evidence);
    this.isKept = true;
    onFork(evidence);
  }

  private async keep(evidence: ForkEvidence): Promise<void> {
    const { clock, forkPath, store, signal, onBlockFailure } = this.options;
    while (!signal.aborted) {
      try {
        await keepEvidence(forkPath, evidence, store);
        return;
      } catch (error) {
        onBlockFailure(error, evidence.height);
        await sleep(clock, DISK_BACKOFF_MILLISECONDS, signal);
      }
    }
  }
}
