/**
 * What has left the account by this session, on disk before it leaves: limits by hour and day hold across restarts. What the
 * chain has counted and the log has not (another machine, a log that was lost) is added as spent now, unasked.
 */
import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SignerError } from './signer-error.ts';

export interface Spent {
  /** Milliseconds since 1970. */
  at: number;
  tool: string;
  /** The account that got it; null where that is open, or not known. */
  to: string | null;
  /** unet */
  amount: number;
  /** Whether the owner was asked about this very call. */
  approved: boolean;
  /** Names the call by its tool and arguments; missing for what was spent elsewhere. */
  call?: string;
}

/** A line: what is spent under a number, what was refused after all, or what the owner lets go without another question. */
type Line = (Spent & { id: number }) | { undo: number } | { more: number };

export class SpendingLog {
  private readonly spent = new Map<number, Spent>();
  /** unet beyond the threshold that the owner has let go unasked. */
  private granted = 0;
  private lastId = 0;
  private last: Promise<unknown> = Promise.resolve();
  private readonly file: FileHandle;

  private constructor(file: FileHandle, lines: readonly Line[]) {
    this.file = file;
    for (const line of lines) this.take(line);
  }

  /** @throws SignerError SPENDING_UNREADABLE */
  static async open(path: string): Promise<SpendingLog> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    try {
      const text = await readFile(path, 'utf8');
      // A last line without its end was never acted on: nothing is sent before it is whole.
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      await file.truncate(Buffer.byteLength(whole));
      return new SpendingLog(file, linesOf(whole, path));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Everything, oldest first. */
  get entries(): Spent[] {
    return [...this.spent.values()];
  }

  /** Whether this very call was counted before, with this amount: it is made once however often it is repeated. */
  counted(call: string, amount: number): boolean {
    return this.entries.some((one) => one.call === call && one.amount === amount);
  }

  /** unet that left within so many milliseconds before now. */
  within(milliseconds: number): number {
    const since = Date.now() - milliseconds;
    return sum(this.entries.filter(({ at }) => at > since));
  }

  /** unet that may still go before the owner is asked. */
  unaskedLeft(askAbove: number): number {
    const unasked = sum(this.entries.filter(({ approved }) => !approved));
    return Math.max(0, askAbove + this.granted - unasked);
  }

  /** @param onChain unet that the session has spent, as the chain counts them */
  async reconcile(onChain: number): Promise<void> {
    // What a lying node says in place of a number would stay in every sum.
    if (!Number.isSafeInteger(onChain)) return;
    const missing = onChain - sum(this.entries);
    if (missing <= 0) return;
    const at = Date.now();
    await this.add({ at, tool: 'elsewhere', to: null, amount: missing, approved: false });
  }

  /** Lets so much more go without a question. */
  async grant(more: number): Promise<void> {
    if (more > 0) await this.write({ more });
  }

  /** Counts what the work spends, before it does; not where it is refused. */
  async spend<Result>(
    spent: Omit<Spent, 'at'>,
    work: () => Promise<Result>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<Result> {
    if (spent.amount === 0) return work();
    const id = await this.add({ at: Date.now(), ...spent });
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) await this.write({ undo: id });
      throw error;
    }
  }

  /** Works in turn: two calls that are looked at together would both find the same allowance. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async add(spent: Spent): Promise<number> {
    const id = this.lastId + 1;
    await this.write({ id, ...spent });
    return id;
  }

  private async write(line: Line): Promise<void> {
    this.take(line);
    await this.file.write(`${JSON.stringify(line)}\n`);
    await this.file.datasync();
  }

  private take(line: Line): void {
    if ('undo' in line) this.spent.delete(line.undo);
    else if ('more' in line) this.granted += line.more;
    else {
      const { id, ...spent } = line;
      this.lastId = Math.max(this.lastId, id);
      this.spent.set(id, spent);
    }
  }
}

const sum = (entries: readonly Spent[]): number =>
  entries.reduce((all, { amount }) => all + amount, 0);

/** @throws SignerError SPENDING_UNREADABLE */
function linesOf(text: string, path: string): Line[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      try {
        return JSON.parse(line) as Line;
      } catch (error) {
        throw new SignerError('SPENDING_UNREADABLE', path, { cause: error });
      }
    });
}
