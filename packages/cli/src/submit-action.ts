/** One action of somebody: completed, signed, submitted, and told. */
import { bytesToHex, type JsonObject, type Receipt } from '@netd/protocol';
import { NetError } from '@netd/sdk';
import type { Acting } from './acting-agent.ts';
import { CommandError } from './command-error.ts';
import { eventFacts } from './event-text.ts';
import { programName } from './program-name.ts';
import type { Terminal } from './terminal.ts';

/** Heights that an envelope of ours stays valid. */
const LIFETIME = 600;

export const freshNonce = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16)));

/**
 * Signs and submits one envelope of its own: under a session's key, or with a nonce that the payload proves.
 * @throws NetError for a refusal
 */
export async function submitIntent(
  { client, actor, network, sessionId }: Acting,
  action: string,
  payload: JsonObject,
  nonce: string = freshNonce(),
): Promise<Receipt> {
  const envelope = await actor.key.sign({
    actorId: actor.actorId,
    nonce,
    expiresAtHeight: network.height + LIFETIME,
    action,
    payload,
    chainId: network.chainId,
    ...(sessionId === null ? {} : { sessionId }),
  });
  return (await client.post<{ receipt: Receipt }>('/v1/intents', envelope)).receipt;
}

/**
 * Submits with Ctrl-C in mind: an action that is on its way may be committed all the same.
 * @throws NetError for a refusal, CommandError after Ctrl-C
 */
export async function submitAction(
  acting: Acting,
  action: string,
  payload: JsonObject,
  terminal: Terminal,
): Promise<Receipt> {
  const { client, actor, sessionId } = acting;
  const interruption = terminal.interruption();
  const interrupted = new Promise<never>((_resolve, reject) => {
    interruption.addEventListener('abort', () =>
      reject(
        new CommandError(
          `interrupted while ${action} was on its way: it may be committed all the same; ${programName()} events --agent ${actor.actorId} shows it`,
          'INTERRUPTED',
          'interrupted',
        ),
      ),
    );
  });
  interrupted.catch(() => {});
  try {
    const done =
      sessionId === null
        ? client.act(actor, action, payload)
        : submitIntent(acting, action, payload);
    return await Promise.race([done, interrupted]);
  } catch (error) {
    throw explained(error, actor.actorId, action);
  }
}

/** A refusal with what to type next, where there is one thing to type. */
function explained(error: unknown, actorId: string, action: string): unknown {
  if (!(error instanceof NetError)) return error;
  if (error.code === 'CAPABILITY_MISSING') {
    error.message += `\n  Try: ${programName()} act ${actorId} extendAgentCapabilities actions=${action}`;
  }
  return error;
}

/** What came of it, for people. */
export function receiptText(
  { client, actor }: Pick<Acting, 'client' | 'actor'>,
  action: string,
  receipt: Receipt,
): string {
  return [
    `${actor.actorId} did ${action}, committed at height ${receipt.height}.`,
    ...receipt.events.map((event) => `  event ${event.id}  ${event.type}  ${eventFacts(event)}`),
    `  proof  ${client.url}/v1/transitions/${receipt.transitionHash}`,
  ].join('\n');
}
