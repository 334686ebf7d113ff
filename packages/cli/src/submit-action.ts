import { ACTIONS, GRANTS } from '@netd/ledger';
import { amountsIn, netText, type JsonObject, type Receipt } from '@netd/protocol';
import { LostAnswerError, NetError } from '@netd/sdk';
import { sessionEnd } from '@netd/sdk/internal';
import type { Acting } from './acting-agent.ts';
import { CommandError } from './command-error.ts';
import { eventFacts } from './event-text.ts';
import { programName, sameNode } from './program-name.ts';
import type { Terminal } from './terminal.ts';

/**
 * Submits an action, and first adds a missing capability if agents may give it to themselves.
 * @throws NetError for a refusal, AgentError SESSION_ENDED, CommandError after Ctrl-C, although the action
 * may still be committed
 */
export async function submitAction(
  acting: Acting,
  action: string,
  payload: JsonObject,
  terminal: Terminal,
): Promise<Receipt> {
  const { client, actor, askedUrl } = acting;
  noteAmounts(acting, action, payload, terminal);
  const who = { actorId: actor.actorId, url: askedUrl };
  const act = async (): Promise<Receipt> => {
    try {
      return await client.act(actor, action, payload).catch(async (error: unknown) => {
        if (actor.sessionId !== undefined || !canExtendBy(error, action)) throw error;
        await client
          .act(actor, EXTEND, { agentId: actor.actorId, actions: [action] })
          .then(() =>
            terminal.note(`${actor.actorId} can now use ${action}: capabilities extended`),
          )
          .catch((refusal: unknown) => {
            if (!(refusal instanceof NetError && refusal.code === 'CAPABILITIES_UNCHANGED')) {
              throw refusal;
            }
          });
        return client.act(actor, action, payload);
      });
    } catch (error) {
      throw (actor.sessionId === undefined ? null : sessionEnd(error)) ?? error;
    }
  };
  return unlessInterrupted(act(), action, who, terminal);
}

/** Prints amounts in full before signing, because a number without a unit may be a mistake. */
export function noteAmounts(
  { actor, isQuiet }: Acting,
  action: string,
  payload: JsonObject,
  terminal: Terminal,
): void {
  const amounts = amountsIn(ACTIONS.get(action)?.payload ?? {}, payload);
  if (isQuiet || amounts.length === 0) return;
  const told = amounts.map(({ name, unet }) => `${name} ${netText(unet)}`).join(', ');
  terminal.note(`${actor.actorId} signs ${action}: ${told}`);
}

const EXTEND: string = 'extendAgentCapabilities';

interface Who {
  actorId: string;
  url?: string | undefined;
}

export async function unlessInterrupted<Result>(
  underWay: Promise<Result>,
  what: string,
  who: Who,
  terminal: Terminal,
): Promise<Result> {
  const interruption = terminal.interruption();
  const interrupted = new Promise<never>((_resolve, reject) => {
    interruption.addEventListener('abort', () =>
      reject(
        new CommandError(
          `interrupted while ${what} was on its way: it may be committed all the same; ${eventsOf(who)} shows it`,
          'INTERRUPTED',
          'interrupted',
        ),
      ),
    );
  });
  interrupted.catch(() => {});
  try {
    return await Promise.race([underWay, interrupted]);
  } catch (error) {
    throw explained(error, who, what);
  }
}

const eventsOf = (who: Who): string =>
  `${programName()} events --agent ${who.actorId}${sameNode(who.url)}`;

/** Returns true if agents may give themselves the missing capability. Others need a role. */
const canExtendBy = (error: unknown, action: string): boolean =>
  error instanceof NetError && error.code === 'CAPABILITY_MISSING' && GRANTS.policy.has(action);

function explained(error: unknown, who: Who, action: string): unknown {
  if (error instanceof LostAnswerError) {
    error.message += `\n  See: ${eventsOf(who)}`;
  }
  if (!(error instanceof NetError)) return error;
  if (canExtendBy(error, action)) {
    error.message += `\n  Try: ${programName()} act ${who.actorId} extendAgentCapabilities actions=${action}${sameNode(who.url)}`;
  }
  return error;
}

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
