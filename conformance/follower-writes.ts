/**
 * Operations that a follower refuses with FOLLOWER_TAKES_NO_WRITES, with the reasons. Their requirements are
 * checked as a follower's client sees them: send to the writer, read at the follower.
 */
export const AT_THE_WRITER: Readonly<Record<string, string>> = {
  'POST /v1/agents/register': 'Who orders transitions decides which of two takes a name.',
  'POST /v1/intents':
    'The node that orders transitions decides which ones to refuse, and certifies the rest.',
  'POST /v1/operator-applications': 'An application is a transition as well.',
  'POST /v1/operator-invitations/claim': 'So is the claim of a role.',
  'POST /v1/work-orders': 'An intent in another envelope.',
  'POST /v1/memory/checkpoints': 'An intent in another envelope.',
  'POST /v1/memory/handovers': 'An intent in another envelope.',
  'POST /v1/protocol/contributions': 'An intent in another envelope.',
};
