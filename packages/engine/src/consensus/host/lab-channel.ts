import { LabClock } from '../../chain/lab-clock.ts';
import { errorFrom, errorText, type ErrorText } from './error-text.ts';
import type { Tip } from '../../executor/tip.ts';
import type { Lab, LabCommand, LabHistory, LabMode } from '../lab.ts';

export interface ToLab {
  is: 'lab';
  number: number;
  command: LabCommand;
}

export interface FromLab extends LabHistory {
  is: 'lab';
  number: number;
  mode: LabMode;
  now: number;
  /** Null if no blocks were taken back. */
  returnedTo: Tip | null;
  error: ErrorText | null;
}

export class LabChannel implements Lab {
  mode: LabMode = 'automatic';
  snapshots: LabHistory['snapshots'] = [];
  reverts = 0;
  private readonly clock: LabClock;
  private readonly tell: (message: ToLab) => void;
  private readonly waiting = new Map<number, PromiseWithResolvers<void>>();
  private count = 0;

  constructor(clock: LabClock, tell: (message: ToLab) => void) {
    this.clock = clock;
    this.tell = tell;
  }

  now(): number {
    return this.clock.now();
  }

  /** @param time of a new block, milliseconds since 1970 */
  noteBlock(time: number): void {
    this.clock.catchUp(time);
  }

  run(command: LabCommand): Promise<void> {
    const number = this.count++;
    const done = Promise.withResolvers<void>();
    this.waiting.set(number, done);
    this.tell({ is: 'lab', number, command });
    return done.promise;
  }

  take({ number, mode, now, snapshots, reverts, error }: FromLab): void {
    this.mode = mode;
    const ahead = now - this.clock.now();
    if (ahead > 0 || reverts !== this.reverts) {
      this.clock.returnTo(Math.max(0, this.clock.offset + ahead));
    }
    this.snapshots = snapshots;
    this.reverts = reverts;
    const done = this.waiting.get(number);
    this.waiting.delete(number);
    if (error) done?.reject(errorFrom(error));
    else done?.resolve();
  }

  end(): void {
    for (const { reject } of this.waiting.values()) reject(new Error('the node stops'));
    this.waiting.clear();
  }
}

export async function runLab(
  lab: Lab | null,
  { number, command }: ToLab,
  head: () => Tip,
): Promise<FromLab> {
  const { reverts: earlier = 0 } = lab ?? {};
  let error: ErrorText | null = null;
  try {
    if (!lab) throw new Error('this chain is no laboratory');
    await lab.run(command);
  } catch (thrown) {
    error = errorText(thrown);
  }
  return {
    is: 'lab',
    number,
    mode: lab?.mode ?? 'automatic',
    now: lab?.now() ?? 0,
    snapshots: [...(lab?.snapshots ?? [])],
    reverts: lab?.reverts ?? 0,
    returnedTo: (lab?.reverts ?? 0) > earlier ? head() : null,
    error,
  };
}
