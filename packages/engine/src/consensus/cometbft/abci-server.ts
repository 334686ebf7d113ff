/** ABCI 0.38 over a Unix socket with four connections. Only one request is handled at a time. */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { frameHead, FrameReader } from './frames.ts';
import { NO_SNAPSHOTS, type SnapshotCalls } from './snapshots.ts';
import {
  RequestSchema,
  ResponseSchema,
  type Request,
  type RequestCheckTx,
  type RequestFinalizeBlock,
  type RequestInfo,
  type RequestInitChain,
  type RequestPrepareProposal,
  type RequestProcessProposal,
  type ResponseCheckTxSchema,
  type ResponseCommitSchema,
  type ResponseFinalizeBlockSchema,
  type ResponseInfoSchema,
  type ResponseInitChainSchema,
  type ResponsePrepareProposalSchema,
  type ResponseProcessProposalSchema,
} from './wire/abci_pb.js';

type Answer<Schema extends Parameters<typeof create>[0]> =
  MessageInitShape<Schema> | Promise<MessageInitShape<Schema>>;

export interface AbciApplication {
  info(request: RequestInfo): Answer<typeof ResponseInfoSchema>;
  initChain(request: RequestInitChain): Answer<typeof ResponseInitChainSchema>;
  checkTx(request: RequestCheckTx): Answer<typeof ResponseCheckTxSchema>;
  prepareProposal(request: RequestPrepareProposal): Answer<typeof ResponsePrepareProposalSchema>;
  processProposal(request: RequestProcessProposal): Answer<typeof ResponseProcessProposalSchema>;
  finalizeBlock(request: RequestFinalizeBlock): Answer<typeof ResponseFinalizeBlockSchema>;
  commit(): Answer<typeof ResponseCommitSchema>;
  /** Announces the transactions of coming CheckTx calls. May overlap with other calls. */
  readAhead?(txs: readonly Uint8Array[]): Promise<void>;
}

export interface AbciEvents {
  /** Called after a failed request. CometBFT gets an exception and ends. */
  onFailure: (error: unknown, request: string) => void;
  onConnections?: (count: number) => void;
  /** Returns the reason to refuse the connection that the query is about; null to accept it. */
  onQuery?: (path: string) => Promise<string | null>;
}

type ResponseValue = NonNullable<MessageInitShape<typeof ResponseSchema>['value']>;

const REFUSED_QUERY = 1;

class RequestError extends Error {}

function requestIn(frame: Buffer): Request | RequestError {
  try {
    return fromBinary(RequestSchema, frame);
  } catch (error) {
    return new RequestError(error instanceof Error ? error.message : String(error));
  }
}

export class AbciServer {
  private readonly application: AbciApplication;
  private readonly events: AbciEvents;
  private readonly snapshots: SnapshotCalls;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private gate: Promise<unknown> = Promise.resolve();

  private constructor(application: AbciApplication, events: AbciEvents, snapshots: SnapshotCalls) {
    this.application = application;
    this.events = events;
    this.snapshots = snapshots;
    this.server = createServer((socket) => this.serve(socket));
  }

  /** @param path of the socket; a leftover one is replaced, so hold a lock on its directory */
  static async listen(
    path: string,
    application: AbciApplication,
    events: AbciEvents,
    snapshots = NO_SNAPSHOTS,
  ): Promise<AbciServer> {
    rmSync(path, { force: true });
    const abci = new AbciServer(application, events, snapshots);
    await new Promise<void>((resolve, reject) => {
      abci.server.once('error', reject);
      abci.server.listen(path, resolve);
    });
    // Any process that can connect could order blocks.
    chmodSync(path, 0o600);
    return abci;
  }

  /** Resolves after the current request. Later ones get no answer. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    await this.gate;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    this.events.onConnections?.(this.sockets.size);
    // A broken connection means that CometBFT has ended; its supervisor restarts it.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.events.onConnections?.(this.sockets.size);
    });
    const reader = new FrameReader();
    socket.on('data', (chunk: Buffer) => {
      let frames: Buffer[];
      try {
        frames = reader.push(chunk);
      } catch (error) {
        this.events.onFailure(error, 'frame');
        socket.destroy();
        return;
      }
      if (frames.length === 0) return;
      socket.pause();
      socket.cork();
      void this.answerAll(socket, frames).finally(() => {
        socket.uncork();
        socket.resume();
      });
    });
  }

  private async answerAll(socket: Socket, frames: readonly Buffer[]): Promise<void> {
    const requests = frames.map(requestIn);
    await this.readAhead(requests);
    for (const request of requests) {
      if (socket.destroyed) return;
      // A peer would be refused if its query waited for the block that is being executed.
      const isQuery = 'value' in request && request.value.case === 'query';
      const answer = isQuery ? this.answer(request) : this.gate.then(() => this.answer(request));
      if (!isQuery) this.gate = answer;
      const value = await answer;
      const bytes = toBinary(ResponseSchema, create(ResponseSchema, { value }));
      socket.write(frameHead(bytes.length));
      socket.write(bytes);
    }
  }

  private async readAhead(requests: readonly (Request | RequestError)[]): Promise<void> {
    const txs = requests.flatMap((request) =>
      'value' in request && request.value.case === 'checkTx' ? [request.value.value.tx] : [],
    );
    if (txs.length === 0) return;
    await this.application.readAhead?.(txs).catch(() => {});
  }

  private async answer(request: Request | RequestError): Promise<ResponseValue> {
    try {
      if (request instanceof RequestError) throw request;
      return await this.handle(request);
    } catch (error) {
      const name = 'value' in request ? request.value.case : undefined;
      this.events.onFailure(error, name ?? 'request');
      const text = error instanceof Error ? error.message : String(error);
      return { case: 'exception', value: { error: text } };
    }
  }

  private async queried(path: string): Promise<{ code: number; log: string }> {
    if (!path.startsWith('/p2p/filter/')) {
      return { code: REFUSED_QUERY, log: 'netd answers queries over HTTP' };
    }
    const refusal = (await this.events.onQuery?.(path)) ?? null;
    return refusal === null ? { code: 0, log: '' } : { code: REFUSED_QUERY, log: refusal };
  }

  private async handle({ value: request }: Request): Promise<ResponseValue> {
    const { application, snapshots } = this;
    switch (request.case) {
      case 'echo':
        return { case: 'echo', value: { message: request.value.message } };
      case 'flush':
        return { case: 'flush', value: {} };
      case 'info':
        return { case: 'info', value: await application.info(request.value) };
      case 'initChain':
        return { case: 'initChain', value: await application.initChain(request.value) };
      case 'checkTx':
        return { case: 'checkTx', value: await application.checkTx(request.value) };
      case 'prepareProposal':
        return { case: 'prepareProposal', value: await application.prepareProposal(request.value) };
      case 'processProposal':
        return { case: 'processProposal', value: await application.processProposal(request.value) };
      case 'finalizeBlock':
        return { case: 'finalizeBlock', value: await application.finalizeBlock(request.value) };
      case 'commit':
        return { case: 'commit', value: await application.commit() };
      case 'query':
        return { case: 'query', value: await this.queried(request.value.path) };
      case 'listSnapshots':
        return { case: 'listSnapshots', value: await snapshots.listSnapshots(request.value) };
      case 'offerSnapshot':
        return { case: 'offerSnapshot', value: await snapshots.offerSnapshot(request.value) };
      case 'loadSnapshotChunk':
        return {
          case: 'loadSnapshotChunk',
          value: await snapshots.loadSnapshotChunk(request.value),
        };
      case 'applySnapshotChunk':
        return {
          case: 'applySnapshotChunk',
          value: await snapshots.applySnapshotChunk(request.value),
        };
      default:
        throw new Error('a request of ABCI that netd does not know: it works with CometBFT 0.38');
    }
  }
}
