/** A chain with many agents, orders and events, to find costs that grow with them. */
import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { agentIdOf, at, beaconPayload, passiveRegistration, type BenchAgent } from './agents.ts';
import { StateBuilder } from './states.ts';

export interface ChainSize {
  agents: number;
  orders: number;
  /** All events; those beyond one per agent and order are beacons. */
  events: number;
}

/** Each stays below the ledger's limit of 1,000 unfinished orders. */
const REQUESTERS = 200;
/** In unet; all requesters together stay below the faucet's daily limit. */
const PURSE = 500 * UNET_PER_NET;

/** In unet. */
const FUNDING = 1_000;

function orderPayload(orderId: string): JsonObject {
  return {
    orderId,
    title: 'Read a paper',
    scopeHash: 'b'.repeat(64),
    jobType: 'research',
    requirements: ['research'],
    funding: FUNDING,
  };
}

/**
 * Starts and fills a chain: `agent-0`, …, `order-0`, …, and a token.
 * @param signs true to add agent `agent-<agents>` with a known key (`makeAgent`)
 * @returns its last height
 */
export async function buildLargeChain(
  directory: string,
  size: ChainSize,
  { signs = false }: { signs?: boolean } = {},
): Promise<number> {
  return StateBuilder.build(directory, (state) => fill(state, size, signs));
}

type Passive = Pick<BenchAgent, 'agentId' | 'publicKey' | 'sequence'>;

async function fill(state: StateBuilder, size: ChainSize, signs: boolean): Promise<void> {
  const requesters = Math.min(REQUESTERS, size.agents);
  await state.registerRange(0, size.agents + (signs ? 1 : 0), (index) => index === size.agents);
  const agents = Array.from({ length: size.agents }, (_, index): Passive => {
    const agentId = agentIdOf(index);
    return { agentId, publicKey: passiveRegistration(agentId).publicKey, sequence: 0 };
  });
  const { height } = state;
  const execute = (
    count: number,
    action: string,
    payloadOf: (agent: Passive, index: number) => JsonObject,
    actors = requesters,
  ): Promise<void> =>
    state.execute(count, (index) => {
      const agent = at(agents, index % actors);
      return {
        agent,
        draft: { nonce: `${action}-${index}`, action, payload: payloadOf(agent, index) },
      };
    });
  await execute(requesters, 'extendAgentCapabilities', ({ agentId }) => ({
    agentId,
    actions: ['faucet', 'createWorkOrder', 'createToken'],
  }));
  await execute(requesters, 'faucet', () => ({ amount: PURSE }));
  await execute(1, 'createToken', ({ agentId }) => ({
    tokenId: 'tok-bench',
    name: 'Bench',
    symbol: 'BNCH',
    decimals: 0,
    supplyCap: 1_000,
    initialSupply: 1_000,
    mintAuthority: agentId,
  }));
  await execute(size.orders, 'createWorkOrder', (_, index) => orderPayload(`order-${index}`));
  const beacons = Math.max(0, size.events - size.agents - size.orders);
  await execute(beacons, 'publishBeacon', (agent) => beaconPayload(agent, height), size.agents);
}
