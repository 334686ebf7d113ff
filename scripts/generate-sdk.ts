/** Generates packages/sdk/src/generated, uncommitted: read types and tables from `contract/`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { agentEventTypes } from '../packages/sdk/scripts/agent-events.ts';
import { clientTables, type DescribedAction } from '../packages/sdk/scripts/client-tables.ts';
import {
  withEventData,
  withNarrowEvents,
  type DescribedEvents,
} from '../packages/sdk/scripts/event-types.ts';
import { machinesTypeScript } from '../packages/sdk/scripts/machines.ts';
import { withMemberDescriptions } from '../packages/sdk/scripts/member-descriptions.ts';
import { openapiTypes, type Description } from '../packages/sdk/scripts/openapi-types.ts';

const ROOT = new URL('../', import.meta.url);
const GENERATED = new URL('packages/sdk/src/generated/', ROOT);

const description = contract('openapi.json') as Description;
const described = contract('actions.json') as DescribedEvents & {
  actions: readonly DescribedAction[];
};
const { errors } = contract('errors.json') as { errors: Record<string, unknown> };
const files = {
  'agent-events.ts': agentEventTypes(),
  'machines.ts': machinesTypeScript(),
  'openapi.ts': await openapiTypes(
    withMemberDescriptions(withNarrowEvents(withEventData(description, described))),
  ),
  'tables.ts': clientTables(description, described.actions, Object.keys(errors)),
};
const style = await resolveConfig(new URL('packages/sdk/src/index.ts', ROOT));
mkdirSync(GENERATED, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  writeFileSync(new URL(name, GENERATED), await format(text, { ...style, parser: 'typescript' }));
}

function contract(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`contract/${name}`, ROOT), 'utf8'));
}
