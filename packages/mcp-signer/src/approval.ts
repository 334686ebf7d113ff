/** Asks the owner through the client, above what may be spent without asking. The answer counts for that very call. */
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { hashValue, type JsonObject } from '@netd/protocol';
import { netText } from './amount.ts';
import { SignerError } from './signer-error.ts';
import type { Spending } from './tool.ts';

const KEY = 'approval';

interface AskedState {
  /** The hash of the call that was asked about. */
  call: string;
}

/** Per process: nobody else can say that something was asked. */
export const askedState = createRequestStateCodec<AskedState>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

interface Asking {
  tool: string;
  args: JsonObject;
  spending: Spending;
  /** What may go unasked in all, in unet. */
  askAbove: number;
  /** Of the client, as it said itself. */
  capabilities: ClientCapabilities | undefined;
}

/**
 * For a call that is beyond what may go unasked.
 * @returns null where the owner has approved it, else what the client is to ask first
 * @throws SignerError APPROVAL_DECLINED, APPROVAL_IMPOSSIBLE; what would refuse the call anyway
 */
export async function approve(
  { mcpReq }: ServerContext,
  { tool, args, spending, askAbove, capabilities }: Asking,
): Promise<InputRequiredResult | null> {
  const { amount, question, check } = spending;
  const call = hashValue({ tool, args, amount });
  const answer = inputResponse(mcpReq.inputResponses, KEY);
  const isAboutThis = mcpReq.requestState<AskedState>()?.call === call;
  if (answer.kind === 'elicit' && isAboutThis) {
    if (answer.action === 'accept' && answer.content?.['approve'] === true) return null;
    throw new SignerError('APPROVAL_DECLINED', netText(amount));
  }
  const most = `${netText(amount)}; ${netText(askAbove)} in all may go unasked`;
  if (!canAsk(capabilities)) throw new SignerError('APPROVAL_IMPOSSIBLE', most);
  await check();
  return inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: `${question} (${most})`,
        requestedSchema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: 'Approve', default: false } },
          required: ['approve'],
        },
      }),
    },
    requestState: await askedState.mint({ call }),
  });
}

/** A client that says elicitation and nothing more means forms. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}
