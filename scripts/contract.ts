/**
 * Generates the committed files of contract/, which outsiders link to, from the node's schemas and tables. With
 * `--check` it writes nothing, and fails if a file differs. Both SDKs' types and tables are built from them.
 * scripts/build-contract.ts makes the others.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_ERROR_TABLE, FORMATS } from '@netd/formats';
import {
  ACTIONS,
  AGENT_BASE_SET,
  AGENT_POLICY_SET,
  COLLECTIONS,
  COUNTERS,
  EVENT_DATA,
  EVENT_MEMBERS,
  EVENT_OWN_MEMBERS,
  EVENTS,
  type EventType,
  ROLE_SETS,
  RULES_VERSIONS,
  type RulesSpan,
  SYSTEM_TRANSITIONS,
  TRANSITIONS,
} from '@netd/ledger';
import { NetNode } from '@netd/node';
import { describeInterface } from '@netd/node/describe';
import { ERROR_TABLE, type ErrorCode } from '@netd/protocol';
import { format } from 'prettier';
import type { Description } from '../packages/sdk/scripts/openapi-types.ts';

const ROOT = new URL('../', import.meta.url);

const files: Record<string, string> = {
  'contract/openapi.json': await json(await openApi()),
  'contract/actions.json': await json(actions()),
  'contract/errors.json': await json(errors()),
  'contract/formats.json': await json(formats()),
  'contract/state.json': await json(state()),
};

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const path = new URL(name, ROOT);
  if (read(path) === text) continue;
  if (check) stale.push(name);
  else writeFileSync(path, text);
}
// Rebuild the uncommitted files.
if (!check) {
  execFileSync(process.execPath, ['scripts/build.ts', 'generated', 'contract'], { cwd: ROOT });
}
if (stale.length > 0) {
  console.error(`not fresh: ${stale.join(', ')}. Run npm run contract and commit.`);
  process.exitCode = 1;
}

function json(content: unknown): Promise<string> {
  return format(JSON.stringify(content), { parser: 'json', printWidth: 100 });
}

function read(path: URL): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

async function openApi(): Promise<Description> {
  const directory = mkdtempSync(join(tmpdir(), 'netd-contract-'));
  const node = await NetNode.start({ dataDir: directory });
  try {
    return (await describeInterface(node)) as unknown as Description;
  } finally {
    await node.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function actions(): unknown {
  return {
    schema: 'NET-ACTION-CONTRACT/1',
    rules: RULES_VERSIONS.map(({ name, changes }, index) => ({
      version: index + 1,
      name,
      changes,
    })),
    transitions: Object.values(TRANSITIONS).map((transition) => ({
      kind: transition.kind,
      name: transition.name,
      summary: transition.summary,
      errors: transition.errors,
      events: transition.events,
      duplicate: transition.duplicate,
      envelope: transition.envelope,
    })),
    capabilitySets: {
      agentBase: AGENT_BASE_SET,
      agentPolicy: AGENT_POLICY_SET,
      roles: ROLE_SETS,
    },
    counters: COUNTERS,
    // A field means the same everywhere, except in events with own members; a question mark allows null.
    eventMembers: EVENT_MEMBERS,
    events: Object.fromEntries(
      Object.entries(EVENTS).map(([type, info]) => [
        type,
        {
          ...info,
          data: EVENT_DATA[type as EventType],
          members: (EVENT_OWN_MEMBERS as Partial<Record<string, object>>)[type],
        },
      ]),
    ),
    actions: [...ACTIONS.values()].map((action) => ({
      name: action.name,
      summary: action.summary,
      ...spanOf(action),
      ...(action.memberSpans ? { memberSpans: action.memberSpans } : {}),
      roles: action.roles,
      grant: action.grant,
      actor: action.actor ?? null,
      bareActor: action.bareActor ?? null,
      spends: action.spends?.member ?? null,
      errors: action.errors,
      events: action.events,
      payload: action.payload,
    })),
    systemTransitions: Object.entries(SYSTEM_TRANSITIONS).map(([kind, transition]) => ({
      kind,
      summary: transition.summary,
      ...spanOf(transition),
      events: transition.events,
    })),
  };
}

/** Versions of the rules that have it; `until` is null while there is no last one. */
function spanOf({ since = 1, until }: RulesSpan): { since: number; until: number | null } {
  return { since, until: until ?? null };
}

function state(): unknown {
  return {
    schema: 'NET-STATE-CONTRACT/1',
    key: '<collection>/<id>',
    collections: Object.fromEntries(
      Object.entries(COLLECTIONS).map(([name, { summary }]) => [name, summary]),
    ),
  };
}

function formats(): unknown {
  return { schema: 'NET-FORMAT-CONTRACT/1', formats: FORMATS, errors: FORMAT_ERROR_TABLE };
}

function errors(): unknown {
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  return {
    schema: 'NET-ERROR-CONTRACT/1',
    errors: Object.fromEntries(codes.toSorted().map((code) => [code, ERROR_TABLE[code]])),
  };
}
