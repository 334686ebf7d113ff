/** A link with a token that starts the demo once, for the reader of `netd dev`'s terminal. */
import { randomBytes } from 'node:crypto';
import { isSameSecret, type Demo, type DemoProgress } from '@netd/server';

export class DemoLink implements Demo {
  readonly token = randomBytes(16).toString('hex');
  progress: DemoProgress = { state: 'waiting', reason: null };
  private readonly play: () => Promise<string | null>;
  /** Null until the demo starts. */
  played: Promise<void> | null = null;

  /** @param play resolves to the reason if the demo failed, otherwise to null; never rejects */
  constructor(play: () => Promise<string | null>) {
    this.play = play;
  }

  /** Returns true if the token is right and nothing has used it. */
  start(token: string): boolean {
    if (this.played !== null || !isSameSecret(token, this.token)) return false;
    this.progress = { state: 'running', reason: null };
    this.played = this.finish();
    return true;
  }

  private async finish(): Promise<void> {
    const reason = await this.play();
    this.progress = { state: reason === null ? 'ended' : 'failed', reason };
  }
}
