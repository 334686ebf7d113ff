/** The laboratory whose blocks are made in another thread: commands go there, and what came of them comes back in order. */
import { LabClock } from '../../chain/lab-clock.ts';
import { errorFrom, errorText, type ErrorText } from './error-text.ts';
import type { Lab, LabCommand, LabMode } from '../lab.ts';

export interface ToLab {
  is: 'lab';
  number: number;
  command: LabCommand;
}

export interface FromLab {
  is: 'lab';
  number: number;
  mode: LabMode;
  /** By the clock that dates blocks, when this was sent. */
  now: number;
  error: ErrorText | null;
}

export class LabChannel implements Lab {
  mode: LabMode = 'automatic';
  private readonly clock: LabClock;
  private readonly tell: (message: ToLab) => void;
  private readonly waiting = new Map<number, PromiseWithResolvers<void>>();
  private count = 0;

  /** @param clock that dates blocks at the other end, or one that goes as it does */
  constructor(clock: LabClock, tell: (message: ToLab) => void) {
    this.clock = clock;
    this.tell = tell;
  }

  now(): number {
    return this.clock.now();
  }

  run(command: LabCommand): Promise<void> {
    const number = this.count++;
    const done = Promise.withResolvers<void>();
    this.waiting.set(number, done);
    this.tell({ is: 'lab', number, command });
    return done.promise;
  }

  take({ number, mode, now, error }: FromLab): void {
    this.mode = mode;
    this.clock.advance(Math.max(0, now - this.clock.now()));
    const done = this.waiting.get(number);
    this.waiting.delete(number);
    if (error) done?.reject(errorFrom(error));
    else done?.resolve();
  }

  /** Nothing comes back any more. */
  end(): void {
    for (const { reject } of this.waiting.values()) reject(new Error('the node stops'));
    this.waiting.clear();
  }
}

/** Does at the other end what it is told. */
export async function runLab(lab: Lab | null, { number, command }: ToLab): Promise<FromLab> {
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
    error,
  };
}
