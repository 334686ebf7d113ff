import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTrustProxy, proxyTest } from './trust-proxy.ts';

test('proxies are counted, or named by address, range or kind', () => {
  assert.equal(parseTrustProxy('1'), 1);
  assert.equal(parseTrustProxy('16'), 16);
  assert.deepEqual(parseTrustProxy('loopback'), ['loopback']);
  assert.deepEqual(parseTrustProxy('10.0.0.0/8, 2001:db8::7'), ['10.0.0.0/8', '2001:db8::7']);
  const wrong = ['', '0', '17', '-1', '1.5', 'yes', 'https://a', '10.0.0.0/33', '10.0.0.0/8,'];
  for (const text of [...wrong, '0.0.0.0/0', '::/0']) {
    assert.throws(() => parseTrustProxy(text), TypeError, text);
  }
});

test('trusts a peer only if it is a named proxy', () => {
  const named = proxyTest(['10.0.0.0/8', '192.0.2.7']);
  for (const [address, believed] of [
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['127.0.0.1', false],
    ['no address', false],
  ] as const) {
    assert.equal(named(address, 0), believed, address);
    assert.equal(named(address, 3), believed, address);
    assert.equal(proxyTest(undefined)(address, 0), false);
  }
});

test('a number of proxies is believed no further, and never of a peer that is far away', () => {
  const two = proxyTest(2);
  for (const near of [
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '192.168.7.7',
    'fd00::1',
    '::ffff:172.16.0.1',
  ])
    assert.equal(two(near, 0), true, near);
  assert.equal(two('203.0.113.7', 1), true);
  assert.equal(two('203.0.113.7', 2), false);
  assert.equal(two('127.0.0.1', 2), false);
  for (const far of ['203.0.113.7', '2001:db8::1', '']) assert.equal(two(far, 0), false, far);
});
