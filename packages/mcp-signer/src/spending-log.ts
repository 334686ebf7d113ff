/**
 * Records the session's spending on disk before it happens. Spending that only the chain knows, after a lost
 * log or from another machine, is added as unapproved.
 */
import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SignerError } from './signer-error.ts';

export interface Spent {
  at: number;
  tool: string;
  /** The recipient; null if open or unknown. */
  to: string | null;
  /** In unet. */
  amount: number;
  approved: boolean;
  /** Hash of the call; absent for spending outside this log. */
  call?: string;
}

type Line = (Spent & { id: number }) | { undo: number } | { more: number };

export class SpendingLog {
  private readonly spent = new Map<number, Spent>();
  private granted = 0;
  private lastId = 0;
  private last: Promise<unknown> = Promise.resolve();
  private readonly file: FileHandle;

  private constructor(file: FileHandle, lines: readonly Line[]) {
    this.file = file;
    for (const line of lines) this.take(line);
  }

  /** @throws SignerError SPENDING_UNREADABLE if a line is damaged */
  static async open(path: string): Promise<SpendingLog> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    try {
      const text = await readFile(path, 'utf8');
      // Remove an incomplete last line. Its call was never carried out.
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      await file.truncate(Buffer.byteLength(whole));
      return new SpendingLog(file, linesOf(whole, path));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get entries(): Spent[] {
    return [...this.spent.values()];
  }

  /** Returns true if this call was recorded before. A repeated call spends only once. */
  counted(call: string, amount: number): boolean {
    return this.entries.some((one) => one.call === call && one.amount === amount);
  }

  /** Returns the unet spent in the last `milliseconds`. */
  within(milliseconds: number): number {
    const since = Date.now() - milliseconds;
    return sum(this.entries.filter(({ at }) => at > since));
  }

  /** Returns the unet that may still be spent without approval. */
  unaskedLeft(askAbove: number): number {
    const unasked = sum(this.entries.filter(({ approved }) => !approved));
    return Math.max(0, askAbove + this.granted - unasked);
  }

  async reconcile(onChain: number): Promise<void> {
    // A value that is no number would spoil every sum.
    if (!Number.isSafeInteger(onChain)) return;
    const missing = onChain - sum(this.entries);
    if (missing <= 0) return;
    const at = Date.now();
    await this.add({ at, tool: 'elsewhere', to: null, amount: missing, approved: false });
  }

  async grant(more: number): Promise<void> {
    if (more > 0) await this.write({ more });
  }

  /** Records the spending, runs the work, and undoes the record if the work is refused. */
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

  /** Runs works one after another. Two at once could both use the same allowance. */
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
