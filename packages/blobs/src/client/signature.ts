/** Signs requests by RFC 9421 in one form: fixed components, Ed25519. Runs in browsers. */
import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes, utf8Bytes } from '@netd/protocol';

export interface BlobSigner {
  /** `<agent id>` or, for a session's key, `<agent id>/<session id>`. */
  keyId: string;
  /** Returns an Ed25519 signature, 64 bytes. */
  sign: (bytes: Uint8Array) => Promise<Uint8Array> | Uint8Array;
}

export type SignedMethod = 'PUT' | 'DELETE';

/** The components in order. The authority prevents a replay at other services. */
export const SIGNED_COMPONENTS: Readonly<Record<SignedMethod, readonly string[]>> = {
  PUT: ['@method', '@authority', '@path', 'content-digest'],
  DELETE: ['@method', '@authority', '@path'],
};

export const MAX_SIGNATURE_AGE = 300;
/** Seconds between the clocks of signer and service. */
export const CLOCK_TOLERANCE = 30;

/**
 * @param date of the header, or null
 * @returns the clock's error in words; null if a service accepts its signatures
 */
export function clockFault(date: string | null, now: number): string | null {
  const ahead = Math.round((now - Date.parse(date ?? '')) / 1_000);
  if (ahead > CLOCK_TOLERANCE) return `${ahead} s ahead`;
  if (ahead < -(MAX_SIGNATURE_AGE + CLOCK_TOLERANCE)) return `${-ahead} s behind`;
  return null;
}

export const blobPath = (hash: string): string => `/blobs/${hash}`;

export function contentDigest(hash: string): string {
  return `sha-256=:${bytesToBase64(hexToBytes(hash))}:`;
}

/** Returns null if the header is not a single SHA-256. */
export function hashOfDigest(header: string): string | null {
  const base64 = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(header)?.[1];
  if (base64 === undefined) return null;
  try {
    return bytesToHex(base64ToBytes(base64));
  } catch {
    return null;
  }
}

export interface RequestToSign {
  method: SignedMethod;
  /** Host header, without the scheme's default port. */
  authority: string;
  hash: string;
  /** Seconds since 1970. */
  created: number;
  nonce: string;
}

export async function signRequest(
  signer: BlobSigner,
  { method, authority, hash, created, nonce }: RequestToSign,
): Promise<Record<string, string>> {
  const digest = contentDigest(hash);
  const values: Record<string, string> = {
    '@method': method,
    '@authority': authority,
    '@path': blobPath(hash),
    'content-digest': digest,
  };
  const components = SIGNED_COMPONENTS[method];
  const list = components.map((name) => `"${name}"`).join(' ');
  const expires = created + MAX_SIGNATURE_AGE;
  const parameters = `(${list});created=${created};expires=${expires};nonce="${nonce}";keyid="${signer.keyId}";alg="ed25519"`;
  const lines = components.map((name) => `"${name}": ${values[name]}`);
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n');
  const signature = bytesToBase64(await signer.sign(utf8Bytes(base)));
  return {
    ...(method === 'PUT' ? { 'content-digest': digest } : {}),
    'signature-input': `sig=${parameters}`,
    signature: `sig=:${signature}:`,
  };
}
