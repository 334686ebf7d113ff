/**
 * The line to a node, which may be cut: a read or an envelope is sent again until there is an answer, for as long as the
 * agent lives. A refusal is an answer.
 */
import type { JsonObject, Receipt } from '@netd/protocol';
import type { NetClient } from '../client.ts';
import { NetError } from '../http.ts';
import type { DocumentOf, ParameterArgument, ReadPath } from '../reads.ts';
import { LostAnswerError } from '../submission.ts';
import { LONGEST_PAUSE, pauseAfter, type Pulse } from './pulse.ts';

const LOST = /fetch|network|load failed|terminated/i;

export class Line {
  readonly client: NetClient;
  private readonly pulse: Pulse;

  constructor(client: NetClient, pulse: Pulse) {
    this.client = client;
    this.pulse = pulse;
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

  /** Does it again while the node is away or busy. */
  async persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      this.pulse.signal.throwIfAborted();
      let asked = 0;
      try {
        return await ask();
      } catch (error) {
        if (!isAway(error)) throw error;
        if (error instanceof NetError) asked = (error.retryAfter ?? 0) * 1_000;
      }
      await this.pulse.pause(Math.max(pauseAfter(attempt), Math.min(asked, LONGEST_PAUSE)));
    }
  }
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
