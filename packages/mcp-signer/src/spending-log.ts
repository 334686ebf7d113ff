/**
 * Spending of this session, on disk before it happens. Spending that only the chain knows (another machine, a
 * lost log) is added as unapproved.
 */
import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SignerError } from './signer-error.ts';

export interface Spent {
  at: number;
  tool: string;
  /** Null if open or unknown. */
  to: string | null;
  /** In unet. */
  amount: number;
  approved: boolean;
  /** Hash of the call; absent for spending elsewhere. */
  call?: string;
}

type Line = (Spent & { id: number }) | { undo: number } | { more: number };

export class SpendingLog {
  private readonly spent = new Map<number, Spent>();
  /** Unet allowed beyond the threshold. */
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
      // It was never acted on.
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      await file.truncate(Buffer.byteLength(whole));
      return new SpendingLog(file, linesOf(whole, path));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Oldest first. */
  get entries(): Spent[] {
    return [...this.spent.values()];
  }

  /** A repeated call happens once. */
  counted(call: string, amount: number): boolean {
    return this.entries.some((one) => one.call === call && one.amount === amount);
  }

  /** In unet. */
  within(milliseconds: number): number {
    const since = Date.now() - milliseconds;
    return sum(this.entries.filter(({ at }) => at > since));
  }

  /** In unet. */
  unaskedLeft(askAbove: number): number {
    const unasked = sum(this.entries.filter(({ approved }) => !approved));
    return Math.max(0, askAbove + this.granted - unasked);
  }

  /** @param onChain unet, as the chain counts */
  async reconcile(onChain: number): Promise<void> {
    // A non-number would spoil every sum.
    if (!Number.isSafeInteger(onChain)) return;
    const missing = onChain - sum(this.entries);
    if (missing <= 0) return;
    const at = Date.now();
    await this.add({ at, tool: 'elsewhere', to: null, amount: missing, approved: false });
  }

  async grant(more: number): Promise<void> {
    if (more > 0) await this.write({ more });
  }

  /** Undone if the work is refused. */
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

  /** Two calls at once would both see the same allowance. */
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

/** @throws SignerError SPENDING_UNREADABLE if a line is damaged */
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
