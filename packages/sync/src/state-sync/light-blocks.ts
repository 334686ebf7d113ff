/** Answers CometBFT's light client, which verifies each answer, from another node's HTTP interface. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { readBounded } from '@netd/protocol';
import { sleep, type Clock } from '@netd/engine';
import type { LightBlock } from '@netd/engine/cometbft';
import { OriginUnavailableError, type Origin } from '../origin.ts';

const MAX_REQUEST_BYTES = 65_536;
const MAX_LIGHT_BLOCK_BYTES = 4 * 1024 * 1024;
const LOOKS = 12;
const LOOK_MILLISECONDS = 1_000;
const KEPT = 64;

interface Asked {
  id: unknown;
  method?: string;
  params?: { height?: string };
}

export class LightBlocks {
  private readonly origin: Origin;
  private readonly clock: Clock;
  private readonly end = new AbortController();
  private readonly server: Server;
  private readonly kept = new Map<number, Promise<LightBlock>>();

  private constructor(origin: Origin, clock: Clock) {
    this.origin = origin;
    this.clock = clock;
    this.server = createServer((request, response) => {
      void this.answer(request).then(
        (text) => response.setHeader('content-type', 'application/json').end(text),
        () => response.writeHead(400).end(),
      );
    });
  }

  static async listen(path: string, origin: Origin, clock: Clock): Promise<LightBlocks> {
    const blocks = new LightBlocks(origin, clock);
    await new Promise<void>((resolve, reject) => {
      blocks.server.once('error', reject);
      blocks.server.listen(path, resolve);
    });
    return blocks;
  }

  async close(): Promise<void> {
    this.end.abort();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage): Promise<string> {
    const { id, method = '', params } = await read(request);
    const reply = (answer: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    const fail = (data: string): string =>
      reply({ error: { code: -32_603, message: 'Internal error', data } });
    const height = Number(params?.height ?? 0);
    if (!Number.isSafeInteger(height) || height < 1) return fail('a height is needed');
    let block: LightBlock;
    try {
      block = await this.at(height);
    } catch (error) {
      // CometBFT recognizes this text for a future height.
      const isAbsent = error instanceof OriginUnavailableError && error.status === 404;
      return fail(
        isAbsent
          ? `height ${height} must be less than or equal to the current blockchain height ${height - 1}`
          : (error as Error).message,
      );
    }
    const { signedHeader, validators, consensusParams } = block;
    const blockHeight = String(height);
    switch (method) {
      case 'commit':
        return reply({ result: { signed_header: signedHeader, canonical: true } });
      case 'validators': {
        const count = String(validators.length);
        return reply({ result: { block_height: blockHeight, validators, count, total: count } });
      }
      case 'consensus_params':
        return reply({ result: { block_height: blockHeight, consensus_params: consensusParams } });
      default:
        return fail(`${method} is not told here`);
    }
  }

  private at(height: number): Promise<LightBlock> {
    const kept = this.kept.get(height);
    if (kept) return kept;
    const asked = this.fetch(height);
    asked.catch(() => this.kept.delete(height));
    this.kept.set(height, asked);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value ?? height);
    return asked;
  }

  private async fetch(height: number): Promise<LightBlock> {
    const { signal } = this.end;
    for (let look = 1; ; look++) {
      try {
        return await this.origin.get<LightBlock>(
          `/v1/consensus/engine-blocks/${height}`,
          signal,
          MAX_LIGHT_BLOCK_BYTES,
        );
      } catch (error) {
        const isYetToCome = error instanceof OriginUnavailableError && error.status === 404;
        if (!isYetToCome || look === LOOKS) throw error;
      }
      await sleep(this.clock, LOOK_MILLISECONDS, signal);
      signal.throwIfAborted();
    }
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const body = await readBounded(request as AsyncIterable<Buffer>, MAX_REQUEST_BYTES);
  if (body === null) throw new Error('the request is too long');
  return JSON.parse(new TextDecoder().decode(body)) as Asked;
}
