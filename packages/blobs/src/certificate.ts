/** A certificate for loopback, because the chain requires https URIs. */
import { createHash, webcrypto, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LoopbackCertificate {
  /** PEM. */
  key: string;
  cert: string;
  /** SHA-256, 64 lowercase hex digits, for clients to pin. */
  fingerprint: string;
}

const YEARS = 10;
const DAY_MILLISECONDS = 86_400_000;

/** Returns the stored certificate, or a new one if it is missing or expires within a day. */
export async function ensureCertificate(folder: string, now: number): Promise<LoopbackCertificate> {
  const path = join(folder, 'loopback.pem');
  const known = read(path, now);
  if (known) return known;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, await make(now), { mode: 0o600, flush: true });
  renameSync(draft, path);
  const made = read(path, now);
  if (!made) throw new Error(`${path} cannot be read back`);
  return made;
}

function read(path: string, now: number): LoopbackCertificate | null {
  try {
    const text = readFileSync(path, 'utf8');
    const [key = '', cert = ''] =
      text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n?/g) ?? [];
    const certificate = new X509Certificate(cert);
    if (Date.parse(certificate.validTo) < now + DAY_MILLISECONDS) return null;
    return { key, cert, fingerprint: createHash('sha256').update(certificate.raw).digest('hex') };
  } catch {
    return null;
  }
}

async function make(now: number): Promise<string> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as never);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=netd blobs on this machine',
    notBefore: new Date(now - DAY_MILLISECONDS),
    notAfter: new Date(now + YEARS * 365 * DAY_MILLISECONDS),
    signingAlgorithm: algorithm,
    keys: keys as never,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const base64 = pkcs8.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n${certificate.toString('pem')}\n`;
}
