import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOnce } from '@netd/engine/durable-file';
import { ensureKeyFile } from '@netd/node/keys';
import type { Staff, StaffKey } from '@netd/house';

/** Equals the jury that the validation policy draws by default. */
const VERIFIERS = 3;
const KEEPERS = 2;

/** @param probe name of the agent that measures jurors */
export function ensureStaff(dataDir: string, chainId: string, probe?: string): Staff {
  const directory = join(dataDir, 'house');
  const key = (actorId: string): StaffKey => {
    const { publicKey, privateKey } = ensureKeyFile(
      join(directory, `${actorId}.json`),
      chainId,
      actorId,
    );
    const encryption = ensureEncryption(join(directory, `${actorId}.encryption.json`));
    return { actorId, publicKey, privateKey, encryption };
  };
  const numbered = (name: string, count: number): StaffKey[] =>
    Array.from({ length: count }, (_, i) => key(`house-${name}-${i + 1}`));
  return {
    verifiers: numbered('verifier', VERIFIERS),
    keepers: numbered('blobs', KEEPERS),
    requester: key('house-requester'),
    echo: key('house-echo'),
    ...(probe === undefined ? {} : { probe: key(probe) }),
  };
}

function ensureEncryption(path: string): StaffKey['encryption'] {
  const { privateKey } = generateKeyPairSync('x25519');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  writeOnce(path, `${JSON.stringify({ x, d })}\n`, 0o600);
  return JSON.parse(readFileSync(path, 'utf8')) as StaffKey['encryption'];
}
