import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress, mayStrangerName } from './strangers.ts';

/** The Python client has the same list. */
const PUBLIC = [
  '1.1.1.1',
  '168.63.129.17',
  '192.0.1.1',
  '198.20.0.1',
  '2001:200::1',
  '2620:4f:8001::1',
  '::ffff:1.1.1.1',
  '64:ff9b::101:101',
  '2606:4700::1111',
];
const NEVER =
  `127.0.0.1 127.8.8.8 0.0.0.0 169.254.169.254 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1
  ::127.0.0.1 ::ffff:0:0 64:ff9b::7f00:1 64:ff9b::a00:1 fe80::1 fe80::1%eth0 ff02::1 ff0e::1 fec0::1 2002:7f00:1::
  192.0.0.9 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1
  198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 168.63.129.16 ::ffff:168.63.129.16 100.100.100.200 64:ff9b:1::1 100::1
  2001::1 2001:2::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2620:4f:8000::1 3fff::1 5f00::1 fd00:ec2::254 fd20:ce::254
  4000::1 2130706433 0x7f.1 0177.0.0.1 localhost blobs.example`.split(/\s+/);
const PRIVATE =
  '10.1.2.3 172.16.2.3 172.31.2.3 192.168.2.3 100.64.2.3 ::ffff:10.1.2.3 fc00::1 fd12::1:2:3:4'.split(
    ' ',
  );

test('a stranger may name public addresses', () => {
  for (const address of PUBLIC) {
    assert.ok(mayStrangerName(address, []), address);
    assert.ok(isPublicAddress(address), address);
  }
});

test('a stranger may not name this machine, private, local or reserved addresses', () => {
  const near = ['127.0.0.1', '::1', '169.254.0.1', '192.0.2.7', '1.1.1.1', 'nowhere'];
  const sameNetwork = ['100.100.100.1', 'fd00:ec2::1', 'fd20:ce::1'];
  for (const address of [...NEVER, ...PRIVATE]) {
    assert.ok(!mayStrangerName(address, near), address);
    assert.ok(!isPublicAddress(address), address);
  }
  for (const address of NEVER) assert.ok(!mayStrangerName(address, sameNetwork), address);
  assert.ok(!mayStrangerName('127.0.0.1', ['127.0.0.1']));
});

test('a stranger may name the private network through which the client reaches its node', () => {
  for (const address of PRIVATE) {
    assert.ok(mayStrangerName(address, [address]), address);
    assert.ok(!isPublicAddress(address), address);
  }
  assert.ok(mayStrangerName('192.168.2.9', ['192.168.2.3']));
  assert.ok(!mayStrangerName('192.168.3.9', ['192.168.2.3']));
  assert.ok(mayStrangerName('fd12::9', ['10.0.0.1', 'fd12::3']));
  assert.ok(!mayStrangerName('fd12:0:0:1::9', ['fd12::3']));
});
