/** Addresses that a follower recognizes as its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOthers } from './http-address.ts';

test('a follower may follow another node below another path of its own host', () => {
  const options = { host: '127.0.0.1', port: 8431, publicUrl: 'https://net.example/copy/' };
  requireOthers({ ...options, origins: ['https://net.example/net', 'https://net.example'] });
  for (const own of ['https://net.example/copy', 'http://localhost:8431']) {
    assert.throws(() => requireOthers({ ...options, origins: [own] }), /this follower itself/);
  }
});
