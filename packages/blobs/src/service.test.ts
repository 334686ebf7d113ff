import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { sha256Hex, utf8Bytes } from '@netd/protocol';
import { Catalogue } from './catalogue.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { BlobService } from './service.ts';
import { DiskStorage } from './storage/disk.ts';

/** A disk whose removals are slow. */
class SlowDisk extends DiskStorage {
  readonly asked = Promise.withResolvers<void>();
  readonly goOn = Promise.withResolvers<void>();

  override async remove(hash: string): Promise<void> {
    this.asked.resolve();
    await this.goOn.promise;
    await super.remove(hash);
  }
}

test('an upload waits for the removal of the same bytes, or its file would go with them', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-service-'));
  const catalogue = Catalogue.open(join(home, 'catalogue'), DEFAULT_LIMITS);
  t.after(async () => {
    await catalogue.close();
    rmSync(home, { recursive: true, force: true });
  });
  mkdirSync(join(home, 'blobs'));
  const storage = new SlowDisk(join(home, 'blobs'));
  const service = await BlobService.start({
    catalogue,
    storage,
    limits: DEFAULT_LIMITS,
    work: {
      hasWork: () => Promise.resolve(false),
      hasPaidName: () => Promise.resolve(true),
    },
    incoming: join(home, 'incoming'),
    now: Date.now,
    reach: () => {},
  });
  const bytes = utf8Bytes('the same bytes');
  const hash = sha256Hex(bytes);
  const signature = (nonce: string) => ({ keyId: 'ada', nonce, expires: 4_000_000_000 });
  const put = (nonce: string) =>
    service.put(
      hash,
      bytes.length,
      { body: Readable.from([Buffer.from(bytes)]), share: '127.0.0.1' },
      signature(nonce),
    );
  await put('1');
  const removal = service.remove(hash, signature('2'));
  await storage.asked.promise;
  const upload = put('3');
  // Enough time to overtake the removal, if nothing prevented it.
  const overtaken = await Promise.race([
    upload,
    new Promise((resolve) => setTimeout(resolve, 300, 'waits')),
  ]);
  assert.equal(overtaken, 'waits');
  storage.goOn.resolve();
  await removal;
  assert.equal(await upload, 'created');
  assert.ok(await storage.read(hash, { first: 0, last: 1 }).then((body) => body?.destroy()));
});

test('a start removes what is left of uploads, and no other file', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-service-'));
  const catalogue = Catalogue.open(join(home, 'catalogue'), DEFAULT_LIMITS);
  t.after(async () => {
    await catalogue.close();
    rmSync(home, { recursive: true, force: true });
  });
  const incoming = join(home, 'incoming');
  mkdirSync(incoming);
  writeFileSync(join(incoming, randomUUID()), 'half an upload');
  writeFileSync(join(incoming, 'invoice.pdf'), 'an invoice');
  const storage = new DiskStorage(join(home, 'blobs'));
  const limits = DEFAULT_LIMITS;
  const work = {
    hasWork: () => Promise.resolve(false),
    hasPaidName: () => Promise.resolve(true),
  };
  const parts = { catalogue, storage, limits, work, incoming, now: Date.now, reach: () => {} };
  await BlobService.start(parts);
  assert.deepEqual(readdirSync(incoming), ['invoice.pdf']);
});
