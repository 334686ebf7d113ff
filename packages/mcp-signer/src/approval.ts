/** Asks the owner through the client, above what may be spent without asking. The answer counts for that very call. */
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
  /** The hash of the call that was asked about. */
  call: string;
}

/** Seals what the owner was asked, with a key of this process: no other process can claim that something was asked. */
export const askedState = createRequestStateCodec<AskedState>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

interface Asking {
  tool: string;
  args: JsonObject;
  spending: Spending;
  /** Why the owner is asked. */
  why: string;
  /** Capabilities that the client says it has. */
  capabilities: ClientCapabilities | undefined;
}

/**
 * For a call that is beyond what may go unasked.
 * @returns unet that may go after it unasked where the owner has approved it, else what the client is to ask first
 * @throws SignerError APPROVAL_DECLINED, APPROVAL_IMPOSSIBLE; what would refuse the call anyway
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
      // A number without its float: `0.29` is 290000 unet, and what is no whole unet is asked about again.
      return parseAmount(String(answer.content['more']), 'NET') ?? 0;
    }
    throw new SignerError('APPROVAL_DECLINED', netText(amount));
  }
  if (!canAsk(capabilities)) throw new SignerError('APPROVAL_IMPOSSIBLE', why);
  await check();
  return inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        // Names and texts of strangers stand in it.
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

/** So that ten small payments are one question. */
const MORE = {
  more: {
    type: 'number',
    title: 'NET that may go after it without another question',
    minimum: 0,
    default: 0,
  },
} as const;

/** A client that says elicitation and nothing more means forms. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}
