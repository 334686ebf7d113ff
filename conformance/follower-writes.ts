/**
 * What a follower does not do itself, and why. Requirements about these are looked at where a client of a follower meets
 * them: the follower refuses by FOLLOWER_TAKES_NO_WRITES, its writer takes the same bytes, and what came of it is read at the
 * follower. All other requirements hold of a follower as of any node.
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
