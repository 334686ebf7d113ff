/**
 * Answers that differ between nodes; all others have the same bytes. Decision 030 shows this table, and
 * same-bytes.http.test.ts tests it.
 */
export interface OwnAnswers {
  paths: readonly string[];
  because: string;
  /** Parts masked before the comparison; null if there is nothing to compare. */
  apartFrom: 'address' | 'address and hashes' | 'address and signature' | null;
}

export const OWN_ANSWERS: readonly OwnAnswers[] = [
  {
    paths: ['/health', '/livez', '/readyz', '/metrics', '/v1/lab', '/v1/lab/trace'],
    because: 'the process',
    apartFrom: null,
  },
  {
    paths: ['/v1/network', '/v1/chain/verify'],
    because: 'the node: its pace, how far it has verified its own disk',
    apartFrom: null,
  },
  {
    paths: ['/.well-known/security.txt'],
    because: 'which its operator has named',
    apartFrom: null,
  },
  {
    paths: ['/.well-known/jwks.json'],
    because: 'the key that this node signs its Agent Card with; a follower has none',
    apartFrom: null,
  },
  {
    paths: ['/v1/state/checkpoint', '/v1/state/chunks/{index}'],
    because: 'the checkpoints that this node has made',
    apartFrom: null,
  },
  {
    paths: ['/v1/consensus/engine-blocks/{engineHeight}'],
    because: 'the blocks of its engine, of which a follower runs none',
    apartFrom: null,
  },
  {
    paths: ['/a2a/v1/tasks/{id}:subscribe'],
    because: 'a stream: each event when the connection gets it, beats between them',
    apartFrom: null,
  },
  {
    paths: ['/'],
    because:
      'the address at which it is reached, and of a follower: its origins, and how far behind it is',
    apartFrom: null,
  },
  {
    paths: [
      '/docs',
      '/docs/errors',
      '/docs/formats',
      '/docs/{section}',
      '/docs/{section}/{name}',
      '/docs/guides/{name}',
      '/downloads/net-join.mjs',
      '/downloads/net-opportunity-watch.mjs',
      '/downloads/netsdk-lab.txt',
      '/downloads/server.json',
      '/llms.txt',
      '/openapi.json',
      '/v1/agents/{agentId}/erc-8004.json',
      '/.well-known/ai-catalog.json',
      '/.well-known/mcp/server-card.json',
      '/.well-known/mcp.json',
      '/.well-known/net-agent-intake.json',
      '/.well-known/net-agent-seed.json',
      '/mcp',
      '/a2a/v1/message:send',
    ],
    because: 'the address at which it is reached; apart from that, the same bytes',
    apartFrom: 'address',
  },
  {
    paths: ['/.well-known/agent-card.json'],
    because: 'that address, and the signature, which only a validator of genesis can make',
    apartFrom: 'address and signature',
  },
  {
    paths: ['/v1/manifest'],
    because: 'that address, and the hashes of the programs that name it',
    apartFrom: 'address and hashes',
  },
  {
    paths: ['/v1/fork-evidence', '/v1/agent-trust'],
    because: 'after a halt, what this follower has found; before it, the same bytes',
    apartFrom: 'address',
  },
];
