/**
 * A passkey holds a secret for this page (WebAuthn's PRF extension). The secret only wraps the passphrase of
 * the sealed files in this browser. Passkeys are bound to a host name, and browsers never say why none
 * answered.
 */
import { useEffect, useState } from 'react';
import { openKeys, type KeyFile, type OpenedKeys } from './key-files.ts';
import type { KeptKeys, KeptPasskey } from './storage.ts';

export class PasskeyError extends Error {
  override name = 'PasskeyError';
}

/** Pads passphrases to this many bytes, to hide their length. */
const PADDED_TO = 128;
const SECRET_BYTES = 32;
/** Ed25519, ES256 and RS256 (COSE). WebAuthn requires a choice, but the signatures are not used. */
const ALGORITHMS = [-8, -7, -257];
/** Milliseconds that the person has to answer. */
const PATIENCE = 120_000;

const isAddress = (host: string): boolean => /^\[|^\d+(\.\d+){3}$/.test(host);

async function hasPasskeys(): Promise<boolean> {
  if (!isSecureContext || isAddress(location.hostname)) return false;
  const { PublicKeyCredential: known } = globalThis as {
    PublicKeyCredential?: typeof PublicKeyCredential;
  };
  try {
    const abilities = await known?.getClientCapabilities?.();
    return abilities?.['extension:prf'] === true;
  } catch {
    return false;
  }
}

export function useHasPasskeys(): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    void hasPasskeys().then(setHas);
  }, []);
  return has;
}

/** Returns an address at which passkeys work; null if there is none. */
export function addressWithPasskeys(): string | null {
  const { hostname, port, pathname } = location;
  if (hostname !== '[::1]' && !/^127(\.\d+){3}$/.test(hostname)) return null;
  return `http://localhost${port === '' ? '' : `:${port}`}${pathname}`;
}

/**
 * Makes a passkey and seals the passphrase with its secret.
 * @throws KeyFileError if the passphrase does not open the files, PasskeyError if there is no passkey
 */
export async function makePasskey(kept: KeptKeys, passphrase: string): Promise<KeptPasskey> {
  await openKeys(textsOf(kept.files), passphrase);
  const { hostname } = location;
  const credential = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { id: hostname, name: `netd at ${hostname}` },
        user: { id: random(), name: kept.actorId, displayName: kept.actorId },
        challenge: random(),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        timeout: PATIENCE,
        extensions: { prf: {} },
      },
    }),
  );
  const credentialId = new Uint8Array(credential.rawId);
  if (credential.getClientExtensionResults().prf?.enabled !== true) {
    await forgetPasskey(credentialId);
    throw new PasskeyError(
      'This passkey cannot store a secret for this page. Use another device or password manager, or keep typing the passphrase.',
    );
  }
  const salt = random();
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const secret = await secretOf({ credentialId, salt });
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: await boundTo(kept) },
    secret,
    padded(passphrase),
  );
  return { credentialId, salt, iv, wrapped: new Uint8Array(sealed) };
}

export async function openByPasskey(kept: KeptKeys, passkey: KeptPasskey): Promise<OpenedKeys> {
  const secret = await secretOf(passkey);
  const { iv, wrapped } = passkey;
  let passphrase: string;
  try {
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData: await boundTo(kept) },
      secret,
      wrapped,
    );
    passphrase = new TextDecoder().decode(opened).replace(/\0+$/, '');
  } catch (error) {
    throw new PasskeyError(
      'This passkey does not open these files. It is another passkey, or the files have changed since it was set up. Type the passphrase.',
      { cause: error },
    );
  }
  return openKeys(textsOf(kept.files), passphrase);
}

export async function forgetPasskey(credentialId: Uint8Array<ArrayBuffer>): Promise<void> {
  const { signalUnknownCredential } = PublicKeyCredential as {
    signalUnknownCredential?: (of: { rpId: string; credentialId: string }) => Promise<void>;
  };
  const of = { rpId: location.hostname, credentialId: base64Url(credentialId) };
  await signalUnknownCredential?.call(PublicKeyCredential, of).catch(() => {});
}

/**
 * Asks the person to use the passkey.
 * @returns a key that only unwraps the passphrase
 */
async function secretOf({
  credentialId,
  salt,
}: Pick<KeptPasskey, 'credentialId' | 'salt'>): Promise<CryptoKey> {
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: random(),
        rpId: location.hostname,
        allowCredentials: [{ type: 'public-key', id: credentialId }],
        userVerification: 'required',
        timeout: PATIENCE,
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const first = credential.getClientExtensionResults().prf?.results?.first;
  if (first === undefined || first.byteLength !== SECRET_BYTES) {
    throw new PasskeyError('The passkey gave no secret. Type the passphrase.');
  }
  return crypto.subtle.importKey('raw', first, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask();
    if (credential !== null) return credential as PublicKeyCredential;
  } catch (error) {
    // Browsers don't tell whether the person cancelled or the passkey is missing.
    throw new PasskeyError(
      'No passkey answered. You cancelled, or the passkey is no longer on this device. The passphrase works as before.',
      { cause: error },
    );
  }
  throw new PasskeyError('No passkey answered. The passphrase works as before.');
}

const textsOf = (files: readonly KeyFile[]): string[] => files.map(({ text }) => text);

/** Returns the data that binds the sealed passphrase to this agent, chain and files. */
async function boundTo({ id, files }: KeptKeys): Promise<ArrayBuffer> {
  const all = JSON.stringify(['netd-wallet-passkey/1', id, ...textsOf(files)]);
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(all));
}

function padded(passphrase: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(passphrase);
  const whole = new Uint8Array(Math.ceil((bytes.length + 1) / PADDED_TO) * PADDED_TO);
  whole.set(bytes);
  return whole;
}

const random = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
