/** A link with a token that starts the demo once, for the reader of `netd dev`'s terminal. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export class DemoLink {
  readonly token = randomBytes(16).toString('hex');
  private readonly play: () => Promise<void>;
  /** Null until the demo starts. */
  played: Promise<void> | null = null;

  /** @param play never rejects */
  constructor(play: () => Promise<void>) {
    this.play = play;
  }

  /** Returns true if the token is right and nothing has used it. */
  start(token: string): boolean {
    // Compare hashes, because timingSafeEqual requires equal lengths.
    if (this.played !== null || !timingSafeEqual(hashOf(token), hashOf(this.token))) return false;
    this.played = this.play();
    return true;
  }
}
