/** Opens the agent when a tool first needs it. */
import { Agent, AgentError, NetClient, NetError, type SessionFile } from '@netd/sdk';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isHash } from '@netd/protocol';
import { defaultHome, networkOf } from '@netd/sdk/internal';
import { NO_POLICY, type Policy } from './policy.ts';
import { SignerError } from './signer-error.ts';
import { SpendingLog } from './spending-log.ts';

export interface SignerOptions {
  session: SessionFile;
  url: string;
  /** Unet that may be spent in all without asking. */
  askAbove: number;
  policy?: Policy;
  /** By default those that the network announces. */
  blobs?: readonly string[];
  /** The session's state is beside the key directory. */
  keys?: string;
  /** Must not use stdout, which belongs to the protocol. */
  note: (line: string) => void;
}

/** Milliseconds; below the minute that clients wait. */
const PATIENCE = 57_000;
const REACH_MILLISECONDS = 10_000;
/** After these errors the agent opens without memory. */
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
  /** By answer id. */
  readonly answered = new Map<string, string>();
  readonly policy: Policy;
  /** Hashes of calls. */
  readonly done = new Set<string>();
  /** Request ids. */
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
   * Stays within the client's timeout.
   * @throws AgentError NODE_UNREACHABLE if nothing was done, SESSION_ENDED and others if it cannot open;
   *   SignerError NODE_SILENT if it takes too long; what the work throws
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

  /** Null if the node does not answer. Then all tools are listed, and may refuse. */
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

  /** @throws AgentError MEMORY_OFF, or why the memory could not be opened */
  memoryOf(agent: Agent): Agent['memory'] {
    if (this.memoryError !== null) throw this.memoryError as Error;
    return agent.memory;
  }

  /**
   * Call it only while the agent is open, whose lock protects the log.
   * @throws SignerError SPENDING_UNREADABLE if the file is damaged
   */
  async spendingLog(): Promise<SpendingLog> {
    this.log ??= SpendingLog.open(`${this.state}.spending.jsonl`);
    try {
      return await this.log;
    } catch (error) {
      this.log = null;
      throw error;
    }
  }

  private get state(): string {
    const { chainId, actorId, sessionId } = this.session;
    const name = `${actorId}.${sessionId}`;
    const { pathOfSecret } = defaultHome(chainId, name, this.options.keys);
    const keys = dirname(pathOfSecret?.(name) ?? name);
    return join(keys, '..', '..', 'agents', chainId, name);
  }

  /** Flushes to disk and frees the session's lock. */
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
      // The next call retries.
      if (this.opening === opening) this.opening = null;
      throw error;
    }
  }

  private async open(): Promise<Agent> {
    const { session, url, blobs, keys, note } = this.options;
    const options = {
      url,
      genesisHash: await this.anchor(),
      log: note,
      // The beacon is the owner's decision.
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

  /**
   * Returns the genesis of this session's state; at first use the node's.
   * @throws AgentError CHAIN_REPLACED, STATE_INVALID, NODE_UNREACHABLE
   */
  private async anchor(): Promise<string> {
    const text = await readFile(join(this.state, 'genesis.json'), 'utf8').catch(
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return null;
      },
    );
    const bound = text === null ? null : genesisOf(text);
    try {
      return (await networkOf(this.url, REACH_MILLISECONDS, bound)).genesisHash;
    } catch (error) {
      if (!(error instanceof NetError) || error.code !== 'UNREACHABLE') throw error;
      throw new AgentError('NODE_UNREACHABLE', this.url, { cause: error });
    }
  }

  /** Call it before signing: a signed act would still execute when the node returns. */
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

function genesisOf(text: string): string {
  try {
    const { genesisHash } = JSON.parse(text) as { genesisHash?: unknown };
    if (isHash(genesisHash)) return genesisHash;
  } catch {
    // refused below
  }
  throw new AgentError('STATE_INVALID', 'genesis.json');
}

const isMemoryError = (error: Error): boolean =>
  MEMORY_ERRORS.has(String((error as { code?: unknown }).code)) || error.name === 'FormatError';

/** Throws `late` on timeout; the work itself continues. */
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
