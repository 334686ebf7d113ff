/** Connects to the checked address of a stranger's name (against DNS rebinding). */
import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isPublicAddress, mayStrangerName } from '@netd/client-limits/strangers';
import { hostOf, type Way } from './way.ts';

interface Address {
  address: string;
  family: number;
}

export type Resolve = (host: string) => Promise<readonly Address[]>;

const RESOLVE_TIMEOUT = 5_000;
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * @returns null if a stranger may name none of its addresses, or it has none: the two must look alike
 * @throws Error if the name cannot be resolved now
 */
export async function wayToStranger(
  store: URL,
  node: URL,
  resolve: Resolve = resolveHost,
): Promise<Way | null> {
  const [found, near] = await Promise.all([
    resolve(hostOf(store)),
    resolve(hostOf(node)).catch(() => []),
  ]);
  const nodes = near.map(({ address }) => address);
  const allowed = found.filter(({ address }) => mayStrangerName(address, nodes));
  if (allowed.length === 0) return null;
  return {
    fetch: (url, init) => fetchAt(allowed, url, init),
    isHidden: !allowed.every(({ address }) => isPublicAddress(address)),
  };
}

async function resolveHost(host: string): Promise<readonly Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await bounded(lookup(host, { all: true }));
  } catch (error) {
    if (UNKNOWN_NAME.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

async function bounded<Result>(result: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, RESOLVE_TIMEOUT, new Error('its name is not resolved in time'));
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** Fetches from one of these addresses, without following redirects. */
export async function fetchAt(
  addresses: readonly Address[],
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> {
  const { protocol } = new URL(url);
  const options: RequestOptions = {
    method,
    headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
    agent: false,
    lookup: pinnedTo(addresses),
    ...(signal ? { signal } : {}),
  };
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    send(url, options, resolve)
      .once('error', reject)
      .end(body as Uint8Array | undefined);
  });
  const { statusCode: status = 0 } = message;
  const answered = new Headers();
  for (const [name, value] of Object.entries(message.headers)) answered.set(name, String(value));
  if (status !== 204 && status !== 205 && status !== 304) {
    return new Response(Readable.toWeb(message) as ReadableStream, { status, headers: answered });
  }
  message.resume();
  return new Response(null, { status, headers: answered });
}

const pinnedTo =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
