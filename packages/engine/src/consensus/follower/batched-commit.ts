/** Writes several blocks per transaction if more are coming. No reader sees a block before it is durable. */
import type { Clock } from '../../chain/clock.ts';
import type { ReplayedBlock } from '../../replay/block-replay.ts';

/** A batch is written when it reaches any of these bounds. */
const MOST_BLOCKS = 16;
const MOST_TRANSITIONS = 2_000;
const MOST_CHARACTERS = 4_000_000;
const HOLD_MILLISECONDS = 200;

export const MOST_UNCOMMITTED = 2 * MOST_BLOCKS;

export class BatchedCommit {
  private readonly clock: Clock;
  private readonly write: (blocks: readonly ReplayedBlock[]) => Promise<boolean>;
  private waiting: ReplayedBlock[] = [];
  private transitions = 0;
  private characters = 0;
  private isDue = false;
  private cancelHold = (): void => {};
  private writing: Promise<boolean> | null = null;
  private refused = false;

  constructor(clock: Clock, write: (blocks: readonly ReplayedBlock[]) => Promise<boolean>) {
    this.clock = clock;
    this.write = write;
  }

  get hasRefused(): boolean {
    return this.refused;
  }

  /**
   * Resolves when another block may be executed.
   * @param isAlone write it without waiting for others
   * @returns false if an earlier write is known to have failed
   * @throws the error of a failed write; so does `end`
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

  drop(): ReplayedBlock | undefined {
    return this.take()[0];
  }

  /** Resolves when all writes have ended; true if every block is on disk. */
  async end(): Promise<boolean> {
    this.flush();
    while (this.writing) await this.writing;
    return !this.refused;
  }

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
