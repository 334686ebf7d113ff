import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { eventSubjects } from './events.ts';
import { parseGolden } from './testing/golden-chain.ts';
import type { Emit } from './transition.ts';

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(texts);
}

test('an event is found by every actor that its data name, alone or in lists', () => {
  const file = new URL('../../../vectors/golden-chain/secure.jsonl', import.meta.url);
  const { genesis, blocks } = parseGolden(readFileSync(file, 'utf8'));
  const events = blocks.flatMap((block) => block.events);
  const actors = new Set([
    ...genesis.operators.map(({ actorId }) => actorId),
    ...events.flatMap(({ type, data }) =>
      type === 'AgentRegistered'
        ? [data['agentId']]
        : type === 'AuthorityInstalled'
          ? [data['actorId']]
          : [],
    ),
  ]);
  const missed = new Set<string>();
  for (const event of events) {
    const found = new Set(eventSubjects(event).actors);
    for (const text of texts(event.data)) {
      if (actors.has(text) && !found.has(text)) missed.add(`${event.type} ${text}`);
    }
  }
  assert.deepEqual([...missed], []);
});

test('the compiler knows the members of every event', () => {
  const emit: Emit = () => {};
  emit('BeaconExpired', { agentId: 'alice', sequence: 1 });
  // @ts-expect-error a member is misspelt
  emit('BeaconExpired', { agentID: 'alice', sequence: 1 });
  // @ts-expect-error a member is missing
  emit('BeaconExpired', { agentId: 'alice' });
  // @ts-expect-error a member is of another type
  emit('BeaconExpired', { agentId: 'alice', sequence: '1' });
  // @ts-expect-error a member that may not be null is
  emit('BeaconExpired', { agentId: null, sequence: 1 });
  // @ts-expect-error there is no such event
  emit('BeaconExpire', { agentId: 'alice', sequence: 1 });
});
