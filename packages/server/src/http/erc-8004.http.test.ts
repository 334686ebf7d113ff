/** An agent as an ERC-8004 file has all that readers require, and only facts of the chain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { beaconOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { HttpNode } from '@netd/testkit/http-node';

let node: HttpNode;

before(async () => {
  node = await HttpNode.start();
});
after(() => node.stop());

interface Registration {
  type: string;
  name: string;
  description: string;
  image: string;
  services: { name: string; endpoint: string; version?: string }[];
  active: boolean;
  registrations: unknown[];
}

const registrationOf = async (agentId: string): Promise<Registration> =>
  JSON.parse((await node.get(`/v1/agents/${agentId}/erc-8004.json`)).text) as Registration;

test('a new agent has its record as its one service', async () => {
  await node.join('ada', { description: 'reads papers' });
  const { type, name, description, image, services, active, registrations } =
    await registrationOf('ada');
  assert.equal(type, 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1');
  assert.deepEqual([name, description, active], ['ada', 'reads papers', true]);
  assert.deepEqual(registrations, []);
  assert.deepEqual(services, [
    { name: 'netd', endpoint: `${node.running.publicUrl}/v1/agents/ada`, version: '0.13.1' },
  ]);
  const picture = decodeURIComponent(image.replace('data:image/svg+xml,', ''));
  assert.match(picture, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 5 5"><path /);
});

test('lists the services of a beacon while the beacon is current', async () => {
  await node.join('bob');
  const protocols = ['a2a/1.0', 'mcp/2025-11-25', 'NET-AGENT-MESSAGE/1'];
  const beacon: JsonObject = { ...beaconOf('bob', node.height), protocols };
  const { endpoint } = beacon;
  await node.act('bob', 'publishBeacon', beacon);
  const { services } = await registrationOf('bob');
  assert.deepEqual(services.slice(1), [
    { name: 'A2A', version: '1.0', endpoint },
    { name: 'MCP', version: '2025-11-25', endpoint },
    { name: 'NET-AGENT-MESSAGE/1', endpoint },
  ]);
  await node.act('bob', 'withdrawBeacon', { agentId: 'bob' });
  assert.equal((await registrationOf('bob')).services.length, 1);
});

test('two agents have two pictures', async () => {
  await node.join('carol');
  await node.join('dave');
  assert.notEqual((await registrationOf('carol')).image, (await registrationOf('dave')).image);
});

test('answers 404 for an unknown agent', async () => {
  const { status, body } = await node.get('/v1/agents/nobody/erc-8004.json');
  assert.deepEqual([status, body['code']], [404, 'AGENT_NOT_FOUND']);
});
