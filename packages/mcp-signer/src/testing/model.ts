/** An official client with a server process. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, type CallToolResult, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { JsonObject } from '@netd/protocol';
import { Agent, type SessionOptions } from '@netd/sdk';
import type { World } from '@netd/sdk/testing/world';
import type { ChildOptions } from './child.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
/** Ends calls that hang, even on a busy machine. */
const CALL_MILLISECONDS = 240_000;
const MODERN = '2026-07-28';

/** Records questions and gives this answer. */
export interface Owner {
  action: 'accept' | 'decline' | 'cancel';
  approve: boolean;
  questions: string[];
  /** NET allowed afterwards without a question. */
  more?: number;
}

export interface ModelOptions extends Partial<Omit<ChildOptions, 'path'>> {
  /** Without an owner the client cannot ask. */
  owner?: Owner;
  modern?: boolean;
}

export class Model {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  static async start(
    t: Pick<TestContext, 'after'>,
    world: World,
    path: string,
    { owner, modern = false, ...more }: ModelOptions = {},
  ): Promise<Model> {
    const options: ChildOptions = {
      path,
      url: world.node.url,
      askAbove: 0,
      blobs: world.origins,
      keys: join(world.home, 'elsewhere', 'keys'),
      ...more,
    };
    const negotiation: ClientOptions = {
      versionNegotiation: { mode: modern ? { pin: MODERN } : 'legacy' },
    };
    const capabilities = owner ? { elicitation: { form: {} } } : {};
    const client = new Client(
      { name: 'netd-test', version: '1' },
      { ...negotiation, capabilities },
    );
    if (owner) {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        owner.questions.push(params.message);
        const { action, approve } = owner;
        const content = { approve, ...(owner.more === undefined ? {} : { more: owner.more }) };
        return action === 'accept' ? { action, content } : { action };
      });
    }
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [CHILD],
        env: { MCP_CHILD: JSON.stringify(options), PATH: process.env['PATH'] ?? '' },
      }),
    );
    const model = new Model(client);
    t.after(() => model.stop());
    return model;
  }

  async raw(name: string, args: JsonObject = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: args }, { timeout: CALL_MILLISECONDS });
  }

  async call(name: string, args: JsonObject = {}): Promise<JsonObject> {
    const { isError, content, structuredContent } = await this.raw(name, args);
    assert.ok(isError !== true, JSON.stringify(content));
    const last = content.at(-1) as { text: string };
    assert.deepEqual(JSON.parse(last.text), structuredContent);
    return structuredContent as JsonObject;
  }

  async refused(name: string, args: JsonObject = {}): Promise<string> {
    const { isError, content } = await this.raw(name, args);
    assert.equal(isError, true, JSON.stringify(content));
    const { text } = content.at(-1) as { text: string };
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    assert.match(error.message, /[a-z]{3} .*\./);
    return error.code;
  }

  async stop(): Promise<void> {
    await this.client.close();
  }
}

/**
 * The agent has 50 NET.
 * @returns the path of the session file
 */
export async function grant(
  world: World,
  agentId: string,
  options: SessionOptions,
): Promise<{ path: string; sessionId: string }> {
  const agent = await Agent.open(agentId, world.options());
  try {
    await agent.act('faucet', { amount: 50_000_000 });
    const actions = ['transfer', 'createWorkOrder', 'cancelWorkOrder', 'releaseWork'] as const;
    await agent.act('extendAgentCapabilities', { agentId, actions: [...actions] });
    const { name, session } = await agent.grantSession(options);
    const path = join(world.home, 'keys', agent.chainId, `${name}.json`);
    return { path, sessionId: session.sessionId };
  } finally {
    await agent.stop();
  }
}
