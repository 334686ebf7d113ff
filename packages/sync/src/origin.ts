import {
  BlockHeader,
  compileSchema,
  encodeEnvelope,
  envelopeKind,
  FinalityCertificate,
  MAX_BLOCK_BYTES,
  MAX_CHECKPOINT_CHUNKS,
  readBounded,
  requireStrictValue,
  StrictJsonError,
  type Genesis,
  type JsonObject,
  type ValidatorSetChange,
} from '@netd/protocol';
import type { InvalidChainError, ReadEnvelope, WholeBlock } from '@netd/engine';
import { LongAnswerError } from './bounded-answer.ts';
import { NEVER_CONNECTED } from './origin-request.ts';
import { httpTransport, type Transport } from './transport.ts';
import type { Answer } from './answer.ts';

export class OriginUnavailableError extends Error {
  override name = 'OriginUnavailableError';
  /** HTTP status; null if the origin did not answer. */
  readonly status: number | null;
  /** Unusual behavior of a server at this address; null if there was none, or it was too slow. */
  readonly reason: string | null;

  constructor(message: string, options: { cause?: unknown; status?: number } = {}) {
    const reason = unusualReason(options.cause);
    super(
      reason === null ? message : `${message}: ${reason}`,
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.status = options.status ?? null;
    this.reason = reason;
  }
}

/** True if the failure may be temporary: no answer, or a busy server. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof OriginUnavailableError)) return false;
  return error.status === null || error.status === 429 || error.status > 500;
}

/** Bounds an origin's text, which is stored, logged and shown in /health. */
const MAX_SENTENCE = 500;

const sentence = (text: string): string =>
  text.length > MAX_SENTENCE ? `${text.slice(0, MAX_SENTENCE)}…` : text;

export class OriginFaultError extends Error {
  override name = 'OriginFaultError';

  constructor(message: string) {
    super(sentence(message));
  }
}

export const asOriginFault = ({ height, message }: InvalidChainError): OriginFaultError =>
  new OriginFaultError(`block ${height}: ${message}`);

const TIMEOUT_MILLISECONDS = 30_000;
const MAX_ANSWER_BYTES = 8 * MAX_BLOCK_BYTES;
/** Fits the envelopes with some 150 bytes around each, but no events. */
const MAX_BARE_ANSWER_BYTES = 2 * MAX_BLOCK_BYTES;
const RECEIVED_AROUND = 65_536;
const RECEIVED_FOR_VOTE = 1_024;
const RECEIVED_FOR_ENVELOPES = 8;
const RECEIVED_FOR_EVENT = 16_384;
const MAX_HEAD_BYTES = 262_144;
const MAX_GENESIS_BYTES = 8 * 1024 * 1024;
const MAX_CHANGES_BYTES = 32 * 1024 * 1024;
const MAX_CHECKPOINT_BYTES = 80 * MAX_CHECKPOINT_CHUNKS;

const headerViolations = compileSchema(BlockHeader);
const certificateViolations = compileSchema(FinalityCertificate);

/** Milliseconds, as claimed by the origin. */
export interface BlockTimes {
  blockTime: number;
  idleBlockTime: number;
}

export type ReceivedEvents = 'all' | 'none';

export interface OriginHead {
  height: number;
  blockHash: string;
}

interface ReceivedBlock {
  header: BlockHeader;
  certificate: FinalityCertificate;
  transitions: { index: number; kind: string; transitionHash: string; envelope: JsonObject }[];
  events: { id: string; type: string; transitionIndex: number; data: Record<string, unknown> }[];
}

export class Origin {
  readonly url: string;
  private readonly timeout: number;
  private readonly transport: Transport;

  /**
   * @param url scheme, host and port
   * @param timeout milliseconds per answer
   */
  constructor(url: string, timeout = TIMEOUT_MILLISECONDS, transport: Transport = httpTransport) {
    this.url = url.replace(/\/+$/, '');
    this.timeout = timeout;
    this.transport = transport;
  }

  /** @throws OriginUnavailableError, OriginFaultError, as all methods */
  async head(signal?: AbortSignal): Promise<OriginHead> {
    const { height, blockHash: hash } = await this.get<{ height: unknown; blockHash: unknown }>(
      '/v1/network',
      signal,
      MAX_HEAD_BYTES,
    );
    if (!isHeight(height)) {
      throw new OriginFaultError(`the node says height ${JSON.stringify(height)}, which is none`);
    }
    if (typeof hash !== 'string') throw new OriginFaultError('the node names no block hash');
    return { height, blockHash: hash };
  }

  async blockTimes(signal?: AbortSignal): Promise<BlockTimes> {
    const received = await this.get<Record<string, unknown>>('/v1/network', signal, MAX_HEAD_BYTES);
    const { blockTimeMs, idleBlockTimeMs } = received;
    if (!isHeight(blockTimeMs) || !isHeight(idleBlockTimeMs)) {
      throw new OriginFaultError('the node does not say how often there is a block');
    }
    return { blockTime: blockTimeMs, idleBlockTime: idleBlockTimeMs };
  }

  async genesis(signal?: AbortSignal): Promise<Genesis> {
    return this.get<Genesis>('/v1/genesis', signal, MAX_GENESIS_BYTES);
  }

  /** @param height the newest checkpoint at or below it; default: the newest of all */
  async checkpoint(height?: number, signal?: AbortSignal): Promise<unknown> {
    const query = height === undefined ? '' : `?height=${height}`;
    return this.get(`/v1/state/checkpoint${query}`, signal, MAX_CHECKPOINT_BYTES);
  }

  /** Returns unverified changes. */
  async setChanges(
    after: number,
    signal?: AbortSignal,
  ): Promise<{ changes: ValidatorSetChange[]; next: number | null }> {
    const path = `/v1/consensus/validator-set/changes?after=${after}`;
    return this.get(path, signal, MAX_CHANGES_BYTES);
  }

  async block(height: number, signal?: AbortSignal): Promise<WholeBlock> {
    return readBlock(height, await this.blockText(height, signal));
  }

  /**
   * Returns the text of a block, which takes less memory than the block.
   * @param events `none` omits them; older nodes send them all the same
   */
  async blockText(
    height: number,
    signal?: AbortSignal,
    events: ReceivedEvents = 'all',
  ): Promise<string> {
    const [query, maxBytes] =
      events === 'none' ? ['?events=none', MAX_BARE_ANSWER_BYTES] : ['', MAX_ANSWER_BYTES];
    return this.text(`/v1/blocks/${height}${query}`, signal, maxBytes);
  }

  async get<Document>(
    path: string,
    signal: AbortSignal | undefined,
    maxBytes: number,
  ): Promise<Document> {
    return documentIn(path, await this.text(path, signal, maxBytes)) as Document;
  }

  private async text(
    path: string,
    signal: AbortSignal | undefined,
    maxBytes: number,
  ): Promise<string> {
    let response: Answer;
    let text: string;
    try {
      const limits = { timeout: this.timeout, maxBytes };
      response = await this.transport.ask(this.url + path, { signal, ...limits });
      const bytes = await readBounded(response.body, maxBytes);
      if (bytes === null) throw new LongAnswerError(maxBytes);
      text = new TextDecoder().decode(bytes);
    } catch (cause) {
      if (!(cause instanceof LongAnswerError)) {
        throw new OriginUnavailableError(`no node answers at ${this.url}`, { cause });
      }
      const what = path.startsWith('/v1/blocks/') ? 'any block has' : 'it ought to';
      throw new OriginFaultError(`${path} answers more than ${what}`);
    }
    if (!response.ok) {
      throw new OriginUnavailableError(`${path} answers ${response.status}`, {
        status: response.status,
      });
    }
    return text;
  }
}

/**
 * Parses a block. Replay does not check the shape of envelopes again.
 * @throws OriginFaultError if the text is no block, or cannot have been signed or certified
 */
export function readBlock(height: number, text: string): WholeBlock {
  const received = documentIn(`/v1/blocks/${height}`, text) as ReceivedBlock;
  const { header, certificate, transitions, events } = received;
  const isHeaded = headerViolations(header) === null && certificateViolations(certificate) === null;
  if (!isHeaded || ![transitions, events].every(isListOfObjects)) {
    throw new OriginFaultError('the block is not of the shape it should have');
  }
  // Another height would look like a second certified block of this height.
  if (header.height !== height) {
    throw new OriginFaultError(`it answers block ${header.height} where ${height} is asked for`);
  }
  if (events.some(({ id }, index) => id !== `${height}.${index}`)) {
    throw new OriginFaultError('the events are under ids that are not their own');
  }
  try {
    requireStrictValue(header);
    requireStrictValue(certificate);
    const read = transitions.map(envelopeOf);
    const envelopes = read.reduce((sum, { encoded }) => sum + encoded.text.length, 0);
    const most =
      RECEIVED_AROUND +
      RECEIVED_FOR_VOTE * certificate.votes.length +
      RECEIVED_FOR_ENVELOPES * envelopes +
      RECEIVED_FOR_EVENT * events.length;
    if (text.length > most)
      throw new OriginFaultError('the block comes in far more bytes than it holds');
    return {
      header,
      certificate,
      transitions: read.map(({ encoded }) => encoded.text),
      read,
      events: events.map(({ type, transitionIndex, data }) => ({ type, transitionIndex, data })),
    };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    // The block nests too deep or has a lone surrogate, so it cannot be certified.
    throw new OriginFaultError(`the block cannot be hashed: ${error.message}`);
  }
}

function envelopeOf(received: ReceivedBlock['transitions'][number], index: number): ReadEnvelope {
  const { envelope } = received;
  if (!isObject(envelope) || Array.isArray(envelope)) {
    throw new OriginFaultError(`transition ${index} is no object`);
  }
  requireStrictValue(envelope);
  const encoded = encodeEnvelope(envelope);
  const isItsOwn =
    received.index === index &&
    received.kind === envelopeKind(envelope) &&
    received.transitionHash === encoded.transitionHash;
  if (!isItsOwn) {
    throw new OriginFaultError(
      `transition ${index} has an index, kind or hash that is not its own`,
    );
  }
  return { envelope, encoded };
}

function documentIn(path: string, text: string): object {
  const document = parsed(text);
  if (!isObject(document)) throw new OriginFaultError(`${path} answers what is no JSON document`);
  return document;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const USUAL_CODES = new Set([...NEVER_CONNECTED, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ABORT_ERR']);

function unusualReason(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null;
  const { code, message } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' && !USUAL_CODES.has(code) ? sentence(message) : null;
}

const isHeight = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);
