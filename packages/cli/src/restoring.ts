import type { RestoreProgress } from '@netd/engine';
import { inUnit, RESTORE_STEPS } from '@netd/sync';
import { ProgressBar, type Screen } from './progress-bar.ts';

export class Restoring {
  private readonly screen: Screen;
  private phase: RestoreProgress['phase'] | null = null;
  private bar: ProgressBar | null = null;

  constructor(screen: Screen) {
    this.screen = screen;
  }

  update({ phase, height, done, total }: RestoreProgress): void {
    if (phase === 'done') {
      this.stop();
      this.screen.write(
        `  The state of height ${height} is here, with the root that is certified.\n`,
      );
      return;
    }
    const step = RESTORE_STEPS[phase];
    if (phase !== this.phase) {
      this.stop();
      this.phase = phase;
      this.bar = new ProgressBar(step.label, this.screen, step.unit);
      this.bar.start(inUnit(step, total), inUnit(step, done));
    }
    this.bar?.update(inUnit(step, done), `height ${height}`);
  }

  stop(): void {
    this.bar?.stop();
    this.bar = null;
  }
}
