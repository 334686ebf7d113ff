/** Holds the session, and opens the agent when a tool first needs it. */
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
  /** Unet that may be spent in total without the owner's approval. */
  askAbove: number;
  policy?: Policy;
  blobs?: readonly string[];
  /** Key directory. The session's state is stored next to it. */
  keys?: string;
  /** Must not write to stdout, which carries the protocol. */
  note: (line: string) => void;
}

/** Milliseconds that a call may take. Clients usually wait a minute. */
const PATIENCE = 57_000;
const REACH_MILLISECONDS = 10_000;
/** The agent opens without memory after these errors. */
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
  /** Texts of answers that this process sent, by message id. */
  readonly answered = new Map<string, string>();
  readonly policy: Policy;
  readonly done = new Set<string>();
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
   * Runs the work within the client's timeout.
   * @throws AgentError NODE_UNREACHABLE if nothing was done, SESSION_ENDED and others if the agent cannot
   * open; SignerError NODE_SILENT on timeout; the work's errors
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

  /** Returns the session's actions; null if the node does not answer. Then all tools are listed. */
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

  memoryOf(agent: Agent): Agent['memory'] {
    if (this.memoryError !== null) throw this.memoryError as Error;
    return agent.memory;
  }

  /**
   * Call it only while the agent is open, because the agent's lock protects the log.
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
      // Only the owner decides about the beacon.
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
   * Returns the hash of the genesis that this session is bound to; at first use, the node's.
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

  /** Call it before signing, because a signed request would still execute when the node returns. */
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
  } catch {}
  throw new AgentError('STATE_INVALID', 'genesis.json');
}

const isMemoryError = (error: Error): boolean =>
  MEMORY_ERRORS.has(String((error as { code?: unknown }).code)) || error.name === 'FormatError';

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
