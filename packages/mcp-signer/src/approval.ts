/** Asks the owner to approve spending above the limit. An approval covers one call only. */
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { hashValue, type JsonObject, netText, parseAmount } from '@netd/protocol';
import { escapeInvisible } from '@netd/protocol/visible-text';
import { SignerError } from './signer-error.ts';
import type { Spending } from './tool.ts';

const KEY = 'approval';

interface AskedState {
  call: string;
}

export const askedState = createRequestStateCodec<AskedState>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

interface Asking {
  tool: string;
  args: JsonObject;
  spending: Spending;
  why: string;
  capabilities: ClientCapabilities | undefined;
}

/**
 * @returns unet that may be spent without asking after the approval, or the question for the client
 * @throws SignerError APPROVAL_DECLINED, APPROVAL_IMPOSSIBLE, and any error that would refuse the call anyway
 */
export async function approve(
  { mcpReq }: ServerContext,
  { tool, args, spending, why, capabilities }: Asking,
): Promise<InputRequiredResult | number> {
  const { amount, question, check } = spending;
  const call = hashValue({ tool, args, amount });
  const answer = inputResponse(mcpReq.inputResponses, KEY);
  const isAboutThis = mcpReq.requestState<AskedState>()?.call === call;
  if (answer.kind === 'elicit' && isAboutThis) {
    if (answer.action === 'accept' && answer.content?.['approve'] === true) {
      // Parse the text as a decimal: `0.29` must be exactly 290000 unet. Unreadable amounts count as 0.
      return parseAmount(String(answer.content['more']), 'NET') ?? 0;
    }
    throw new SignerError('APPROVAL_DECLINED', netText(amount));
  }
  await check();
  if (!canAsk(capabilities)) throw new SignerError('APPROVAL_IMPOSSIBLE', why);
  return inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message: escapeInvisible(`${question} (${why})`),
        requestedSchema: {
          type: 'object',
          properties: {
            approve: { type: 'boolean', title: 'Approve', default: false },
            ...(amount > 0 ? MORE : {}),
          },
          required: ['approve'],
        },
      }),
    },
    requestState: await askedState.mint({ call }),
  });
}

/** Lets the owner approve several small payments with one question. */
const MORE = {
  more: {
    type: 'number',
    title: 'NET that may go after it without another question',
    minimum: 0,
    default: 0,
  },
} as const;

/** A client that declares elicitation without a mode supports forms. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}
