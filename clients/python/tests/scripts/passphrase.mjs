// Opens a compact JWE that Python sealed with a passphrase, and seals two of its own: JSON in, JSON out.
import { compactDecrypt, CompactEncrypt } from 'jose';
import { readFileSync } from 'node:fs';

const { sealed, passphrase } = JSON.parse(readFileSync(0, 'utf8'));
const bytes = (text) => new TextEncoder().encode(text);
const seal = (text, p2c) =>
  new CompactEncrypt(bytes(text))
    .setProtectedHeader({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM' })
    .setKeyManagementParameters({ p2c })
    .encrypt(bytes(passphrase));
const { plaintext } = await compactDecrypt(sealed, bytes(passphrase), {
  keyManagementAlgorithms: ['PBES2-HS512+A256KW'],
  maxPBES2Count: 210_000,
});
process.stdout.write(
  JSON.stringify({
    opened: new TextDecoder().decode(plaintext),
    sealed: await seal('from node', 210_000),
    costly: await seal('from node', 210_001),
  }),
);
