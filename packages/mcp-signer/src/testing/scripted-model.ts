/**
 * A scripted model. It matches descriptions against its task, follows "Then agent_…", and fills arguments
 * from earlier answers by name. It can do only what the descriptions say.
 */
import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import type { JsonObject, JsonValue } from '@netd/protocol';
import type { Model } from './model.ts';

export class ScriptedModel {
  /** Names of called tools in order. */
  readonly called: string[] = [];
  private readonly model: Model;
  private readonly seen: JsonValue[] = [];
  private tools: Tool[] = [];

  constructor(model: Model) {
    this.model = model;
  }

  /** Finds the tool by its description. */
  async toolFor(words: RegExp): Promise<Tool> {
    this.tools = (await this.model.client.listTools()).tools;
    const found = this.tools.filter(({ description = '' }) => words.test(description));
    assert.equal(found.length, 1, `${words}: ${found.map(({ name }) => name).join(', ')}`);
    return found[0] as Tool;
  }

  /** Returns the tool after "Then" in the description. */
  nextOf({ name, description = '' }: Tool): Tool {
    const next = /Then (agent_\w+)/.exec(description)?.[1];
    const tool = this.tools.find((one) => one.name === next);
    assert.ok(tool, `${name} names no tool that is listed as the next`);
    return tool;
  }

  /**
   * Fills missing arguments from earlier answers.
   * @returns the answer, and the code if refused
   */
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

  known(name: string): JsonValue | undefined {
    for (const answer of this.seen.toReversed()) {
      const value = find(answer, name);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function find(value: JsonValue, name: string): JsonValue | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (!Array.isArray(value) && value[name] !== undefined) return value[name];
  for (const one of Object.values(value)) {
    const found = find(one, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The smallest valid value. */
export function instanceOf(schema: JsonObject): JsonValue {
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['type'] === 'object') {
    const members = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>);
    return Object.fromEntries(members.map(([name, one]) => [name, instanceOf(one)]));
  }
  return schema['type'] === 'string' ? 'rain' : 0;
}
