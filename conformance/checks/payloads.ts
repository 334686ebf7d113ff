/** Honest payloads, and checks that vary each member. */
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '@netd/protocol';
import {
  beaconOf as honestBeaconOf,
  checkpointOf as honestCheckpointOf,
  workOrderOf,
} from '@netd/protocol/testing';
import { check, type Check } from '../check.ts';
import { expectPayloadInvalid, textOf } from '../expect.ts';
import type { Answer } from '../http.ts';
import type { Network } from '../network.ts';
import type { RequirementId } from '../requirements.ts';

export const hashOf = (digit: string): string => digit.repeat(64);
export const items = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `item-${n}`);

export function beaconOf(
  agentId: string,
  height: number,
  sequence: number,
  members: JsonObject = {},
): JsonObject {
  return honestBeaconOf(agentId, height, {
    endpoint: 'https://agent.example/a2a',
    capabilities: ['conformance'],
    sequence,
    ...members,
  });
}

export function orderOf(orderId: string, members: JsonObject = {}): JsonObject {
  return workOrderOf(orderId, {
    scopeHash: hashOf('5'),
    jobType: 'conformance',
    requirements: ['conformance'],
    funding: 1_000_000,
    // From version 2 of the rules on, an order with a jury is taken only while one could vote.
    ...(members['validationPolicy'] === undefined ? { jury: 'none' } : {}),
    ...members,
  });
}

export function checkpointOf(
  agentId: string,
  checkpointId: string,
  members: JsonObject = {},
): JsonObject {
  return honestCheckpointOf(agentId, 1, {
    checkpointId,
    checkpointHash: hashOf('1'),
    stateRoot: hashOf('a'),
    byteLength: 1,
    ...members,
  });
}

/** Leaves the member out. */
export const ABSENT = Symbol('absent');
export type Value = JsonValue | typeof ABSENT;

export type Sender = (net: Network, members: JsonObject, without: string | null) => Promise<Answer>;

/** Checks one member of a payload: accepted values, and values refused with 409 and the member's path. */
export function memberCheck(
  proves: readonly RequirementId[],
  member: string,
  send: Sender,
  { good = [], bad = [] }: { good?: Value[]; bad?: Value[] },
): Check {
  const title = `${proves[0]}: takes ${good.length} values, refuses ${bad.length}`;
  return check(title, proves, async (net) => {
    const answerTo = (value: Value): Promise<Answer> =>
      value === ABSENT ? send(net, {}, member) : send(net, { [member]: value }, null);
    for (const value of bad) expectPayloadInvalid(await answerTo(value), member);
    for (const value of good) {
      const { status, body } = await answerTo(value);
      const what = value === ABSENT ? 'left out' : JSON.stringify(value).slice(0, 80);
      assert.equal(status, 201, `${member} ${what} was refused: ${textOf(body['detail'])}`);
    }
  });
}

export function replaced(
  payload: JsonObject,
  members: JsonObject,
  without: string | null,
): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...payload, ...members }).filter(([name]) => name !== without),
  );
}
