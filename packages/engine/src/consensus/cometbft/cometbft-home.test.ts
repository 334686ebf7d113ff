import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { type CometbftHome, writeCometbftHome } from './cometbft-home.ts';

test('the peers that an operator names get in, even if strangers hold all slots', (t) => {
  const path = tempDir(t);
  const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
  const config = (peers: string[], times?: CometbftHome['times']): string => {
    writeCometbftHome({
      path,
      chainId: 'a-chain',
      genesisTime: '2026-01-01T00:00:00.000Z',
      validatorSet: { validators: [] } as never,
      appState: {},
      signer: null,
      abciSocket: '/tmp/abci',
      rpcSocket: '/tmp/rpc',
      p2pAddress: '127.0.0.1:26656',
      peers,
      ...(times ? { times } : {}),
    });
    return readFileSync(join(path, 'config', 'config.toml'), 'utf8');
  };
  const several = config([`${first}@val-1:26656`, `${second}@val-2:26656`]);
  assert.match(several, new RegExp(`^unconditional_peer_ids = "${first},${second}"$`, 'm'));
  assert.match(several, /^allow_duplicate_ip = true$/m);
  assert.match(config([]), /^unconditional_peer_ids = ""$/m);
  assert.match(config([]), /^timeout_propose = "1000ms"\ntimeout_prevote = "200ms"$/m);
  const far = { commit: 100, emptyBlocks: 5_000, propose: 3_000, vote: 1_000 };
  assert.match(
    config([], far),
    /^timeout_propose = "3000ms"\ntimeout_prevote = "1000ms"\ntimeout_precommit = "1000ms"$/m,
  );
});
