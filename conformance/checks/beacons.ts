/** Beacons and the reads that find them. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { check } from '../check.ts';
import { expectPayloadInvalid, expectProblem, mentions } from '../expect.ts';
import type { Network } from '../network.ts';
import { ABSENT, beaconOf, items, memberCheck, replaced, type Sender } from './payloads.ts';

const publish: Sender = async (net, members, without) => {
  const actor = await net.agent('beacon');
  const beacon = beaconOf(actor.actorId, await net.height(), net.next('beacon sequence'));
  return net.tries(actor, 'publishBeacon', replaced(beacon, members, without));
};

async function beaconsAt(net: Network, query: string): Promise<JsonObject[]> {
  return (await net.http.document(`/v1/discovery${query}`))['beacons'] as JsonObject[];
}

export const BEACON_CHECKS = [
  memberCheck(['beacon.schema'], 'schema', publish, {
    bad: [ABSENT, 'NET-AGENT-BEACON/2', 'net-agent-beacon/1', 1],
    good: ['NET-AGENT-BEACON/1'],
  }),
  memberCheck(['beacon.indexable'], 'indexable', publish, {
    bad: [ABSENT, false, 'true', 1],
    good: [true],
  }),
  memberCheck(['beacon.endpoint'], 'endpoint', publish, {
    bad: [ABSENT, 'http://agent.example/', 'agent.example', '', 'https://', 'ftp://x.example/'],
    good: ['https://agent.example:8443/a2a?x=1'],
  }),
  memberCheck(['beacon.capabilities', 'limit.beacon-capabilities'], 'capabilities', publish, {
    bad: [ABSENT, [], items(33), ['same', 'same'], 'text', [1]],
    good: [items(1), items(32)],
  }),
  memberCheck(['beacon.protocols', 'limit.beacon-protocols'], 'protocols', publish, {
    bad: [ABSENT, [], items(17), ['same', 'same'], 'text', [1]],
    good: [items(1), items(16)],
  }),
  memberCheck(['beacon.metadataHash'], 'metadataHash', publish, {
    bad: [ABSENT, 'a'.repeat(63), 'A'.repeat(64), 'g'.repeat(64), 1],
    good: ['0'.repeat(64)],
  }),
  memberCheck(['beacon.expiresAtHeight'], 'expiresAtHeight', publish, {
    bad: [ABSENT, '5000', -1, null],
  }),
  memberCheck(['beacon.sequence', 'limit.beacon-sequence'], 'sequence', publish, {
    bad: [ABSENT, 0, -1, '1', null],
  }),
  memberCheck(['beacon.closed'], 'surprise', publish, { bad: ['a member of its own'] }),

  check('a beacon is of the agent that signs it', ['beacon.agentId'], async (net) => {
    expectPayloadInvalid(await publish(net, {}, 'agentId'), 'agentId');
    const other = await net.agent('joins');
    expectProblem(await publish(net, { agentId: other.actorId }, null), 409);
  }),

  check(
    'the sequence begins at 1 and only goes up',
    ['beacon.sequence', 'limit.beacon-sequence', 'beacon.sequence-upward'],
    async (net) => {
      const actor = await net.join(net.fresh('counts'));
      const height = await net.height();
      const at = (number: number) =>
        net.tries(actor, 'publishBeacon', beaconOf(actor.actorId, height, number));
      assert.equal((await at(1)).status, 201);
      expectProblem(await at(1), 409, 'BEACON_SEQUENCE_STALE');
      assert.equal((await at(3)).status, 201);
      expectProblem(await at(2), 409, 'BEACON_SEQUENCE_STALE');
    },
  ),

  check(
    'a current beacon is discovered as it was signed, by agent, capability and protocol',
    [
      'get.discovery',
      'get.discovery.agentId',
      'get.discovery.capability',
      'get.discovery.protocol',
      'beacon.current',
    ],
    async (net) => {
      const { actor, beacon } = await net.once('shown beacon', async () => {
        const shown = await net.agent('shown');
        const signed = beaconOf(shown.actorId, await net.height(), 1, {
          capabilities: [net.id('capability')],
          protocols: [net.id('protocol')],
        });
        await net.does(shown, 'publishBeacon', signed);
        return { actor: shown, beacon: signed };
      });
      const id = encodeURIComponent(actor.actorId);
      for (const query of [
        `?agentId=${id}`,
        `?capability=${net.id('capability')}`,
        `?protocol=${net.id('protocol')}`,
        `?agentId=${id}&capability=${net.id('capability')}&protocol=${net.id('protocol')}`,
      ]) {
        assert.deepEqual(await beaconsAt(net, query), [beacon], query);
      }
      for (const query of [
        `?agentId=${net.id('absent')}`,
        `?capability=${net.id('nothing')}`,
        `?agentId=${id}&protocol=${net.id('nothing')}`,
      ]) {
        assert.deepEqual(await beaconsAt(net, query), [], query);
      }
    },
  ),

  check(
    'a beacon whose height has passed is found no more',
    ['beacon.expired', 'beacon.expiresAtHeight'],
    async (net) => {
      const actor = await net.join(net.fresh('fades'));
      const height = await net.height();
      const past = beaconOf(actor.actorId, 0, 1, { expiresAtHeight: height });
      expectProblem(await net.tries(actor, 'publishBeacon', past), 409, 'BEACON_EXPIRED');
      const brief = beaconOf(actor.actorId, 0, 1, { expiresAtHeight: height + 4 });
      await net.does(actor, 'publishBeacon', brief);
      const query = `?agentId=${actor.actorId}`;
      if ((await net.height()) <= height + 4) assert.equal((await beaconsAt(net, query)).length, 1);
      while ((await net.height()) <= height + 4) await net.pass(1);
      assert.deepEqual(await beaconsAt(net, query), []);
      assert.deepEqual(
        await net.http
          .document(`/v1/agent-directory${query}`)
          .then((directory) => mentions(directory, brief['metadataHash'] as string)),
        false,
      );
    },
  ),

  check(
    'the directory lists capabilities of current beacons, by agent, capability and protocol',
    [
      'get.agent-directory',
      'get.agent-directory.agentId',
      'get.agent-directory.capability',
      'get.agent-directory.protocol',
      'document.agent-capability-directory',
    ],
    async (net) => {
      const actor = await net.agent('listed');
      const beacon = beaconOf(actor.actorId, await net.height(), 1, {
        capabilities: [net.id('skill')],
        protocols: [net.id('speech')],
      });
      await net.does(actor, 'publishBeacon', beacon);
      const found = (query: string) => net.http.document(`/v1/agent-directory${query}`);
      const id = actor.actorId;
      for (const query of [
        `?agentId=${id}`,
        `?capability=${net.id('skill')}`,
        `?protocol=${net.id('speech')}`,
      ]) {
        const directory = await found(query);
        assert.equal(directory['schema'], 'NET-AGENT-CAPABILITY-DIRECTORY/1');
        assert.ok(mentions(directory, `"${id}"`), `${query} does not find ${id}`);
      }
      for (const query of [`?agentId=${net.id('absent')}`, `?capability=${net.id('nothing')}`]) {
        assert.ok(!mentions(await found(query), `"${id}"`), `${query} finds ${id}`);
      }
    },
  ),
];
