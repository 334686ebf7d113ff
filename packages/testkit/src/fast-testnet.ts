/** A testnet of several validators with windows short enough for tests. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Genesis } from '@netd/protocol';
import { ensureKeyFile, type KeyFile } from '@netd/node/keys';
import { openTestnet } from '@netd/node/testnet';
import { FAST_CHAIN_ID, fastWork } from './fast-devnet.ts';

/**
 * Creates keys and genesis before the first start; keeps existing files.
 * @returns the operator's key
 */
export async function makeFastTestnet(directory: string, count: number): Promise<KeyFile> {
  // A testnet is named after its operator's key.
  const path = join(directory, 'validator-1', 'keys', 'operator.json');
  const operator = ensureKeyFile(path, FAST_CHAIN_ID, 'operator');
  const { testnet, isNew } = await openTestnet(directory, count, Date.now());
  if (!isNew) return operator;
  for (const { dataDir } of testnet.validators) {
    const file = join(dataDir, 'genesis.json');
    const genesis = JSON.parse(readFileSync(file, 'utf8')) as Genesis;
    const policy = { ...genesis.policy, work: fastWork() };
    writeFileSync(file, JSON.stringify({ ...genesis, policy }));
  }
  return operator;
}
