/** Finds a path for every kind of page, and prefers pages with content if the node has any. */

const get = async (url: string): Promise<Record<string, never>> =>
  (await (await fetch(url)).json()) as Record<string, never>;

/** Pages whose pictures a test compares. None of them shows the node's port. */
export const MAIN_PAGES: readonly string[] = [
  'now',
  'work',
  'order',
  'agents',
  'agent',
  'blocks',
  'economy',
  'governance',
];

/** @returns paths by the names of the pages */
export async function findPages(url: string): Promise<Record<string, string>> {
  const { orders } = (await get(`${url}/v1/work-orders?limit=100`)) as unknown as {
    orders: { orderId: string; status: string; workerId: string | null; dispute: unknown }[];
  };
  const { agents } = (await get(`${url}/v1/agents?limit=100`)) as unknown as {
    agents: { agentId: string }[];
  };
  const { tokens } = (await get(`${url}/v1/tokens`)) as unknown as {
    tokens: { tokenId: string }[];
  };
  const { contributions } = (await get(`${url}/v1/protocol/contributions`)) as unknown as {
    contributions: { contributionId: string }[];
  };
  const { proposals } = (await get(`${url}/v1/governance/proposals`)) as unknown as {
    proposals: { proposalId: string }[];
  };
  const { events } = (await get(`${url}/v1/events?limit=100`)) as unknown as {
    events: { height: number }[];
  };
  const order =
    orders.find(({ dispute }) => dispute) ??
    orders.find(({ status }) => status === 'PAID') ??
    orders[0];
  const agent = order?.workerId ?? agents[0]?.agentId;
  const height = events.at(-1)?.height ?? 0;
  const { transitions } = (await get(`${url}/v1/blocks/${height}`)) as unknown as {
    transitions: { transitionHash: string }[];
  };
  const [transition] = transitions;
  const [token] = tokens;
  const [contribution] = contributions;
  const [proposal] = proposals;
  return {
    now: '/',
    run: '/run',
    work: '/work',
    ...(order ? { order: `/work/${order.orderId}`, replay: `/work/${order.orderId}/replay` } : {}),
    agents: '/agents',
    ...(agent
      ? {
          agent: `/agents/${agent}`,
          identity: `/agents/${agent}?tab=identity`,
          lineage: `/agents/${agent}?tab=lineage`,
        }
      : {}),
    blocks: '/blocks',
    block: `/blocks/${height}`,
    ...(transition ? { transition: `/transitions/${transition.transitionHash}` } : {}),
    network: '/network',
    economy: '/economy',
    tokens: '/tokens',
    ...(token ? { token: `/tokens/${token.tokenId}` } : {}),
    governance: '/governance',
    proposals: '/governance?show=proposals',
    releases: '/governance?show=releases',
    ...(contribution
      ? { contribution: `/governance/contributions/${contribution.contributionId}` }
      : {}),
    ...(proposal ? { proposal: `/governance/proposals/${proposal.proposalId}` } : {}),
    developers: '/developers',
    simulate: '/developers?show=act',
    mcp: '/developers?show=mcp',
    errors: '/developers?show=errors',
    verify: '/verify',
    wallet: '/wallet',
    missing: '/agents/nobody-of-this-name',
  };
}
