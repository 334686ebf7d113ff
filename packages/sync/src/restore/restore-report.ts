import type { RestoreProgress } from '@netd/engine';
import { timeLeft } from '../time-left.ts';

interface Step {
  label: string;
  unit: 'MB' | 'parts';
}

export const RESTORE_STEPS: Readonly<Record<Exclude<RestoreProgress['phase'], 'done'>, Step>> = {
  chunks: { label: 'downloading a state', unit: 'MB' },
  pairs: { label: 'rebuilding it', unit: 'MB' },
  tree: { label: 'working out its root', unit: 'parts' },
};
const PHASES = Object.keys(RESTORE_STEPS);

const MEGABYTE = 1_000_000;

export const inUnit = ({ unit }: Step, value: number): number =>
  unit === 'MB' ? Math.round((value / MEGABYTE) * 10) / 10 : value;

export class RestoreReport {
  private readonly now: () => number;
  private phase: RestoreProgress['phase'] | null = null;
  private startedAt = 0;
  private from = 0;

  constructor(now: () => number) {
    this.now = now;
  }

  /** @returns a sentence without its full stop */
  tell({ phase, height, done, total }: RestoreProgress): string {
    if (phase === 'done')
      return `The state of height ${height} is here, and this follower opens it`;
    if (phase !== this.phase) {
      this.phase = phase;
      this.startedAt = this.now();
      this.from = done;
    }
    const step = RESTORE_STEPS[phase];
    const share = total > 0 ? Math.floor((done / total) * 100) : 100;
    const left = timeLeft(done - this.from, total - done, this.now() - this.startedAt);
    return [
      `This follower restores the state of height ${height}`,
      `step ${PHASES.indexOf(phase) + 1} of ${PHASES.length}, ${step.label}`,
      `${inUnit(step, done)} of ${inUnit(step, total)} ${step.unit}, ${share} %`,
      ...(left === '' ? [] : [left]),
    ].join('; ');
  }
}
