/** A reader thread that dies during some reads, like a crash inside the database. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { throughGate } from '@netd/engine';
import type { ReaderData, ReadRequest } from '@netd/server/testing';

const port = parentPort as MessagePort;
const listen = port.on.bind(port);
port.on = ((event: 'message', listener: (request: ReadRequest | null) => void) =>
  listen(event, (request: ReadRequest | null) => {
    const { deadlyFor } = (request?.parameters ?? {}) as { deadlyFor?: Int32Array };
    if (deadlyFor && Atomics.sub(deadlyFor, 0, 1) > 0) {
      throughGate((workerData as ReaderData).gate, () => process.exit(1));
    }
    listener(request);
  })) as typeof port.on;
await import('@netd/server/reader-worker');
