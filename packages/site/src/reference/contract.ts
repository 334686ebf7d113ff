import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@netd/protocol';
import { ROOT } from '../page.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(ROOT, 'contract', `${name}.json`), 'utf8'));

export interface ActionContract {
  name: string;
  summary: string;
  roles: string[];
  grant: Record<string, string>;
  spends: string | null;
  errors: string[];
  events: Record<string, string> | string[];
  payload: JsonObject;
}

export const actionContract = (): {
  actions: ActionContract[];
  events: Record<string, JsonObject>;
  eventMembers: Record<string, JsonObject>;
  transitions: { name: string; summary: string; errors: string[]; events: unknown }[];
  systemTransitions: { kind: string; summary: string; events: unknown }[];
} => read('actions') as ReturnType<typeof actionContract>;

export const errorContract = (): Record<
  string,
  { status: number; title: string; advice: string }
> => (read('errors') as { errors: ReturnType<typeof errorContract> }).errors;

/** Returns codes of SDKs and documents, which no node sends. */
export const clientErrorContract = (): Record<string, { title: string; advice: string }> =>
  Object.assign(
    {},
    ...['formats', 'sdk-errors'].map((name) => (read(name) as { errors: object }).errors),
  ) as ReturnType<typeof clientErrorContract>;

export interface ToolContract {
  name: string;
  title: string;
  description: string;
  document?: string | null;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  effect?: 'reads' | 'acts' | 'spends';
  needs?: string[];
}

export const toolContract = (): {
  node: ToolContract[];
  signer: ToolContract[];
  signerResources: { uri?: string; uriTemplate?: string; title: string; description: string }[];
  signerPrompts: { name: string; title: string; description: string }[];
} => read('tools') as ReturnType<typeof toolContract>;

export interface CommandContract {
  name: string;
  summary: string;
  usage: string;
  arguments: { name: string; description: string; required: boolean; variadic: boolean }[];
  options: {
    flags: string;
    description: string;
    required?: true;
    choices?: string[];
    default?: unknown;
    env?: string;
  }[];
  examples: string[];
}

export const commandContract = (): {
  commands: CommandContract[];
  exitCodes: { code: number; meaning: string }[];
} => read('commands') as ReturnType<typeof commandContract>;
