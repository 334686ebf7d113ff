/**
 * The official Python client of A2A, in both bindings: it verifies the card's signature, asks, gets an intent
 * prepared, and follows orders as tasks. Installed once into a cache folder (docs/decisions/011).
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workOrderOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { HttpNode, textOf } from '@netd/testkit/http-node';
import { unlessMissing } from '../../../../scripts/cached-environment.ts';
import { pythonEnvironment } from '../../../../scripts/python-environment.ts';
import { TOPICS } from './answers.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const CLIENT = here('testing/a2a-client.py');
const REQUIREMENTS = here('testing/a2a-requirements.txt');
/** Longer than the five seconds that the client's HTTP library waits for a byte. */
const SILENCE_MILLISECONDS = 6_500;

const python = await unlessMissing('A2A in Python', pythonEnvironment('a2a', REQUIREMENTS));

/** An agent, the order that it accepts, and an order that is cancelled. */
interface Cast {
  agent: string;
  followed: string;
  ending: string;
}

describe('the Python client of A2A', { skip: python === null }, () => {
  let node: HttpNode;
  let requester: string;
  before(async () => {
    node = await HttpNode.start({ discoveryPerMinute: 100_000 });
    requester = node.running.node.dataDir.operator.actorId;
  });
  after(() => node.stop());

  const BINDINGS = [
    ['JSONRPC', 'alice'],
    ['HTTP+JSON', 'bob'],
  ] as const;
  for (const [binding, agent] of BINDINGS) {
    test(`over ${binding}, finds, asks, signs and follows`, async () => {
      await node.join(agent);
      const [followed, ending] = [`o-${agent}`, `ends-${agent}`];
      for (const id of [followed, ending]) {
        await node.act(requester, 'createWorkOrder', workOrderOf(id, { jury: 'none' }));
      }
      const args = [CLIENT, node.url, binding, followed, ending, agent];
      const child = spawn(join(python ?? '', 'python'), args, {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      const told: JsonObject[] = [];
      try {
        for await (const line of createInterface({ input: child.stdout })) {
          told.push(JSON.parse(line) as JsonObject);
          await goOn(told, { agent, followed, ending });
        }
        assert.deepEqual(await ended, [0, null]);
      } finally {
        child.kill('SIGKILL');
      }
      const [card, answered, tasks, task, refusals, sign, ...stream] = told;
      assert.deepEqual(card, {
        what: 'card',
        skills: [...TOPICS.map(({ id }) => id), 'orders'],
        forged: 'refused',
      });
      assert.match(textOf(answered ?? {}, 'text'), /is at height \d+/);
      assert.deepEqual(answered?.['topics'], ['status']);
      assert.deepEqual((tasks?.['ids'] as string[] | undefined)?.slice(0, 2), [ending, followed]);
      assert.deepEqual(task, { what: 'task', state: 'TASK_STATE_SUBMITTED' });
      assert.deepEqual(refusals, {
        what: 'refusals',
        missing: 'TaskNotFoundError',
        cancel: 'TaskNotCancelableError',
      });
      assert.equal(sign?.['state'], 'TASK_STATE_INPUT_REQUIRED');
      assert.deepEqual(
        stream.map(({ what, id, kind = null, state = null }) => [what, id, kind, state]),
        [
          ['event', followed, 'task', 'TASK_STATE_SUBMITTED'],
          ['event', followed, 'statusUpdate', 'TASK_STATE_WORKING'],
          ['event', followed, 'artifactUpdate', null],
          ['event', followed, 'statusUpdate', 'TASK_STATE_WORKING'],
          ['end', followed, null, null],
          ['event', ending, 'task', 'TASK_STATE_SUBMITTED'],
          ['event', ending, 'statusUpdate', 'TASK_STATE_CANCELED'],
          ['end', ending, null, null],
        ],
      );
    });
  }

  /** Acts on the chain as the client expects, once it has read the state before. */
  async function goOn(
    told: readonly JsonObject[],
    { agent, followed, ending }: Cast,
  ): Promise<void> {
    const { what, id } = told.at(-1) ?? {};
    if (what !== 'event') return;
    const count = told.filter((fact) => fact['what'] === 'event' && fact['id'] === id).length;
    if (id === ending && count === 1) {
      await node.act(requester, 'cancelWorkOrder', { orderId: ending });
    } else if (id === followed && count === 1) {
      await setTimeout(SILENCE_MILLISECONDS);
      const asked = told.find((fact) => fact['what'] === 'sign');
      const unsigned = JSON.parse(textOf(asked ?? {}, 'bytes')) as JsonObject;
      const signed = node.intent(agent, 'acceptWork', unsigned['payload'], unsigned);
      const sent = await node.post('/v1/intents', signed);
      assert.equal(sent.status, 201, sent.text);
    } else if (id === followed && count === 2) {
      const deliverableHash = 'a'.repeat(64);
      const payload = { orderId: followed, agentId: agent, deliverableHash };
      await node.act(agent, 'submitWorkResult', payload);
    }
  }
});
