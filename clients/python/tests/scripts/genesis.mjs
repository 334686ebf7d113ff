// A devnet as any other in the directory of the first argument, but with windows that a test can wait for.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devnetGenesis, DEVNET_POLICY } from '@netd/ledger';
import { DEFAULT_CHAIN_ID } from '@netd/node';
import { ensureKeyFile } from '@netd/node/keys';

const [directory] = process.argv.slice(2);
const keys = join(directory, 'keys');
const operator = ensureKeyFile(join(keys, 'operator.json'), DEFAULT_CHAIN_ID, 'operator');
const validator = ensureKeyFile(join(keys, 'validator.json'), DEFAULT_CHAIN_ID, 'validator-1');
const genesis = devnetGenesis({
  chainId: DEFAULT_CHAIN_ID,
  genesisTime: new Date().toISOString(),
  operator: { actorId: operator.actorId, publicKey: operator.publicKey },
  validator: { validatorId: validator.actorId, consensusPublicKey: validator.publicKey },
  policy: {
    ...DEVNET_POLICY,
    work: { ...DEVNET_POLICY.work, disputeWindow: { heights: 1, milliseconds: 200 } },
  },
});
mkdirSync(directory, { recursive: true });
writeFileSync(join(directory, 'genesis.json'), JSON.stringify(genesis), { flag: 'wx' });
