/**
 * A model without a mind: it knows no tool by name. It reads descriptions for words of its task, follows the "Then agent_…" in them, and
 * fills arguments by their names with what earlier answers held. What it cannot do, the descriptions do not say.
 */
import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import type { JsonObject, JsonValue } from '@netd/protocol';
import type { Model } from './model.ts';

export class ScriptedModel {
  /** Names of tools in the order of their calls. */
  readonly called: string[] = [];
  private readonly model: Model;
  private readonly seen: JsonValue[] = [];
  private tools: Tool[] = [];

  constructor(model: Model) {
    this.model = model;
  }

  /** The tool whose description has the words. */
  async toolFor(words: RegExp): Promise<Tool> {
    this.tools = (await this.model.client.listTools()).tools;
    const found = this.tools.filter(({ description = '' }) => words.test(description));
    assert.equal(found.length, 1, `${words}: ${found.map(({ name }) => name).join(', ')}`);
    return found[0] as Tool;
  }

  /** The tool that the description of another one names as the next. */
  nextOf({ name, description = '' }: Tool): Tool {
    const next = /Then (agent_\w+)/.exec(description)?.[1];
    const tool = this.tools.find((one) => one.name === next);
    assert.ok(tool, `${name} names no tool that is listed as the next`);
    return tool;
  }

  /** Calls it with what is known by the names of its arguments. @returns the answer, and the code where it is refused */
  async call(
    { name, inputSchema }: Tool,
    given: JsonObject = {},
  ): Promise<{ answer: JsonObject; code: string | null }> {
    const args: JsonObject = {};
    const { required = [], properties = {} } = inputSchema;
    for (const argument of Object.keys(properties)) {
      const value =
        given[argument] ?? (required.includes(argument) ? this.known(argument) : undefined);
      if (value !== undefined) args[argument] = value;
    }
    this.called.push(name);
    const { isError, content } = await this.model.raw(name, args);
    const answer = JSON.parse((content.at(-1) as { text: string }).text) as JsonObject;
    this.seen.push(answer);
    const { code = null } = (answer['error'] ?? {}) as { code?: string };
    return { answer, code: isError === true ? code : null };
  }

  /** The newest value of this name in any answer. */
  known(name: string): JsonValue | undefined {
    for (const answer of this.seen.toReversed()) {
      const value = find(answer, name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

/** The first member of this name, wherever it stands. */
function find(value: JsonValue, name: string): JsonValue | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (!Array.isArray(value) && value[name] !== undefined) return value[name];
  for (const one of Object.values(value)) {
    const found = find(one, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The smallest value that a schema takes. */
export function instanceOf(schema: JsonObject): JsonValue {
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['type'] === 'object') {
    const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>);
    return Object.fromEntries(members.map(([name, one]) => [name, instanceOf(one)]));
  }
  return schema['type'] === 'string' ? 'rain' : 0;
}
