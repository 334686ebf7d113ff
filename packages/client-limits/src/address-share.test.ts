import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressKeys, AddressShares, rateLimitKey } from './address-share.ts';

test('limits count an IPv4 host, and an IPv6 /64', () => {
  for (const [address, share] of [
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000::5', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1', 'fe80:0:0:0::/64'],
    ['192.0.2.7:50123', '192.0.2.7'],
    ['192.0.2.7:50124', '192.0.2.7'],
    ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['[unknown]:1', '[unknown]:1'],
  ]) {
    assert.equal(rateLimitKey(String(address)), share, address);
  }
});

test('a /48 counts as one from the ninth /64 that asks within ten minutes on, and as many again later', () => {
  let now = 0;
  const keys = new AddressKeys(() => now);
  const of = (host: number): string => keys.of(`2001:db8:7:${host.toString(16)}::1`);
  for (let host = 0; host < 8; host++) assert.equal(of(host), `2001:db8:7:${host}::/64`);
  assert.equal(of(8), '2001:db8:7::/48');
  assert.equal(of(0), '2001:db8:7::/48', 'one of the first, too');
  for (let host = 100; host < 65_536; host += 1_000) assert.equal(of(host), '2001:db8:7::/48');
  assert.equal(keys.of('2001:db8:8:1::1'), '2001:db8:8:1::/64', 'the neighbour is another');
  assert.equal(keys.of('192.0.2.1'), '192.0.2.1');
  now += 600_000;
  assert.equal(of(3), '2001:db8:7:3::/64');
});

test('counts what hosts hold towards their network', () => {
  const shares = new AddressShares();
  for (let host = 0; host < 8; host++) {
    for (let i = 0; i < 2; i++) shares.add(`2001:db8:7:${host}::/64`);
  }
  assert.equal(shares.of('2001:db8:7::/48'), 16);
  assert.ok(shares.isFull('2001:db8:7:0::/64', 2));
  assert.ok(shares.isFull('2001:db8:7:9::/64', 2), 'another host of it');
  assert.ok(!shares.isFull('2001:db8:8:9::/64', 2));
  shares.remove('2001:db8:7:0::/64');
  assert.equal(shares.of('2001:db8:7::/48'), 15);
  assert.ok(!shares.isFull('2001:db8:7:9::/64', 2));
});
