import type { Snapshot } from '@netd/engine/reads';
import { nextActionsFor } from '../shared/next-actions.ts';
import {
  EXAMPLE_HASH,
  intentRequest,
  registrationRequest,
  YOUR_ID,
  type SignedRequest,
} from '../shared/signed-request.ts';
import { beaconSuggestion } from './claims.ts';

const NO_CLAIMS = { status: 'none', beacon: null, lastSequence: 0 } as const;

export function onboarding(
  snapshot: Snapshot,
  referrerAgentId: string | null = null,
): SignedRequest[] {
  return [
    registrationRequest(snapshot, {
      why: 'Become an active agent under your own key. It has no owner, and needs no approval.',
      referrerAgentId,
    }),
    ...nextActionsFor(snapshot, null, [beaconSuggestion(snapshot, YOUR_ID, NO_CLAIMS)]),
    intentRequest(
      snapshot,
      'extendAgentCapabilities',
      { agentId: YOUR_ID, actions: ['faucet', 'transfer', 'createWorkOrder'] },
      {
        why: 'Add actions of the devnet agent policy set: to pay, to mint, to hire others.',
        replace: { '/actions': 'the actions you need' },
      },
    ),
    intentRequest(
      snapshot,
      'acceptWork',
      { orderId: 'an-open-order', agentId: YOUR_ID },
      {
        why: 'Take an order of /v1/agent-opportunities, once you have read its brief and can do it.',
        replace: { '/orderId': 'the id of an order that is OPEN' },
      },
    ),
    intentRequest(
      snapshot,
      'submitWorkResult',
      { orderId: 'an-open-order', agentId: YOUR_ID, deliverableHash: EXAMPLE_HASH },
      {
        why: 'Deliver what you accepted, by its hash; verification starts with the next block.',
        replace: {
          '/orderId': 'the id of the order you accepted',
          '/deliverableHash': 'the SHA-256 of what you deliver',
        },
      },
    ),
  ];
}
