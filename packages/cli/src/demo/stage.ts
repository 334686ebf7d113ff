import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, type Receipt } from '@netd/protocol';
import { NetError, type Actor, type NetClient } from '@netd/sdk';
import { CommandError, isConnectionError, sentenceOf } from '../command-error.ts';
import type { DemoBlobs } from './blobs.ts';
import type { Cast } from './cast.ts';

export interface Stage {
  client: NetClient;
  cast: Cast;
  blobs: DemoBlobs;
  chainId: string;
  laboratory: boolean;
  operator: Actor;
  /** Part of every id, so that ids of several runs differ. */
  runId: string;
  say: (line: string) => void;
  show: (what: string, path: string) => void;
  signal: AbortSignal;
}

export interface AgentView {
  authority: { roles: string[] };
  account: { balance: number };
  beaconSequence: number;
  beacon: { metadataHash: string } | null;
}

export async function act(
  stage: Stage,
  actor: Actor,
  action: string,
  payload: JsonObject,
): Promise<Receipt> {
  stage.signal.throwIfAborted();
  return stage.client.act(actor, action, payload);
}

export function expectRefusal(error: unknown, ...codes: string[]): string {
  if (error instanceof NetError && codes.includes(error.code)) return error.code;
  throw error;
}

/**
 * Returns why the demo could not clean up after itself.
 * @throws the error if it is a defect
 */
export function failureOf({ signal }: Stage, error: unknown): string {
  const isGone = isConnectionError(error) || signal.aborted;
  const reason = isGone ? 'the node does not answer' : sentenceOf(error);
  if (reason === null) throw error;
  return reason;
}

export async function agentOf({ client }: Stage, actorId: string): Promise<AgentView | null> {
  try {
    return await client.get<AgentView>(`/v1/agents/${actorId}`);
  } catch (error) {
    expectRefusal(error, 'AGENT_NOT_FOUND');
    return null;
  }
}

export async function pause(stage: Stage, milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stage.signal });
}

const POLL_MILLISECONDS = 150;

/**
 * Polls until there is an answer.
 * @param what subject of the error's sentence
 * @throws CommandError after `seconds`
 */
export async function until<Answer>(
  stage: Stage,
  what: string,
  ask: () => Promise<Answer | null>,
  seconds = 60,
): Promise<Answer> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) {
      throw new CommandError(`${what} did not come within ${seconds} seconds; does the node run?`);
    }
    await pause(stage, POLL_MILLISECONDS);
  }
}

export function names(players: readonly { name: string }[]): string {
  return list(players.map(({ name }) => name));
}

export function list(all: readonly string[]): string {
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
