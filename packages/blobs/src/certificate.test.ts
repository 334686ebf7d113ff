import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureCertificate } from './certificate.ts';

test('a certificate is made once, for this machine only, and again when it ends or is broken', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'netd-tls-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const now = Date.parse('2026-01-01T00:00:00Z');
  const first = await ensureCertificate(folder, now);
  const certificate = new X509Certificate(first.cert);
  for (const name of ['127.0.0.1', '::1']) assert.equal(certificate.checkIP(name), name);
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkHost('blobs.example'), undefined);
  assert.equal(certificate.fingerprint256.replaceAll(':', '').toLowerCase(), first.fingerprint);
  assert.equal(statSync(join(folder, 'loopback.pem')).mode & 0o777, 0o600);
  assert.deepEqual(await ensureCertificate(folder, now + 1), first);
  const later = await ensureCertificate(folder, now + 11 * 365 * 86_400_000);
  assert.notEqual(later.fingerprint, first.fingerprint);
  writeFileSync(join(folder, 'loopback.pem'), 'x');
  assert.notEqual((await ensureCertificate(folder, now)).fingerprint, later.fingerprint);
});
