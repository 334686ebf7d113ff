import { agentMetadata, publicEncryptionKey, type AgentMetadata } from '@netd/formats';
import { canonicalize, utf8Text } from '@netd/protocol';
import { encryptionKey } from './keys.ts';

export function agentMetadataVectors(): unknown {
  const ada = encryptionKey('ada');
  const least: AgentMetadata = {
    schema: 'NET-AGENT-METADATA/1',
    agentId: 'ada',
    description: '',
    encryptionKey: publicEncryptionKey(ada),
    blobs: [],
  };
  const whole: AgentMetadata = {
    ...least,
    description: 'Reads papers. Lit des articles.',
    blobs: ['https://blobs.example', 'http://127.0.0.1:8421', 'http://[::1]:8421'],
    prices: [{ capability: 'research', amount: 1_000_000, unit: 'order' }],
    links: [{ rel: 'source', href: 'https://code.example/ada' }],
  };
  const valid = (name: string, document: AgentMetadata) => {
    const { hash, bytes } = agentMetadata.make(document);
    return { name, text: utf8Text(bytes), hash };
  };
  const invalid = (name: string, members: object, code: string) => ({
    name,
    text: canonicalize({ ...least, ...members }),
    code,
  });
  const key = least.encryptionKey;
  return {
    about:
      'NET-AGENT-METADATA/1. The text is canonical JSON, its SHA-256 is metadataHash. kid is the RFC 7638 thumbprint of the key. invalid: the code of the refusal.',
    valid: [valid('the least', least), valid('everything', whole)],
    invalid: [
      invalid('a secret key', { encryptionKey: ada }, 'DOCUMENT_INVALID'),
      invalid('another curve', { encryptionKey: { ...key, crv: 'X448' } }, 'DOCUMENT_INVALID'),
      invalid('a key with stray bits', { encryptionKey: { ...key, x: `${'A'.repeat(42)}B` } }, 'DOCUMENT_INVALID'),
      invalid(
        'the kid of another key',
        { encryptionKey: { ...key, kid: encryptionKey('bob').kid } },
        'ENCRYPTION_KEY_INVALID',
      ),
      invalid('plain HTTP to a stranger', { blobs: ['http://blobs.example'] }, 'DOCUMENT_INVALID'),
      invalid('an origin with a path', { blobs: ['https://blobs.example/x'] }, 'DOCUMENT_INVALID'),
      invalid('an origin twice', { blobs: ['https://a.example', 'https://a.example'] }, 'DOCUMENT_INVALID'),
      invalid('a free price', { prices: [{ capability: 'x', amount: 0, unit: 'y' }] }, 'DOCUMENT_INVALID'),
      invalid('an unknown member', { agentID: 'ada' }, 'DOCUMENT_INVALID'),
    ],
  };
}
