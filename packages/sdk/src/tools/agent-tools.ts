/**
 * The tools of `netd mcp` for agent frameworks, over stdio. Its process holds the session key, asks the owner
 * and logs the spending.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { didYouMean, NetSdkError } from '@netd/protocol';
import { requireOptions, type OptionNames } from '../option-names.ts';
import { findNetd } from '../test/find-netd.ts';

/** The tools could not be opened, a tool is unknown, or the process has ended. */
export class AgentToolsError extends NetSdkError {
  override name = 'AgentToolsError';
  /** TOOLS_FAILED, or TOOL_UNKNOWN. */
  declare readonly code: 'TOOLS_FAILED' | 'TOOL_UNKNOWN';
  /** Names of the tools of the session, if known. */
  readonly tools: readonly string[];

  constructor(
    message: string,
    tools: readonly AgentTool[] = [],
    code: AgentToolsError['code'] = 'TOOLS_FAILED',
  ) {
    const names = tools.map(({ name }) => name);
    super(message, { code, data: { tools: names } });
    this.tools = names;
  }
}

/** A tool of `netd mcp` that the session may use. */
export interface AgentTool {
  /** Name to call it by. */
  name: string;
  /** Title for people. */
  title: string;
  /** Description for the model. */
  description: string;
  /** JSON Schema of the arguments. */
  inputSchema: { type: 'object'; properties: Record<string, object>; [member: string]: unknown };
}

/** Options of `openTools`. */
export interface AgentToolsOptions {
  /** The session file of `netd sessions grant`, never the agent's key file. */
  session: string;
  /** The node; default $NET_URL, otherwise http://127.0.0.1:8420. */
  url?: string | undefined;
  /** Total that may be spent without asking, such as '5 NET'; default nothing. */
  askAbove?: string | undefined;
  /** Path of a policy file, NET-MCP-POLICY/1. */
  policy?: string | undefined;
  /** Directory of key files. The session's state is stored beside it. */
  keys?: string | undefined;
  /** Asks the owner. Without it, requests that need approval are refused. */
  approve?: ((question: string) => boolean | Promise<boolean>) | undefined;
  /** Path of the program; default $NETD, otherwise netd on the PATH or in node_modules. */
  netd?: string | undefined;
}

const TOOLS_OPTIONS: OptionNames<AgentToolsOptions> = {
  session: true,
  url: true,
  askAbove: true,
  policy: true,
  keys: true,
  approve: true,
  netd: true,
};

interface Message {
  id?: number | string;
  method?: string;
  params?: { message?: string };
  result?: Record<string, unknown>;
  error?: { message: string };
}

interface Waiting {
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: Error) => void;
}

const PROTOCOL = '2025-11-25';
const MOST_WORDS = 4_000;

/**
 * Starts `netd mcp` under a session.
 * @throws AgentToolsError with its output; NetworkStartError if netd is not found
 */
export const openTools = (options: AgentToolsOptions): Promise<AgentTools> =>
  AgentTools.open(options);

/** The process `netd mcp` under a session. */
export class AgentTools {
  /** The tools that the session may use. */
  tools: readonly AgentTool[] = [];
  /** Text for the system prompt: the agent's identity, and which content to distrust. */
  instructions = '';
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly approve: AgentToolsOptions['approve'] | null;
  private readonly waiting = new Map<number, Waiting>();
  private readonly ended: Promise<void>;
  private isOver = false;
  private asked = 0;
  private errors = '';

  /** Starts the process, and reads its tools. */
  static async open(options: AgentToolsOptions): Promise<AgentTools> {
    requireOptions('openTools', options, TOOLS_OPTIONS);
    const { session, url, askAbove, policy, keys, approve } = options;
    const args = [
      'mcp',
      '--session',
      session,
      ...(url === undefined ? [] : ['--url', url]),
      ...(askAbove === undefined ? [] : ['--ask-above', askAbove]),
      ...(policy === undefined ? [] : ['--policy', policy]),
      ...(keys === undefined ? [] : ['--key-dir', keys]),
    ];
    const tools = new AgentTools(spawn(findNetd(options.netd), args), approve ?? null);
    try {
      await tools.begin();
    } catch (error) {
      await tools.stop();
      throw error;
    }
    return tools;
  }

  private constructor(
    child: ChildProcessWithoutNullStreams,
    approve: AgentToolsOptions['approve'] | null,
  ) {
    this.child = child;
    this.approve = approve;
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      this.errors = (this.errors + part).slice(-MOST_WORDS);
    });
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => this.take(line));
    this.ended = new Promise((resolve) => {
      const end = (why: string): void => {
        this.isOver = true;
        for (const { reject } of this.waiting.values())
          reject(new AgentToolsError(why, this.tools));
        this.waiting.clear();
        resolve();
      };
      child.once('close', () => end(`netd mcp has ended: ${this.errors.trim()}`));
      child.once('error', (error) => end(`netd mcp could not be started: ${error.message}`));
    });
  }

  private async begin(): Promise<void> {
    const capabilities = this.approve ? { elicitation: { form: {} } } : {};
    const clientInfo = { name: 'net-sdk', version: '1' };
    const params = { protocolVersion: PROTOCOL, capabilities, clientInfo };
    const { instructions } = await this.request('initialize', params);
    this.send({ method: 'notifications/initialized' });
    this.instructions = String(instructions);
    const { tools } = (await this.request('tools/list', {})) as unknown as { tools: AgentTool[] };
    this.tools = tools;
  }

  /**
   * Calls a tool. Returns text for the model, with foreign content marked. A refusal is an answer too.
   * @throws AgentToolsError if the session has no such tool, or the process has ended
   */
  async call(name: string, args: unknown = {}): Promise<string> {
    const names = this.tools.map((tool) => tool.name);
    if (!this.isOver && !names.includes(name)) {
      const hint = didYouMean(name, names);
      const has = `it has ${names.join(', ')}`;
      const why = `the session has no tool ${JSON.stringify(name)}${hint}; ${has}`;
      throw new AgentToolsError(why, this.tools, 'TOOL_UNKNOWN');
    }
    const { content } = await this.request('tools/call', { name, arguments: args });
    return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
  }

  /** Resolves when pending work is on disk and the process has ended. */
  async stop(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async request(method: string, params: object): Promise<Record<string, unknown>> {
    if (this.isOver) {
      throw new AgentToolsError(`netd mcp has ended: ${this.errors.trim()}`, this.tools);
    }
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  private send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  private take(line: string): void {
    const { id, method, params, result, error } = JSON.parse(line) as Message;
    if (method !== undefined) {
      if (id !== undefined) void this.answer(id, method, params?.message ?? '');
      return;
    }
    const waiting = this.waiting.get(Number(id));
    this.waiting.delete(Number(id));
    if (error) waiting?.reject(new AgentToolsError(error.message, this.tools));
    else waiting?.resolve(result ?? {});
  }

  private async answer(id: number | string, method: string, question: string): Promise<void> {
    if (method !== 'elicitation/create' || !this.approve) {
      this.send({ id, error: { code: -32601, message: `${method} is not answered here` } });
      return;
    }
    const isApproved = await Promise.resolve(question)
      .then(this.approve)
      .catch(() => false);
    const result = isApproved
      ? { action: 'accept', content: { approve: true } }
      : { action: 'decline' };
    this.send({ id, result });
  }
}
