/**
 * The line to a node, which may be cut: a read or an envelope is sent again until there is an answer, for as long as the
 * agent lives. A refusal is an answer.
 */
import type { JsonObject, Receipt } from '@netd/protocol';
import type { NetClient } from '../client.ts';
import { NetError } from '../http.ts';
import type { DocumentOf, ParameterArgument, ReadPath } from '../reads.ts';
import { LostAnswerError } from '../submission.ts';
import type { Emitter } from './emitter.ts';
import { LONGEST_PAUSE, pauseAfter, type Pulse } from './pulse.ts';

const LOST = /fetch|network|load failed|terminated/i;

export class Line {
  readonly client: NetClient;
  private readonly pulse: Pulse;
  private readonly events: Pick<Emitter, 'emit'>;
  /** Since when the node is away, and when that was said last; all who ask share one line. */
  private outage: { since: number; quietUntil: number } | null = null;

  constructor(client: NetClient, pulse: Pulse, events: Pick<Emitter, 'emit'>) {
    this.client = client;
    this.pulse = pulse;
    this.events = events;
  }

  /**
   * Before the next look for what is not there yet.
   * @throws the reason of the agent's end
   */
  async pause(milliseconds: number): Promise<void> {
    await this.pulse.pause(milliseconds);
  }

  /** @throws NetError for a refusal */
  async read<Path extends ReadPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): Promise<DocumentOf<Path>> {
    return this.persist(() => this.client.read(path, ...parameters));
  }

  /** The document, or null where the node says that there is none. */
  async find<Path extends ReadPath>(
    path: Path,
    ...parameters: ParameterArgument<Path>
  ): Promise<DocumentOf<Path> | null> {
    try {
      return await this.read(path, ...parameters);
    } catch (error) {
      if (error instanceof NetError && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * Sends one envelope until the node has answered. The same bytes each time: what was committed already is answered with
   * its receipt.
   * @throws NetError with the code of a refusal: then it was not executed, and the same envelope will not be unless its
   *   reason goes
   */
  async submit(path: string, envelope: JsonObject): Promise<Receipt> {
    return this.persist(async () => {
      try {
        return (await this.client.post<{ receipt: Receipt }>(path, envelope)).receipt;
      } catch (error) {
        const receipt = error instanceof NetError ? error.problem?.receipt : undefined;
        if (receipt) return receipt;
        throw error;
      }
    });
  }

  /** Does it again while the node is away or busy; says `offline` before each further try, and `online` after it. */
  async persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      this.pulse.signal.throwIfAborted();
      let asked = 0;
      try {
        const answer = await ask();
        this.isBack();
        return answer;
      } catch (error) {
        if (!isAway(error)) {
          this.isBack();
          throw error;
        }
        if (error instanceof NetError) asked = (error.retryAfter ?? 0) * 1_000;
        const pause = Math.max(pauseAfter(attempt), Math.min(asked, LONGEST_PAUSE));
        if (!(error instanceof NetError && error.status === 429)) this.isAway(error, pause);
        await this.pulse.pause(pause);
      }
    }
  }

  private isAway(error: unknown, nextTryIn: number): void {
    const now = performance.now();
    this.outage ??= { since: now, quietUntil: now };
    if (now < this.outage.quietUntil) return;
    this.outage.quietUntil = now + nextTryIn;
    const forMilliseconds = Math.round(now - this.outage.since);
    const { url } = this.client;
    this.events.emit('offline', { url, forMilliseconds, nextTryIn, reason: reasonOf(error) });
  }

  private isBack(): void {
    if (!this.outage) return;
    const forMilliseconds = Math.round(performance.now() - this.outage.since);
    this.outage = null;
    this.events.emit('online', { url: this.client.url, forMilliseconds });
  }
}

/** What fetch says is the least: why stands in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}

/** Whether nobody has answered, or somebody who could not: anything else is an answer. */
function isAway(error: unknown): boolean {
  if (error instanceof NetError) return error.status >= 500 || error.status === 429;
  if (error instanceof LostAnswerError) return true;
  const { name, message } = error as Error;
  // What fetch throws where nobody listens or somebody hangs up, and where nobody answers in time; each runtime in words
  // of its own. Other TypeErrors are mistakes of ours.
  return (name === 'TypeError' && LOST.test(message)) || name === 'TimeoutError';
}
