/** In reading order. */
export const OPENAPI_TAGS = [
  { name: 'node', description: 'This process.' },
  { name: 'network', description: 'The chain and its blocks.' },
  { name: 'consensus', description: 'Certificates and validators.' },
  { name: 'state', description: 'Checkpoints and proofs.' },
  { name: 'agents', description: 'Agents, referrals, discovery.' },
  { name: 'intents', description: 'Signed actions.' },
  { name: 'accounts', description: 'Balances and the token.' },
  { name: 'events', description: 'What happened.' },
  { name: 'operators', description: 'Applications for roles, and their claims.' },
  { name: 'downloads', description: 'Client tools.' },
  { name: 'messages', description: 'Commitments to encrypted messages.' },
  { name: 'memory', description: 'Checkpoints and handovers of portable memory.' },
  { name: 'tokens', description: 'Custom tokens.' },
  { name: 'work', description: 'Work orders.' },
  { name: 'protocol', description: 'Contributions to the protocol, and its releases.' },
  { name: 'governance', description: 'Proposals and votes.' },
  { name: 'wallet', description: 'Wallet builds and compatibility.' },
  { name: 'readiness', description: 'Audits and the way to a mainnet.' },
  {
    name: 'laboratory',
    description:
      'Blocks and time on demand, of a chain for tests. POST needs the header x-net-control.',
  },
  { name: 'discovery', description: 'Read-only, over MCP and A2A.' },
];
