import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { sha256Hex } from '@netd/protocol';
import { authenticate } from './authenticate.ts';
import { blobPath, signRequest } from './client/signature.ts';
import { KeyDirectory } from './key-directory.ts';
import { signerOf } from './testing/blob-floor.ts';

test('a node is asked once for a key that it does not know, and again by the next request', async (t) => {
  let asked = 0;
  const node = createServer((_, response) => {
    asked++;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  t.after(() => node.close());
  const keys = new KeyDirectory(`http://127.0.0.1:${(node.address() as AddressInfo).port}`);
  const hash = sha256Hex('blob');
  const now = 1_800_000_000_000;
  const send = async (nonce: string): Promise<unknown> => {
    const request = { method: 'PUT', authority: 'store.example', hash } as const;
    const signed = await signRequest(signerOf('stranger'), {
      ...request,
      created: now / 1_000,
      nonce,
    });
    return authenticate(
      {
        method: 'PUT',
        path: blobPath(hash),
        headers: { ...signed, host: request.authority },
      },
      { keys, share: '192.0.2.1', isOwnAuthority: () => true, now },
    );
  };
  await assert.rejects(send('first-one'), { code: 'SIGNER_UNKNOWN' });
  assert.equal(asked, 1);
  // The agent may have registered since.
  await assert.rejects(send('second-one'), { code: 'SIGNER_UNKNOWN' });
  assert.equal(asked, 2);
});
