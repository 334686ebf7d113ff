/** Verifies RFC 9421 signatures in the only form that docs/formats.md allows. */
import { verifySignature } from '@netd/protocol';
import { httpbis } from 'http-message-signatures';
import { isInnerList, parseDictionary, type InnerList } from 'structured-headers';
import type { UsedSignature } from './catalogue.ts';
import {
  CLOCK_TOLERANCE,
  MAX_SIGNATURE_AGE,
  SIGNED_COMPONENTS,
  type SignedMethod,
} from './client/signature.ts';
import { BlobError } from './errors.ts';
import type { KeyDirectory } from './key-directory.ts';

export interface SignedHttpRequest {
  method: SignedMethod;
  path: string;
  headers: Record<string, string | string[] | undefined>;
}

export interface AuthenticateOptions {
  keys: KeyDirectory;
  share: string;
  /** Returns true if a Host header names this service. */
  isOwnAuthority: (authority: string) => boolean;
  /** Milliseconds since 1970. */
  now: number;
}

const ANY_TIME = 1e12;
/** `<agent id>` or `<agent id>/<session id>`. */
const KEY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}(\/[A-Za-z0-9][A-Za-z0-9._:-]{0,127})?$/;
const NONCE = /^[A-Za-z0-9_-]{8,64}$/;
const PARAMETERS = ['alg', 'created', 'expires', 'keyid', 'nonce'];

export async function authenticate(
  request: SignedHttpRequest,
  { keys, share, isOwnAuthority, now }: AuthenticateOptions,
): Promise<UsedSignature> {
  const { headers, method, path } = request;
  const input = headers['signature-input'];
  const signature = headers['signature'];
  if (input === undefined || signature === undefined) throw new BlobError('SIGNATURE_MISSING');
  // The library would verify any number of signatures over any components.
  const used = parametersOf(String(input), method);
  // A stolen session must not be able to delete an agent's memory.
  if (method === 'DELETE' && used.keyId.includes('/')) throw new BlobError('SESSION_CANNOT_DELETE');
  const seconds = Math.floor(now / 1_000);
  const lifetime = used.expires - used.created;
  const early = used.created > seconds + CLOCK_TOLERANCE;
  const late = used.expires < seconds - CLOCK_TOLERANCE;
  if (early || late || lifetime < 0 || lifetime > MAX_SIGNATURE_AGE) {
    throw new BlobError('SIGNATURE_EXPIRED');
  }
  const authority = String(headers['host'] ?? '').toLowerCase();
  if (!isOwnAuthority(authority)) throw new BlobError('AUTHORITY_MISMATCH');

  const values: Record<string, string> = {
    '@method': method,
    '@authority': authority,
    '@path': path,
  };
  const holds = async (key: Uint8Array): Promise<boolean> => {
    try {
      const verified = await httpbis.verifyMessage(
        {
          keyLookup: async () => ({
            algs: ['ed25519'],
            verify: async (data, bytes) => verifySignature(key, data, bytes),
          }),
          notAfter: Number.MAX_SAFE_INTEGER,
          tolerance: ANY_TIME,
          // A URL parser would change these values.
          componentParser: (name) => (values[name] === undefined ? null : [values[name]]),
        },
        { method, url: 'http://unused.invalid/', headers: definedHeaders(headers) },
      );
      return verified === true;
    } catch {
      return false;
    }
  };

  const known = await keys.keyOf(used.keyId, share);
  if (known.key && (await holds(known.key))) return used;
  // The signer's key may be newer than the cache.
  const { key } = known.isNew ? known : await keys.keyOf(used.keyId, share, true);
  if (!key) throw new BlobError('SIGNER_UNKNOWN');
  if (known.isNew || !(await holds(key))) throw new BlobError('SIGNATURE_INVALID');
  return used;
}

function parametersOf(input: string, method: SignedMethod): UsedSignature & { created: number } {
  const list = onlyMember(input);
  if (list) {
    const [items, parameters] = list;
    const names = items.map(([name, own]) => (own.size === 0 ? name : null));
    const expected = SIGNED_COMPONENTS[method];
    const { created, expires, keyid, nonce, alg } = Object.fromEntries(parameters);
    if (
      names.length === expected.length &&
      names.every((name, i) => name === expected[i]) &&
      [...parameters.keys()].toSorted().join() === PARAMETERS.join() &&
      typeof created === 'number' &&
      typeof expires === 'number' &&
      typeof keyid === 'string' &&
      KEY_ID.test(keyid) &&
      typeof nonce === 'string' &&
      NONCE.test(nonce) &&
      alg === 'ed25519'
    ) {
      return { keyId: keyid, nonce, expires, created };
    }
  }
  throw new BlobError('SIGNATURE_INVALID');
}

function onlyMember(input: string): InnerList | null {
  try {
    const [first, ...others] = parseDictionary(input).values();
    return first && others.length === 0 && isInnerList(first) ? first : null;
  } catch {
    return null;
  }
}

function definedHeaders(headers: SignedHttpRequest['headers']): Record<string, string | string[]> {
  const entries = Object.entries(headers);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  );
}
