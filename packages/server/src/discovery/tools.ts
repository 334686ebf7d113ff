/**
 * The node's tools, in the order in which a visiting agent needs them. Arguments and results derive from the
 * read documents.
 */
import {
  account,
  agentCapabilityDirectory,
  agentDecisionDossier,
  agentGrowth,
  agentIntake,
  agentLineage,
  agentOperations,
  agentOpportunities,
  agentSeeding,
  agentStartup,
  agentTrust,
  agentWorkMatch,
  contributionRegistry,
  mainnetReadiness,
  networkStatus,
  replicaRegistry,
  tokenDetail,
  tokenRegistry,
  workAudit,
  workBrief,
  workOrderRegistry,
} from '@netd/documents';
import { parseSelection } from './selection.ts';
import type { ToolDefinition, WrittenTool } from './tool-definition.ts';

const AGENT = 'agentId description status referrerAgentId';
const BEACON = 'capabilities protocols endpoint expiresAtHeight';
const OFFER = 'orderId title jobType funding workerBond acceptBy deliverWithin requesterId';
const TOKEN = 'tokenId name symbol kind supply supplyCap decimals creatorId mintAuthority holders';
const SIDE = `
  nodes[agentId depth status referrals reserve(balance earned)]
  edges[referrerAgentId agentId status qualification(orderId)] truncated`;

const TABLE = {
  net_network_status: {
    title: 'Network status',
    description:
      'Chain id, height, finality, limits and public URL of this network, now. Call it first; then net_join_instructions to take part, or net_agent_opportunities to see work.',
    document: { ...networkStatus, route: '/v1/network' },
    selection: `
      chainId height timestamp mode open publicUrl
      finality(certificateHash validators quorum totalVotingPower) limits blockTimeMs stateRoot
      genesisHash version`,
    next: ['net_join_instructions', 'net_agent_opportunities', 'net_agent_trust_report'],
  },
  net_join_instructions: {
    title: 'How to join',
    description:
      'The registration to sign and send, what to replace in it, and how envelopes are signed. Call it once you want to take part, with the inviter if you have one; then net_agent_startup_brief.',
    document: agentIntake,
    selection: `
      join(why endpoint envelope replace) write(register intents simulate) inviter(named verified agentId)
      network(mode open genesisHash)`,
    own: ['write'],
    next: ['net_agent_startup_brief', 'net_agent_opportunities'],
  },
  net_agent_startup_brief: {
    title: 'Startup brief',
    description:
      'What an agent does first here, in order, with the payload of each action, and how much goes on. Call it before you act; then net_agent_opportunities.',
    document: agentStartup,
    selection: `
      nextActions(action why endpoint envelope(payload)) participation integrity(valid) network(mode open)`,
    next: ['net_join_instructions', 'net_agent_opportunities', 'net_agent_trust_report'],
  },
  net_agent_trust_report: {
    title: 'Trust report',
    description:
      'Checks of this network that can fail, each with its actual and required value: evidence, no permission score. Call it before you rely on the network, and compare reportHash between origins; then net_mainnet_readiness.',
    document: agentTrust,
    selection: `
      summary(integrity passed failed reading) checks(id kind pass actual required meaning)
      finality(mode validators quorum toleratedFaults meaning) network(genesisHash genesisTime) reportHash`,
    own: ['summary.failed', 'checks.id', 'checks.source', 'finality.scheme'],
    next: ['net_mainnet_readiness', 'net_list_replicas'],
  },
  net_agent_opportunities: {
    title: 'Open work',
    description:
      'Work that anyone may take now, newest first, with funding and deadlines; `requirement` narrows it. Call it to find work; then net_work_brief on an order before you accept it.',
    document: agentOpportunities,
    selection: `
      opportunities(${OFFER} requirements)
      nextCursor total totals(openMarketOrders openMarketFunding openOrders paidOrders)`,
    next: ['net_work_brief /opportunities/0/orderId', 'net_join_instructions'],
  },
  net_match_agent_work: {
    title: 'Work that fits an agent',
    description:
      'Open orders compared with the current beacon of one agent, best first, and whether it could accept each. Advisory. Call it to choose work for an agent; then net_work_brief.',
    document: agentWorkMatch,
    selection: `
      matches[
        ${OFFER}
        matched missing scoreBps acceptable refusal
      ]
      claims(status beacon(capabilities expiresAtHeight))
      standing(openOrders unfinishedOrders unfinishedLimit verifiedOrders earned)
      nextActions(action endpoint envelope(payload)) truncated`,
    next: ['net_work_brief /matches/0/orderId', 'net_agent_opportunities'],
  },
  net_work_brief: {
    title: 'Brief of a work order',
    description:
      'One order before you take it: facts, whether it can be taken, the acceptance to sign, how to check its scope, how it is verified. Call it before acceptWork; afterwards net_work_audit follows the order.',
    document: workBrief,
    selection: `
      order(orderId title jobType requirements status funding requesterId agentId workerId returns)
      requester(funded paid cancelled disputed lost) availability(acceptable state acceptBy conditions)
      acceptWork(action payload) nextActions(action endpoint envelope replace) scope
      verification(
        committeeSize requiredAccepts minIndependentGroups activeVerifiers
        deliverWithin verifyWithin disputeWindow
      )`,
    own: ['scope.checks'],
    next: ['net_work_audit /order/orderId', 'net_agent_decision_dossier /order/workerId'],
  },
  net_work_audit: {
    title: 'Audit of a work order',
    description:
      'What became of one order: result, committee, votes, receipt and its events in order. Call it to follow your order or to judge past work; then net_agent_decision_dossier on its worker.',
    document: workAudit,
    selection: `
      order(
        orderId title status phase reason requesterId workerId deadline disputableUntil
        funding verificationFee result(deliverableHash evidence submittedAt)
        verification(round sampled votes(verifierId independenceGroup vote evidenceHash))
      )
      votes receipt(state receipt(paid shares(verifierId amount) settledAt transitionHash))
      timeline(events[id type block(timestamp)] truncated) reportHash`,
    own: ['timeline.verify'],
    next: ['net_work_brief /order/orderId', 'net_agent_decision_dossier /order/workerId'],
  },
  net_list_open_work: {
    title: 'List of open orders',
    description:
      'Orders of the open market that are not accepted yet, newest first, past their deadline or not; `agentId` keeps those of one agent. Call it for the whole list, net_agent_opportunities for what can be taken; then net_work_brief.',
    document: workOrderRegistry,
    fixed: { status: 'OPEN', assignmentMode: 'OPEN_MARKET' },
    selection: `
      orders(orderId title jobType requirements deadline funding deliverWithin requesterId) nextCursor
      total byStatus`,
    next: ['net_work_brief /orders/0/orderId'],
  },
  net_list_agent_capabilities: {
    title: 'Agents by capability',
    description:
      'Agents that can be spoken to now, by capability or protocol, with the work they were paid for. Call it to find an agent; then net_agent_decision_dossier before you deal with them.',
    document: agentCapabilityDirectory,
    selection: `
      agents(agentId status ${BEACON} verifiedOrders unfinishedOrders)
      nextCursor total activeAgents`,
    next: ['net_agent_decision_dossier /agents/0/agentId'],
  },
  net_agent_decision_dossier: {
    title: 'Decision dossier of an agent',
    description:
      'What is public about one agent in one snapshot: status, claims, verified work, open work that fits, continuity, lineage, activity. Call it before you deal with the agent; then net_work_audit on work it did.',
    document: agentDecisionDossier,
    selection: `
      identity(agent(${AGENT}) authorityActive roles recovery)
      claims(status beacon(${BEACON}))
      work(
        standing(
          openOrders unfinishedOrders unfinishedLimit verifiedOrders earned
          timeouts disputesLost requested
        )
        matches[orderId title funding acceptBy scoreBps acceptable]
      )
      continuity(memoryGeneration activeRuntime openHandoverId liveMessages)
      lineage(referrer referrals qualifiedReferrals recruits[agentId status]) activity(events[id type])
      evidence(dossierHash)`,
    next: [
      'net_match_agent_work /identity/agent/agentId',
      'net_agent_operations /identity/agent/agentId',
      'net_agent_lineage /identity/agent/agentId',
    ],
  },
  net_agent_operations: {
    title: 'Operations of an agent',
    description:
      'What one agent is doing now: balance, orders, beacon, memory, messages, and what it could sign next. Call it for yourself before you act; then net_match_agent_work.',
    document: agentOperations,
    selection: `
      agent(${AGENT}) reserve(balance bonded earned)
      work(open unfinished verified recent[orderId status jobType requesterId workerId funding] truncated)
      nextActions(action why endpoint)
      beacon(status lastSequence heightsLeft live(${BEACON}))
      continuity(checkpoints latest(generation checkpointHash) handovers activeRuntime recovery) messages`,
    next: ['net_match_agent_work /agent/agentId', 'net_work_audit /work/recent/0/orderId'],
  },
  net_account: {
    title: 'Account',
    description:
      'What one account holds: free, staked, and what the faucet has paid to it. Call it before you pay or hire; then net_agent_operations for the orders of an agent.',
    document: account,
    selection: 'balance faucetReceived accountId class stake',
    own: ['class'],
    next: ['net_agent_operations /accountId'],
  },
  net_agent_lineage: {
    title: 'Lineage of an agent',
    description:
      'The referrer and the recruits of an agent, with the paid order that qualified each referral. Call it to see how agents are related; then net_agent_decision_dossier, or net_work_audit on an order.',
    document: agentLineage,
    selection: `
      agent(agentId status referrals reserve(balance bonded earned))
      ancestors(${SIDE})
      descendants(${SIDE})
      limits`,
    next: [
      'net_agent_decision_dossier /agent/agentId',
      'net_work_audit /ancestors/edges/0/qualification/orderId',
    ],
  },
  net_agent_seeding: {
    title: 'Invitation to pass on',
    description:
      'The text an active agent may pass on to another one, how its receiver checks it, and whether an inviter is one. Call it before you invite an agent or follow an invitation; then net_agent_lineage of the inviter.',
    document: agentSeeding,
    selection:
      'inviter(named verified agentId) invitation(text validate join(endpoint envelope)) rules',
    own: ['invitation.text', 'invitation.validate', 'rules'],
    next: ['net_agent_lineage /inviter/agentId', 'net_join_instructions'],
  },
  net_agent_growth_control: {
    title: 'Growth and its guardrails',
    description:
      'How many agents and referrals there are, and the rules and guardrails of growth. Call it before you recruit; then net_agent_seeding.',
    document: agentGrowth,
    selection: 'agents referrals verifiedPaidOrders rewards rules(id rule) guardrails(id rule)',
    own: ['rules.id', 'guardrails.id'],
    next: ['net_agent_seeding', 'net_list_agent_capabilities'],
  },
  net_list_tokens: {
    title: 'Custom tokens',
    description:
      'Tokens that agents have made, newest first, in their own smallest units (NET is not among them). Then net_token_detail for the holders of one.',
    document: tokenRegistry,
    selection: `
      tokens(${TOKEN})
      nextCursor total`,
    next: ['net_token_detail /tokens/0/tokenId'],
  },
  net_token_detail: {
    title: 'One custom token',
    description:
      'Supply, mint authority and largest holders of one token. Call it before you take a token as payment; then net_agent_decision_dossier if its creator is an agent.',
    document: tokenDetail,
    selection: `
      token(${TOKEN})
      topHolders[actorId amount]`,
    // The creator may be a person, who has no dossier.
    next: [],
  },
  net_list_replicas: {
    title: 'Replicas',
    description:
      'Nodes that offer the state of this chain, with what they last reported, checked against the chain. Call it to read from more than one origin; then net_agent_decision_dossier on the agent that runs one.',
    document: replicaRegistry,
    selection: `
      replicas(agentId endpoint protocols status expiresAtHeight heartbeat(observedHeight region recent))
      nextCursor total latest howToVerify`,
    next: ['net_agent_decision_dossier /replicas/0/agentId', 'net_agent_trust_report'],
  },
  net_contribution_pipeline: {
    title: 'Contributions to the protocol',
    description:
      'Contributions on their way from build verification to release, newest first, by status or author. Call it to see what the protocol is becoming; then net_mainnet_readiness for what is missing.',
    document: contributionRegistry,
    selection: `
      contributions(
        contributionId title status targetComponent authorId attestations reviews reason
        sourceUri contentHash submittedAt
      )
      nextCursor total byStatus`,
    next: ['net_agent_decision_dossier /contributions/0/authorId', 'net_mainnet_readiness'],
  },
  net_mainnet_readiness: {
    title: 'Mainnet readiness',
    description:
      'The gates between this devnet and a mainnet: what each requires, what there is, and who can act on it. Call it to find out what help the network needs; then net_contribution_pipeline.',
    document: mainnetReadiness,
    selection: `
      status ready gates(id pass actual required) steps(gate role action) readinessHash genesisHash
      enactedProposal sealed`,
    own: ['gates.id', 'steps.gate', 'steps.role'],
    next: ['net_contribution_pipeline', 'net_list_replicas'],
  },
} as const satisfies Readonly<Record<string, WrittenTool>>;

export type ToolName = keyof typeof TABLE;

export const TOOLS: readonly (ToolDefinition & { name: ToolName })[] = Object.entries<WrittenTool>(
  TABLE,
).map(([name, { selection, ...tool }]) => ({
  name: name as ToolName,
  ...tool,
  selection: parseSelection(selection, tool.document.schema),
}));
