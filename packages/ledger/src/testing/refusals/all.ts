/** refusals.test.ts fails if a declared code has no case here. */
import { ACCOUNT_REFUSALS } from './accounts.ts';
import { AGENT_REFUSALS } from './agents.ts';
import type { RefusalCase } from './case.ts';
import { ENVELOPE_REFUSALS } from './envelope.ts';
import { KEY_REFUSALS } from './keys.ts';
import { OPERATOR_REFUSALS } from './operators.ts';
import { PRESENCE_REFUSALS } from './presence.ts';
import { WORK_REFUSALS } from './work.ts';
import { MEMORY_REFUSALS } from './memory.ts';
import { MESSAGE_REFUSALS } from './messages.ts';
import { TOKEN_REFUSALS } from './tokens.ts';
import { STAKING_REFUSALS } from './staking.ts';
import { CONTRIBUTION_REFUSALS } from './contributions.ts';
import { GOVERNANCE_REFUSALS } from './governance.ts';
import { RULES_REFUSALS } from './rules.ts';
import { SESSION_REFUSALS } from './sessions.ts';
import { READINESS_REFUSALS } from './readiness.ts';

export const ALL_REFUSALS: readonly RefusalCase[] = [
  ...ENVELOPE_REFUSALS,
  ...AGENT_REFUSALS,
  ...KEY_REFUSALS,
  ...PRESENCE_REFUSALS,
  ...ACCOUNT_REFUSALS,
  ...WORK_REFUSALS,
  ...MESSAGE_REFUSALS,
  ...MEMORY_REFUSALS,
  ...TOKEN_REFUSALS,
  ...OPERATOR_REFUSALS,
  ...STAKING_REFUSALS,
  ...CONTRIBUTION_REFUSALS,
  ...GOVERNANCE_REFUSALS,
  ...READINESS_REFUSALS,
  ...SESSION_REFUSALS,
  ...RULES_REFUSALS,
];
