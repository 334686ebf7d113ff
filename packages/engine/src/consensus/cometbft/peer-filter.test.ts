import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../chain/clock.ts';
import { type ConnectedPeer, PeerFilter } from './peer-filter.ts';

const OWN = 'a'.repeat(40);

class Filter {
  connected: ConnectedPeer[] = [];
  now = 0;
  private readonly filter: PeerFilter;

  constructor(peersOnly = false) {
    this.filter = new PeerFilter({
      peers: [`${OWN}@a.example:26656`],
      peersOnly,
      clock: { ...systemClock, elapsed: () => this.now },
      connected: () => Promise.resolve(this.connected),
    });
  }

  address(place: string): Promise<string | null> {
    return this.filter.refusal(`/p2p/filter/addr/${place}`);
  }

  id(id: string): Promise<string | null> {
    return this.filter.refusal(`/p2p/filter/id/${id}`);
  }
}

test('an address has at most ten connections, including silent ones until CometBFT ends them', async () => {
  const filter = new Filter();
  for (let port = 1; port <= 10; port++) {
    assert.equal(await filter.address(`192.0.2.7:${port}`), null);
  }
  assert.match(
    (await filter.address('192.0.2.7:11'))!,
    /192\.0\.2\.7 has 10 connections, at most 10/,
  );
  assert.equal(await filter.address('192.0.2.8:1'), null, 'another address');
  filter.now = 20_000;
  assert.equal(await filter.address('192.0.2.7:12'), null);
});

test('open connections count, and those of one IPv6 network together', async () => {
  const filter = new Filter();
  filter.connected = Array.from({ length: 9 }, (_, index) => ({
    id: `${index}`,
    address: `2001:db8::${index}`,
  }));
  assert.equal(await filter.address('[2001:db8:0:0:9::1]:1'), null);
  assert.match((await filter.address('[2001:db8::77]:1'))!, /at most 10/);
  assert.equal(await filter.address('[2001:db8:0:1::1]:1'), null, 'another network');
});

test('loopback addresses have no limit', async () => {
  const filter = new Filter();
  for (let port = 1; port <= 40; port++) {
    assert.equal(await filter.address(`127.0.0.1:${port}`), null);
    assert.equal(await filter.address(`[::1]:${port}`), null);
  }
});

test('strangers have thirty places, and configured peers always one', async () => {
  const filter = new Filter();
  const strangers = (count: number): ConnectedPeer[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, address: '192.0.2.1' }));
  filter.connected = strangers(29);
  assert.equal(await filter.id('b'.repeat(40)), null);
  filter.now = 1_000;
  filter.connected = [...strangers(30), { id: OWN, address: '192.0.2.2' }];
  assert.match((await filter.id('b'.repeat(40)))!, /30 peers that are not in --peers/);
  assert.equal(await filter.id(OWN), null);
});

test('a validator behind its sentries refuses every other node', async () => {
  const filter = new Filter(true);
  assert.equal(await filter.id(OWN), null);
  assert.match((await filter.id('b'.repeat(40)))!, /is not in --peers, and --peers-only is set/);
});
