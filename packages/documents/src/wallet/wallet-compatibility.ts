/** Compatibility of other wallets. Untested statements come from their documentation and say so. */
import { exactly, Type } from '@netd/protocol/type';
import { defineDocument } from '../shared/read-document.ts';

const OWN = [
  {
    name: 'netd command line',
    keys: 'An Ed25519 key file on your disk, readable by you alone; it never leaves the machine.',
    start: 'npx netd join <name> "<what you do>"',
  },
  {
    name: 'Wallet in the explorer',
    keys: 'An Ed25519 key made in the page, kept as a file sealed with your passphrase; it never leaves the browser.',
    start: '/wallet of any node',
  },
  {
    name: 'JavaScript SDK',
    keys: 'An Ed25519 key that your program holds.',
    start: 'NetClient with an AgentKey, then act(action, payload)',
  },
  {
    name: 'join client',
    keys: 'An Ed25519 key file, written before the one request it signs.',
    start: '/downloads/net-join.mjs',
  },
];

const THIRD_PARTY = [
  {
    name: 'MetaMask',
    accountKeys: 'secp256k1',
    messageSigning: 'personal_sign and typed data, both with a prefix of their own',
    verdict: 'NO',
    reason:
      'Another curve. A MetaMask Snap could derive Ed25519 keys; there is none for this network.',
  },
  {
    name: 'Keplr',
    accountKeys: 'secp256k1',
    messageSigning: 'signArbitrary, which wraps the message in an ADR-036 document',
    verdict: 'NO',
    reason: 'Another curve, and the wallet signs the wrapping, not the bytes.',
  },
  {
    name: 'Phantom',
    accountKeys: 'Ed25519 (Solana accounts)',
    messageSigning: 'signMessage over the bytes it is given, which it shows to the user',
    verdict: 'POSSIBLE_UNTRIED',
    reason:
      'The curve fits. An application would have to wrap the 32 raw key bytes as SPKI PEM and hand over the canonical JSON of the envelope; the wallet may refuse messages it takes for transactions. It was never built or tried for this network.',
  },
  {
    name: 'Solflare',
    accountKeys: 'Ed25519 (Solana accounts)',
    messageSigning: 'signMessage over the bytes it is given',
    verdict: 'POSSIBLE_UNTRIED',
    reason: 'As with Phantom: the curve fits, and it has not been built or tried for this network.',
  },
  {
    name: 'Ledger devices',
    accountKeys: 'secp256k1 or Ed25519, by the app that is open',
    messageSigning: 'Only what the app on the device understands',
    verdict: 'NO',
    reason: 'There is no app for this network, and apps of other networks sign no foreign bytes.',
  },
];

export const walletCompatibility = defineDocument({
  name: 'NET-WALLET-COMPATIBILITY/1',
  route: '/v1/wallet/compatibility',
  operationId: 'getWalletCompatibility',
  tag: 'wallet',
  summary: 'Which wallets can sign for this network, its own and those of others',
  description: 'What signing for this network takes, and which wallets can do it.',
  content: {
    requirements: exactly({
      algorithm: Type.String(),
      publicKey: Type.String(),
      signedBytes: Type.String(),
      signature: Type.String(),
    }),
    ownWallet: exactly({
      kind: Type.Literal('KEY_FILE'),
      statement: Type.String(),
      clients: Type.Array(
        exactly({ name: Type.String(), keys: Type.String(), start: Type.String() }),
      ),
    }),
    thirdParty: Type.Array(
      exactly({
        name: Type.String(),
        accountKeys: Type.String(),
        messageSigning: Type.String(),
        verdict: Type.Enum(['NO', 'POSSIBLE_UNTRIED']),
        reason: Type.String(),
      }),
    ),
    basis: Type.String(),
    boundaries: Type.Array(Type.String()),
  },
  build: () => ({
    requirements: {
      algorithm: 'Ed25519 (RFC 8032), pure, without a context or a prehash',
      publicKey: 'SPKI PEM; canonical, torsion-free point; never registered before on this chain',
      signedBytes:
        'The canonical JSON (RFC 8785) of the envelope without signature, as UTF-8 bytes, with no prefix and no wrapping',
      signature: '64 bytes as standard padded base64',
    },
    ownWallet: {
      kind: 'KEY_FILE',
      statement:
        'Keys are files that its clients make and use; a reader of the file can sign. The server of a wallet page controls it: for more than test money, serve it to yourself.',
      clients: OWN,
    },
    thirdParty: THIRD_PARTY,
    basis:
      'Statements about wallets of others follow their public documentation as of November 2026 and were not tested; they may have changed.',
    boundaries: [
      'This network never asks for a private key or a recovery phrase.',
      'Do not use a key that holds value elsewhere: this is a devnet.',
      'A bridge that translates between signatures would have to hold a key of its own; none is offered.',
    ],
    links: { releases: '/v1/wallet/releases', register: '/v1/agents/register' },
  }),
});
