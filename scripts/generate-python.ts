/**
 * Generates parts of the Python client below clients/python/src/netsdk, uncommitted: types, tables and calls from
 * `contract/`, agent events, and the blocking client from `_async`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { AGENT_ERROR_TABLE } from '../packages/sdk/src/agent/agent-error.ts';
import { AGENT_HEALTH_TABLE } from '../packages/sdk/src/agent/health.ts';
import { agentEventsPython, EVENT_MEMBERS } from '../packages/sdk/scripts/agent-events.ts';
import { MACHINES } from '../packages/sdk/scripts/machines.ts';
import type { DescribedAction } from '../packages/sdk/scripts/client-tables.ts';
import { withEventData, type DescribedEvents } from '../packages/sdk/scripts/event-types.ts';
import type { Description } from '../packages/sdk/scripts/openapi-types.ts';
import { blockingHalf } from './python-sync.ts';
import { pythonTypes } from './python-types.ts';

const ROOT = new URL('../', import.meta.url);
const PACKAGE = new URL('clients/python/src/netsdk/', ROOT);

const description = contract('openapi.json') as Description;
const described = contract('actions.json') as DescribedEvents & {
  actions: readonly DescribedAction[];
};
const { errors } = contract('errors.json') as { errors: Record<string, unknown> };

const generated: Record<string, string> = {
  ...pythonTypes(withEventData(description, described), described.actions, {
    codes: Object.keys(errors),
    agent: AGENT_ERROR_TABLE,
    health: AGENT_HEALTH_TABLE,
    machines: MACHINES,
    events: EVENT_MEMBERS,
  }),
  'agent/agent_events.py': agentEventsPython(),
};
for (const [name, text] of Object.entries(generated)) write(name, text);
for (const name of readdirSync(new URL('_async/', PACKAGE))) {
  if (!name.endsWith('.py')) continue;
  const asynchronous = readFileSync(new URL(`_async/${name}`, PACKAGE), 'utf8');
  write(`_sync/${name}`, blockingHalf(name, asynchronous));
}

function write(name: string, text: string): void {
  const path = new URL(name, PACKAGE);
  mkdirSync(new URL('.', path), { recursive: true });
  writeFileSync(path, text);
}

function contract(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`contract/${name}`, ROOT), 'utf8'));
}
