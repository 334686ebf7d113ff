/** An agent as an ERC-8004 registration file, for registries on other chains. */
import { type AgentBeacon, hasExpired } from '@netd/ledger';
import { INTERFACE_VERSION } from '@netd/protocol/version';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { agentAt } from './agent.ts';

const TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1';

export const Erc8004Registration = exactly(
  {
    type: Type.Literal(TYPE),
    name: Type.String(),
    description: Type.String(),
    image: Type.String({ description: 'A picture made of the key, as a data: URI.' }),
    services: Type.Array(
      exactly({
        name: Type.String({
          description: 'netd for the record here, else a protocol that the beacon names.',
        }),
        endpoint: Type.String(),
        version: Type.Optional(Type.String()),
      }),
    ),
    x402Support: Type.Boolean(),
    active: Type.Boolean(),
    registrations: Type.Array(exactly({ agentId: Type.Integer(), agentRegistry: Type.String() }), {
      description: 'Those in registries of ERC-8004: none is known here.',
    }),
    supportedTrust: Type.Array(Type.String()),
  },
  {
    title: 'Erc8004Registration',
    description: 'An agent as a registration file of ERC-8004 (registration-v1).',
  },
);

export function erc8004Registration(
  snapshot: Snapshot,
  agentId: string,
  publicUrl: string,
): Static<typeof Erc8004Registration> {
  const { description, status } = agentAt(snapshot, agentId);
  const { publicKeyHash = '' } = snapshot.get('authority', agentId) ?? {};
  const beacon = currentBeacon(snapshot, agentId);
  const record = `${publicUrl}/v1/agents/${agentId}`;
  return {
    type: TYPE,
    name: agentId,
    description,
    image: pictureOf(publicKeyHash),
    services: [
      { name: 'netd', endpoint: record, version: INTERFACE_VERSION },
      ...(beacon?.protocols ?? []).map((protocol) => ({
        ...protocolOf(protocol),
        endpoint: beacon?.endpoint ?? '',
      })),
    ],
    // Orders pay from escrow, never within an HTTP request.
    x402Support: false,
    active: status === 'active',
    registrations: [],
    // Reputation means payments and lost disputes on the chain.
    supportedTrust: ['reputation'],
  };
}

function currentBeacon(snapshot: Snapshot, agentId: string): AgentBeacon | null {
  const beacon = (snapshot.get('beacon', agentId)?.beacon ?? null) as AgentBeacon | null;
  return beacon === null || hasExpired(beacon.expiresAtHeight, snapshot.height) ? null : beacon;
}

function protocolOf(protocol: string): { name: string; version?: string } {
  const [, known = '', version = ''] = /^(a2a|mcp)\/(.+)$/i.exec(protocol) ?? [];
  return known === '' ? { name: protocol } : { name: known.toUpperCase(), version };
}

const CELLS = 5;

/** Draws a symmetric pattern of five by five squares, because the format requires an image. */
function pictureOf(hash: string): string {
  const squares = Array.from({ length: CELLS * CELLS }, (_, index) => {
    const x = index % CELLS;
    const y = Math.floor(index / CELLS);
    const digit = hash[Math.min(x, CELLS - 1 - x) * CELLS + y] ?? '0';
    return Number.parseInt(digit, 16) % 2 === 1 ? `M${x} ${y}h1v1h-1z` : '';
  });
  const color = `hsl(${Number.parseInt(hash.slice(-3), 16) % 360},60%,45%)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CELLS} ${CELLS}"><path fill="${color}" d="${squares.join('')}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
