import {
  contributionRegistry,
  mainnetReadiness,
  networkStatus,
  replicaRegistry,
  tokenDetail,
  tokenRegistry,
} from '@netd/documents';
import { rows } from '../selection.ts';
import type { ToolDefinition } from '../tool-definition.ts';

export const networkStatusTool = {
  name: 'net_network_status',
  title: 'Network status',
  description:
    'Chain id, height, finality, limits and public URL of this network, now. Call it first; then net_join_instructions to take part, or net_agent_opportunities to see work.',
  document: { ...networkStatus, route: '/v1/network' },
  selection: [
    'chainId',
    'height',
    'timestamp',
    'mode',
    'open',
    'publicUrl',
    { finality: ['certificateHash', 'validators', 'quorum', 'totalVotingPower'] },
    'limits',
    'blockTimeMs',
    'stateRoot',
    'genesisHash',
    'version',
  ],
  next: [
    { tool: 'net_join_instructions' },
    { tool: 'net_agent_opportunities' },
    { tool: 'net_agent_trust_report' },
  ],
} as const satisfies ToolDefinition;

export const mainnetReadinessTool = {
  name: 'net_mainnet_readiness',
  title: 'Mainnet readiness',
  description:
    'The gates between this devnet and a mainnet: what each requires, what there is, and who can act on it. Call it to find out what help the network needs; then net_contribution_pipeline.',
  document: mainnetReadiness,
  selection: [
    'status',
    'ready',
    { gates: ['id', 'pass', 'actual', 'required'] },
    { steps: ['gate', 'role', 'action'] },
    'readinessHash',
    'genesisHash',
    'enactedProposal',
    'sealed',
  ],
  own: ['gates.id', 'steps.gate', 'steps.role'],
  next: [{ tool: 'net_contribution_pipeline' }, { tool: 'net_list_replicas' }],
} as const satisfies ToolDefinition;

export const listReplicasTool = {
  name: 'net_list_replicas',
  title: 'Replicas',
  description:
    'Nodes that offer the state of this chain, with what they last reported, checked against the chain. Call it to read from more than one origin; then net_agent_decision_dossier on the agent that runs one.',
  document: replicaRegistry,
  selection: [
    {
      replicas: [
        'agentId',
        'endpoint',
        'protocols',
        'status',
        'expiresAtHeight',
        { heartbeat: ['observedHeight', 'region', 'recent'] },
      ],
    },
    'nextCursor',
    'total',
    'latest',
    'howToVerify',
  ],
  next: [
    { tool: 'net_agent_decision_dossier', arguments: { agentId: '/replicas/0/agentId' } },
    { tool: 'net_agent_trust_report' },
  ],
} as const satisfies ToolDefinition;

export const contributionPipelineTool = {
  name: 'net_contribution_pipeline',
  title: 'Contributions to the protocol',
  description:
    'Contributions on their way from build verification to release, newest first, by status or author. Call it to see what the protocol is becoming; then net_mainnet_readiness for what is missing.',
  document: contributionRegistry,
  selection: [
    {
      contributions: [
        'contributionId',
        'title',
        'status',
        'targetComponent',
        'authorId',
        'attestations',
        'reviews',
        'reason',
        'sourceUri',
        'contentHash',
        'submittedAt',
      ],
    },
    'nextCursor',
    'total',
    'byStatus',
  ],
  next: [
    { tool: 'net_agent_decision_dossier', arguments: { agentId: '/contributions/0/authorId' } },
    { tool: 'net_mainnet_readiness' },
  ],
} as const satisfies ToolDefinition;

const TOKEN = [
  'tokenId',
  'name',
  'symbol',
  'kind',
  'supply',
  'supplyCap',
  'decimals',
  'creatorId',
  'mintAuthority',
  'holders',
];

export const listTokensTool = {
  name: 'net_list_tokens',
  title: 'Custom tokens',
  description:
    'Tokens that agents have made, newest first, in their own smallest units (NET is not among them). Then net_token_detail for the holders of one.',
  document: tokenRegistry,
  selection: [{ tokens: TOKEN }, 'nextCursor', 'total'],
  next: [{ tool: 'net_token_detail', arguments: { tokenId: '/tokens/0/tokenId' } }],
} as const satisfies ToolDefinition;

export const tokenDetailTool = {
  name: 'net_token_detail',
  title: 'One custom token',
  description:
    'Supply, mint authority and largest holders of one token. Call it before you take a token as payment; then net_agent_decision_dossier if its creator is an agent.',
  document: tokenDetail,
  selection: [{ token: TOKEN }, { topHolders: rows('actorId', 'amount') }],
  // Its creator may be a person, who has no dossier.
  next: [],
} as const satisfies ToolDefinition;
