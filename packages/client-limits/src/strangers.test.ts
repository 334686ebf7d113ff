import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress, mayStrangerName } from './strangers.ts';

/** Keep equal to the Python client's list. */
const PUBLIC = ['1.1.1.1', '::ffff:1.1.1.1', '64:ff9b::101:101', '2606:4700::1111'];
const NEVER =
  `127.0.0.1 127.8.8.8 0.0.0.0 169.254.169.254 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1
  ::127.0.0.1 ::ffff:0:0 64:ff9b::7f00:1 64:ff9b::a00:1 fe80::1 fe80::1%eth0 ff02::1 ff0e::1 fec0::1 2002:7f00:1::
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
  for (const address of [...NEVER, ...PRIVATE]) {
    assert.ok(!mayStrangerName(address, near), address);
    assert.ok(!isPublicAddress(address), address);
  }
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
