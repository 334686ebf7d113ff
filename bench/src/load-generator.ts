/**
 * A load generator for a process of its own: keep-alive connections, one request at a time on each, prepared bytes.
 * Reads `{port, connections, path}` as its first line and one request body per further line (none: GET); answers one
 * JSON line with the rate.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

interface Order {
  port: number;
  path: string;
  connections: number;
  /** For GET: how many requests in all. */
  requests?: number;
}

async function main(): Promise<void> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: process.stdin })) lines.push(line);
  const order = JSON.parse(lines.shift() ?? '{}') as Order;
  const requests = lines.map((body) => postOf(order.path, body));
  const total = order.requests ?? requests.length;
  const get = Buffer.from(`GET ${order.path} HTTP/1.1\r\nhost: bench\r\n\r\n`);
  let next = 0;
  let failed = 0;
  const take = (): Buffer | null => {
    if (next >= total) return null;
    const request = requests[next] ?? get;
    next++;
    return request;
  };
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: order.connections }, () =>
      runConnection(order.port, take, (status) => {
        if (status !== 200 && status !== 201) failed++;
      }),
    ),
  );
  const elapsed = (performance.now() - startedAt) / 1_000;
  console.log(JSON.stringify({ rate: (total - failed) / elapsed, failed }));
}

function postOf(path: string, body: string): Buffer {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function runConnection(
  port: number,
  take: () => Buffer | null,
  onAnswer: (status: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let buffered = '';
    const sendNext = (): void => {
      const request = take();
      if (request) {
        socket.write(request);
      } else {
        socket.end();
        resolve();
      }
    };
    socket.once('connect', sendNext);
    socket.once('error', reject);
    socket.on('data', (part) => {
      buffered += part.toString('latin1');
      const head = buffered.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1] ?? 0);
      if (buffered.length < head + 4 + length) return;
      onAnswer(Number(buffered.slice(9, 12)));
      buffered = '';
      sendNext();
    });
  });
}

await main();
