/**
 * HTTP Message Signatures (RFC 9421) as blobs use them: one fixed list of components, Ed25519. The service verifies with
 * a library; signing one fixed form takes no more than this, and runs in browsers.
 */
import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes, utf8Bytes } from '@netd/protocol';

/** Whose key signs, and how. */
export interface BlobSigner {
  /** The agent's id; for a session's key `<agent id>/<session id>`. */
  keyId: string;
  /** The 64 bytes of an Ed25519 signature. */
  sign: (bytes: Uint8Array) => Promise<Uint8Array> | Uint8Array;
}

export type SignedMethod = 'PUT' | 'DELETE';

/**
 * What a signature covers, in this order. The authority is among it, so that no service that was asked to delete something
 * can ask others to.
 */
export const SIGNED_COMPONENTS: Readonly<Record<SignedMethod, readonly string[]>> = {
  PUT: ['@method', '@authority', '@path', 'content-digest'],
  DELETE: ['@method', '@authority', '@path'],
};

/** Seconds that a signature is valid for at most. */
export const MAX_SIGNATURE_AGE = 300;
/** Seconds by which the clocks of signer and service may differ. */
export const CLOCK_TOLERANCE = 30;

/**
 * Compares this machine's clock with the clock that dated an answer.
 * @param date the Date header; null if there is none, as in pages of another origin
 * @returns how far the clock is off, in words; null while a service accepts what is signed by it
 */
export function clockFault(date: string | null, now: number): string | null {
  const ahead = Math.round((now - Date.parse(date ?? '')) / 1_000);
  if (ahead > CLOCK_TOLERANCE) return `${ahead} s ahead`;
  if (ahead < -(MAX_SIGNATURE_AGE + CLOCK_TOLERANCE)) return `${-ahead} s behind`;
  return null;
}

export const blobPath = (hash: string): string => `/blobs/${hash}`;

/** The Content-Digest (RFC 9530) of bytes whose SHA-256 this is. */
export function contentDigest(hash: string): string {
  return `sha-256=:${bytesToBase64(hexToBytes(hash))}:`;
}

/** The SHA-256 in a Content-Digest that holds nothing else; null where it is not one. */
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
  /** Host and port as the Host header says them: the port is left out where it is the scheme's own. */
  authority: string;
  hash: string;
  /** Seconds since 1970. */
  created: number;
  /** Used once. */
  nonce: string;
}

/** The headers that make a request one of the signer's. */
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
