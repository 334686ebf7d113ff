import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERROR_TABLE, type ErrorCode } from '@netd/protocol';
import type { Metrics } from '../metrics.ts';
import { COMMON_HEADERS } from './answer.ts';
import { makeProblem } from './problem.ts';

const RETRY_AFTER_SECONDS = 10;

export function refuseConnection(
  metrics: Metrics,
  response: ServerResponse,
  share: string,
  most: number,
): void {
  metrics.countRefusal('RATE_LIMITED');
  const message =
    `${share} has ${most} connections open, and may have no more: close some, or ask over those ` +
    `that are open; try again in ${RETRY_AFTER_SECONDS} s`;
  const body = JSON.stringify(makeProblem('RATE_LIMITED', randomUUID(), { message }));
  response
    .writeHead(ERROR_TABLE.RATE_LIMITED.status, {
      ...COMMON_HEADERS,
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
      'retry-after': String(RETRY_AFTER_SECONDS),
      connection: 'close',
    })
    .end(body);
}

export function answerClientError(
  metrics: Metrics,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Don't answer before an earlier request of the connection has its answer.
  const { _httpMessage: earlier } = socket as Socket & { _httpMessage?: ServerResponse };
  if (earlier?.req.complete === true) {
    earlier.once('finish', () => answerClientError(metrics, error, socket));
    return;
  }
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'HEADERS_TOO_LARGE'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'REQUEST_TIMEOUT'
        : 'REQUEST_INVALID';
  metrics.countRefusal(code);
  const { status, title } = ERROR_TABLE[code];
  const body = JSON.stringify(makeProblem(code, randomUUID()));
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
