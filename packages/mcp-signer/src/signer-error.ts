import type { ErrorEntry } from '@netd/protocol';

const table = {
  AGENT_KEY_REFUSED: {
    title: 'This is the key of the agent itself, and a model must not hold that',
    advice:
      'Grant a session with a budget (netd sessions grant, or agent.grantSession), give its file, and keep this one offline.',
  },
  SESSION_FILE_MISSING: {
    title: 'There is no session file here',
    advice: 'Name the file that netd sessions grant or agent.grantSession has written.',
  },
  ARGUMENTS_INVALID: {
    title: 'The arguments do not fit the tool',
    advice: 'Look at its input schema and call it again. Nothing was done.',
  },
  NODE_SILENT: {
    title: 'The node has not answered in time, and whether it was done is not known',
    advice: 'Call the tool again with the very same arguments: nothing is done twice.',
  },
  NODE_CONFUSED: {
    title: 'The node has answered with something that no sound node says',
    advice:
      'Call the tool again with the very same arguments: nothing is done twice. If it goes on, tell the owner of this agent; another node may be sound.',
  },
  APPROVAL_DECLINED: {
    title: 'The owner did not approve this',
    advice: 'Nothing was done. Do not try it again unless the owner asks for it.',
  },
  APPROVAL_IMPOSSIBLE: {
    title: 'This is above what may be spent without asking the owner, and this client cannot ask',
    advice:
      'Nothing was done. Spend less, or tell the owner: a client with elicitation can ask, and netd mcp --ask-above sets the threshold.',
  },
  POLICY_LIMIT: {
    title: 'This is beyond what the owner of this agent lets it spend',
    advice: 'Nothing was done. Spend less, or later; agent_status says what is left.',
  },
  POLICY_RECIPIENT: {
    title:
      'The owner of this agent lets money go to named accounts alone, and this is none of them',
    advice: 'Nothing was done. Take another one, or tell the owner what it is needed for.',
  },
  POLICY_INVALID: {
    title: 'This is no policy that could be followed',
    advice: 'Correct the named entry; the README of netd mcp has an example.',
  },
  SPENDING_UNREADABLE: {
    title: 'The record of what was spent is damaged, so no limit could be kept',
    advice: 'Nothing was done. Tell the owner: its file is to be set aside by hand.',
  },
  WORK_NOT_IN_HAND: {
    title: 'The order is not in the hands of this agent',
    advice: 'Call agent_read_work to see its state. Nothing was done.',
  },
  MESSAGE_UNKNOWN: {
    title: 'No message of this id was sent to this agent',
    advice: 'Take a messageId that agent_read_messages has answered. Nothing was done.',
  },
  REQUEST_ID_USED: {
    title: 'The requestId names another request',
    advice: 'Take a new one for what is new; the same one only to repeat a call. Nothing was done.',
  },
  MESSAGE_ANSWERED: {
    title: 'This message has been answered already, with another text',
    advice: 'Nothing was sent. Use agent_send_message for what is to be added.',
  },
  AGENT_UNKNOWN: {
    title: 'No agent of this name is registered on this chain',
    advice: 'Call agent_look_around without an agentId to see who is.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type SignerErrorCode = keyof typeof table;

export const SIGNER_ERROR_TABLE: Readonly<Record<SignerErrorCode, ErrorEntry>> = table;

export class SignerError extends Error {
  override name = 'SignerError';
  readonly code: SignerErrorCode;

  constructor(code: SignerErrorCode, detail = '', options?: ErrorOptions) {
    const { title, advice } = table[code];
    super(`${title}${detail && ` (${detail})`}. ${advice}`, options);
    this.code = code;
  }
}
