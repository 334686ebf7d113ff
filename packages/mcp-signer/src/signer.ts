/** The agent under its session, opened when a tool first needs it: without a node the tool is refused, and the server stays. */
import { Agent, AgentError, NetClient, NetError, type SessionFile } from '@netd/sdk';
import { dirname, join } from 'node:path';
import { defaultHome } from '@netd/sdk/internal';
import { NO_POLICY, type Policy } from './policy.ts';
import { SignerError } from './signer-error.ts';
import { SpendingLog } from './spending-log.ts';

export interface SignerOptions {
  session: SessionFile;
  /** Base address of the node. */
  url: string;
  /** Unet that may leave the account in all without asking the owner. */
  askAbove: number;
  /** Limits of the owner on what the session may do; by default there are none but those of the session. */
  policy?: Policy;
  /** Origins of netd blobs; without it those that the network announces. */
  blobs?: readonly string[];
  /** The directory of keys, beside which the state of the session is kept. */
  keys?: string;
  /** Whatever the owner should know; never stdout, which belongs to the protocol. */
  note: (line: string) => void;
}

/** Less than the minute that clients wait for a tool. */
const PATIENCE = 57_000;
const REACH_MILLISECONDS = 10_000;
/** Errors after which the agent is opened without its memory. */
const MEMORY_ERRORS = new Set([
  'MEMORY_FORKED',
  'MEMORY_UNKNOWN_GENERATION',
  'MEMORY_REPLICA_LOST',
  'STATE_INVALID',
]);

export class Signer {
  readonly session: SessionFile;
  readonly url: string;
  readonly askAbove: number;
  /** Results that this process has answered, by the id of the answer. */
  readonly answered = new Map<string, string>();
  readonly policy: Policy;
  /** Hashes of calls that spend and have succeeded. */
  readonly done = new Set<string>();
  /** Ids of requests that this process has paid. */
  readonly paid = new Set<string>();
  private readonly options: SignerOptions;
  private opening: Promise<Agent> | null = null;
  private log: Promise<SpendingLog> | null = null;
  private memoryError: unknown = null;

  constructor(options: SignerOptions) {
    this.options = options;
    this.session = options.session;
    this.url = options.url;
    this.askAbove = options.askAbove;
    this.policy = options.policy ?? NO_POLICY;
  }

  /**
   * Does something with the agent, within the time that a client waits.
   * @throws AgentError NODE_UNREACHABLE where nothing was done, SESSION_ENDED and what else opening throws; SignerError
   *   NODE_SILENT; what the work throws
   */
  async run<Result>(work: (agent: Agent) => Promise<Result>): Promise<Result> {
    const silent = new SignerError('NODE_SILENT');
    return within(
      PATIENCE,
      silent,
      (async () => {
        const agent = await this.agent();
        await this.requireReachable(agent);
        return work(agent);
      })(),
    );
  }

  /** Actions that the chain lets the session do; null where the node does not say: then every tool is listed, and may refuse. */
  async allowed(): Promise<ReadonlySet<string> | null> {
    const { actorId: agentId, sessionId } = this.session;
    const { url } = this;
    const client = new NetClient({ url, timeout: REACH_MILLISECONDS });
    try {
      const { sessions } = await client.read('/v1/agents/{agentId}', { agentId });
      const session = sessions.find((one) => one.sessionId === sessionId);
      return new Set(session?.actions);
    } catch {
      return null;
    }
  }

  /** @throws AgentError MEMORY_OFF, or why the memory could not be taken up */
  memoryOf(agent: Agent): Agent['memory'] {
    if (this.memoryError !== null) throw this.memoryError as Error;
    return agent.memory;
  }

  /** What was spent under this session; only while the agent is open, whose lock it shares. @throws SignerError SPENDING_UNREADABLE */
  async spendingLog(): Promise<SpendingLog> {
    const { chainId, actorId, sessionId } = this.session;
    const name = `${actorId}.${sessionId}`;
    const { pathOfSecret } = defaultHome(chainId, name, this.options.keys);
    const keys = dirname(pathOfSecret?.(name) ?? name);
    const path = join(keys, '..', '..', 'agents', chainId, `${name}.spending.jsonl`);
    this.log ??= SpendingLog.open(path);
    try {
      return await this.log;
    } catch (error) {
      this.log = null;
      throw error;
    }
  }

  /** Stops the agent: all that is under way is on disk then, and the lock of the session is free. */
  async close(): Promise<void> {
    const agent = await this.opening?.catch(() => null);
    await agent?.stop();
    await (await this.log)?.close();
  }

  private async agent(): Promise<Agent> {
    this.opening ??= this.open();
    const opening = this.opening;
    try {
      return await opening;
    } catch (error) {
      // The next call tries again: the node may be back, or the other process gone.
      if (this.opening === opening) this.opening = null;
      throw error;
    }
  }

  private async open(): Promise<Agent> {
    const { session, url, blobs, keys, note } = this.options;
    const options = {
      url,
      log: note,
      // What the agent says of itself is for its owner to decide.
      beacon: false,
      ...(blobs ? { blobs } : {}),
      ...(keys === undefined ? {} : { keys }),
    };
    try {
      return await Agent.openSession(session, options);
    } catch (error) {
      if (!(error instanceof Error) || !isMemoryError(error)) throw error;
      note(error.message);
      this.memoryError = error;
      return Agent.openSession(session, { ...options, memory: false });
    }
  }

  /** Called before anything is signed: an act for a node that is away would be done whenever that comes back. */
  private async requireReachable({ client }: Agent): Promise<void> {
    const unreachable = new AgentError('NODE_UNREACHABLE', `${client.url}; nothing was done`);
    try {
      await within(REACH_MILLISECONDS, unreachable, client.network());
    } catch (error) {
      const isAnswer = error instanceof NetError && error.code !== 'UNREACHABLE';
      if (error === unreachable || isAnswer) throw error;
      throw new AgentError('NODE_UNREACHABLE', `${client.url}; nothing was done`, { cause: error });
    }
  }
}

const isMemoryError = (error: Error): boolean =>
  MEMORY_ERRORS.has(String((error as { code?: unknown }).code)) || error.name === 'FormatError';

/** @throws late, where the work takes longer; the work itself goes on */
async function within<Result>(
  milliseconds: number,
  late: Error,
  work: Promise<Result>,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), milliseconds);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
