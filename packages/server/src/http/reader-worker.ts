import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { ApiError, type ApiErrorData, type Gate, Store, throughGate } from '@netd/engine';
import type { ErrorCode } from '@netd/protocol';
import { encodeContent, type EncodedContent } from './encoded-document.ts';
import { renderQuery } from './read-query.ts';

export interface ReaderData {
  path: string;
  gate: Gate;
}

export interface ReadRequest {
  name: string;
  parameters: Readonly<Record<string, unknown>>;
  height: number;
}

export type ReadAnswer =
  | { status: 'made'; height: number; content: EncodedContent }
  | { status: 'refused'; code: ErrorCode; data: ApiErrorData }
  | { status: 'failed'; error: unknown };

const NICENESS = 10;

function answer(store: Store, request: ReadRequest): ReadAnswer {
  store.refresh();
  const snapshot = store.snapshot();
  try {
    const { height } = snapshot;
    if (height < request.height) throw new Error(`block ${request.height} is not to be seen yet`);
    return { status: 'made', height, content: encodeContent(renderQuery(snapshot, request)) };
  } catch (error) {
    if (!(error instanceof ApiError)) return { status: 'failed', error };
    return { status: 'refused', code: error.code, data: error.data };
  } finally {
    snapshot.close();
  }
}

if (parentPort) {
  const port = parentPort;
  const { path, gate } = workerData as ReaderData;
  // On other systems, the priority would apply to the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  const store = throughGate(gate, () => Store.open(path, { readOnly: true }));
  port.on('message', (request: ReadRequest | null) => {
    if (request === null) {
      port.close();
      void throughGate(gate, () => store?.close());
      return;
    }
    const answered = throughGate(gate, () => store && answer(store, request));
    if (!answered) return;
    port.postMessage(
      answered,
      answered.status === 'made' ? [answered.content.bytes.buffer as ArrayBuffer] : [],
    );
  });
}
