/**
 * Blocks go to the disk behind the execution of those after them, several at once while there are more to come: what they
 * change again and again is written once, and synced once. They are nowhere to be seen before they are durable.
 */
import type { Clock, ReplayedBlock } from '@netd/engine';

/** Of one transaction, whichever comes first: blocks that are executed and not durable are in memory. */
const MOST_BLOCKS = 16;
const MOST_TRANSITIONS = 2_000;
const MOST_CHARACTERS = 4_000_000;
/** A block waits for others so long, where the next one takes its time to come. */
const HOLD_MILLISECONDS = 200;

/** Blocks that stand on each other before the first of them is durable: a transaction of them, and those of the next. */
export const MOST_UNCOMMITTED = 2 * MOST_BLOCKS;

export class BatchedCommit {
  private readonly clock: Clock;
  /** Of blocks in a row: whether they are on disk. */
  private readonly write: (blocks: readonly ReplayedBlock[]) => Promise<boolean>;
  private waiting: ReplayedBlock[] = [];
  private transitions = 0;
  private characters = 0;
  /** What waits is to be written without others. */
  private isDue = false;
  private cancelHold = (): void => {};
  private writing: Promise<boolean> | null = null;
  private refused = false;

  constructor(clock: Clock, write: (blocks: readonly ReplayedBlock[]) => Promise<boolean>) {
    this.clock = clock;
    this.write = write;
  }

  /** Whether the disk has refused blocks: nothing that stands on them can be written. */
  get hasRefused(): boolean {
    return this.refused;
  }

  /**
   * Resolves when another block may be executed.
   * @param isAlone it is not to wait for others: it is written as soon as it can be
   * @returns false where blocks before this one were refused, as far as that is known
   * @throws what writing blocks has thrown; so does `end`
   */
  async add(block: ReplayedBlock, isAlone: boolean): Promise<boolean> {
    if (this.refused) return false;
    if (this.waiting.length === 0) {
      this.cancelHold = this.clock.after(HOLD_MILLISECONDS, () => this.flush());
    }
    this.waiting.push(block);
    const { transitions } = block.write;
    this.transitions += transitions.length;
    this.characters += transitions.reduce((sum, { text }) => sum + text.length, 0);
    const isFull =
      this.waiting.length >= MOST_BLOCKS ||
      this.transitions >= MOST_TRANSITIONS ||
      this.characters >= MOST_CHARACTERS;
    if (!isFull && !isAlone) return true;
    const { writing } = this;
    this.flush();
    return writing ?? true;
  }

  /** Gives up what is not being written yet, and says where that began. */
  drop(): ReplayedBlock | undefined {
    return this.take()[0];
  }

  /** Resolves when nothing waits: whether everything is on disk. */
  async end(): Promise<boolean> {
    this.flush();
    while (this.writing) await this.writing;
    return !this.refused;
  }

  /** Writes what waits, as soon as what is being written is. */
  private flush(): void {
    if (this.waiting.length === 0) return;
    if (this.writing) {
      this.isDue = true;
      return;
    }
    this.writing = this.write(this.take()).then((isWritten) => {
      this.writing = null;
      if (!isWritten) {
        this.refused = true;
        this.drop();
      } else if (this.isDue) {
        this.flush();
      }
      return isWritten;
    });
    // Whoever waits for it hears of a failure.
    this.writing.catch(() => {});
  }

  private take(): ReplayedBlock[] {
    const blocks = this.waiting;
    this.waiting = [];
    this.transitions = 0;
    this.characters = 0;
    this.isDue = false;
    this.cancelHold();
    return blocks;
  }
}
