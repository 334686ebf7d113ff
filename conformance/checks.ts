/** Every check in its order: shared preparations first, exhausted limits last. */
import type { Check } from './check.ts';
import { AGENT_CHECKS } from './checks/agents.ts';
import { BEACON_CHECKS } from './checks/beacons.ts';
import { CHAIN_CHECKS } from './checks/chain.ts';
import { CLIENT_CHECKS } from './checks/client.ts';
import { COUNT_CHECKS } from './checks/counts.ts';
import { DISCOVERY_CHECKS, RATE_CHECKS } from './checks/discovery.ts';
import { DOWNLOAD_CHECKS } from './checks/downloads.ts';
import { DOCUMENT_CHECKS } from './checks/documents.ts';
import { INTENT_CHECKS } from './checks/intents.ts';
import { MEMORY_CHECKS } from './checks/memory.ts';
import { MESSAGE_CHECKS } from './checks/messages.ts';
import { PAYMENT_CHECKS, VOTE_CHECKS } from './checks/payment.ts';
import { OPERATOR_CHECKS } from './checks/operators.ts';
import { REGISTRY_CHECKS } from './checks/registries.ts';
import { REGISTRATION_CHECKS } from './checks/registration.ts';
import { SAFETY_CHECKS } from './checks/safety.ts';
import { SINGLE_RECORD_CHECKS } from './checks/single-records.ts';
import { TOKEN_CHECKS } from './checks/tokens.ts';
import { WORK_CHECKS } from './checks/work.ts';

export const CHECKS: readonly Check[] = [
  ...CHAIN_CHECKS,
  ...REGISTRATION_CHECKS,
  ...INTENT_CHECKS,
  ...BEACON_CHECKS,
  ...MESSAGE_CHECKS,
  ...MEMORY_CHECKS,
  ...WORK_CHECKS,
  ...VOTE_CHECKS,
  ...TOKEN_CHECKS,
  ...OPERATOR_CHECKS,
  ...AGENT_CHECKS,
  ...DOCUMENT_CHECKS,
  ...REGISTRY_CHECKS,
  ...COUNT_CHECKS,
  ...SINGLE_RECORD_CHECKS,
  ...DISCOVERY_CHECKS,
  ...CLIENT_CHECKS,
  ...DOWNLOAD_CHECKS,
  ...PAYMENT_CHECKS,
  ...RATE_CHECKS,
  ...SAFETY_CHECKS,
];
