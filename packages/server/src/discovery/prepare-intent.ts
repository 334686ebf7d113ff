import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { admissionFacts, dryRun } from '@netd/documents';
import { ApiError, explainRefusal, toApiError, type Snapshot } from '@netd/engine';
import { ACTIONS, type Action } from '@netd/ledger';
import { bytesToSign, compileSchema, sha256Hex, utf8Text, type JsonObject } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { textsForModel, untrusted } from '@netd/protocol/untrusted';
import { randomUUID } from 'node:crypto';
import type { HttpContext } from '../http/context.ts';
import { makeProblem } from '../http/problem.ts';

export const PREPARE_INTENT = 'net_prepare_intent';

const VALID_HEIGHTS = 500;
const ANNOUNCED_HEIGHTS = 2_000;

const Input = exactly({
  actorId: Type.String({ minLength: 2, maxLength: 64, description: 'Who will sign.' }),
  action: Type.String({ maxLength: 64, description: 'Such as transfer.' }),
  payload: Type.Object({}, { description: 'What you know of it; what follows is filled in.' }),
  sessionId: Type.Optional(
    Type.String({ maxLength: 128, description: 'If the key of a session signs.' }),
  ),
});

export const violationsOfPrepare = compileSchema(Input, { listAll: true });
export const PREPARE_TAKES: readonly string[] = Object.keys(Input.properties);

export const DESCRIBED_PREPARE: Tool = {
  name: PREPARE_INTENT,
  title: 'Prepare an intent',
  description:
    'The exact bytes to sign for one action, with nonce, expiry and what follows from actor and chain filled in, tried against the rules. Sends nothing; sign where your key is. Call net_join_instructions for how envelopes are signed and sent. Data of others is marked in the text, and bare in structuredContent.',
  inputSchema: JSON.parse(JSON.stringify(Input)) as Tool['inputSchema'],
  outputSchema: {
    type: 'object',
    properties: {
      envelope: { type: 'object' },
      bytes: { type: 'string' },
      bytesSha256: { type: 'string' },
      filledIn: { type: 'array' },
      refusal: { type: 'object' },
      sign: { type: 'string' },
    },
  },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export interface WantedIntent {
  actorId: string;
  action: string;
  payload: JsonObject;
  sessionId?: string;
}

export function prepareIntent(context: HttpContext, given: WantedIntent): CallToolResult {
  const action = ACTIONS.get(given.action);
  if (!action) {
    const names = [...ACTIONS.keys()].join(', ');
    throw new ApiError('PARAMETER_INVALID', {
      errors: [{ path: '/action', message: `is none of ${names}` }],
    });
  }
  const { data, own } = context.read((snapshot) => prepared(snapshot, action, given));
  // Mark the envelope, because it repeats the caller's input, which may come from anyone.
  const { envelope, bytes, ...others } = data;
  const says = untrusted(null, bytes === undefined ? { envelope } : { envelope, bytes });
  const texts = textsForModel({ ...own, ...others, says });
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: { ...own, ...data },
  };
}

interface Prepared {
  data: { envelope: JsonObject; bytes?: string; bytesSha256?: string; refusal?: JsonObject };
  own: { filledIn: string[]; sign?: string };
}

function prepared(
  snapshot: Snapshot,
  action: Action,
  { actorId, payload: known, sessionId }: WantedIntent,
): Prepared {
  const { height } = snapshot;
  const rules = filledIn(action, { actorId, height });
  const missing = Object.entries(rules).filter(([name]) => !Object.hasOwn(known, name));
  const payload: JsonObject = { ...known, ...Object.fromEntries(missing) };
  const envelope: JsonObject = {
    actorId,
    nonce: randomUUID(),
    expiresAtHeight: height + VALID_HEIGHTS,
    action: action.name,
    payload,
    chainId: snapshot.block.header.chainId,
    ...(sessionId === undefined ? {} : { sessionId }),
  };
  const outcome = dryRun(snapshot, Date.now()).tryAction(actorId, action.name, payload);
  const own = {
    filledIn: [
      'nonce',
      'expiresAtHeight',
      'chainId',
      ...missing.map(([name]) => `payload.${name}`),
    ],
  };
  if (!outcome.ok) {
    const refusal = explainRefusal(outcome.refusal, envelope, admissionFacts(snapshot).state);
    const { code, data } = toApiError(refusal);
    const { detail } = makeProblem(code, '', data);
    return {
      data: {
        envelope,
        refusal: { code, detail, errors: data.errors ?? [] } as unknown as JsonObject,
      },
      own,
    };
  }
  const bytes = bytesToSign(envelope);
  return {
    data: { envelope, bytes: utf8Text(bytes), bytesSha256: sha256Hex(bytes) },
    own: {
      ...own,
      sign: 'Ed25519 over the UTF-8 of `bytes`, as padded base64, is the member `signature` of `envelope`; then send that.',
    },
  };
}

function filledIn(
  { actor, payload }: Action,
  { actorId, height }: { actorId: string; height: number },
): JsonObject {
  const { properties, required = [] } = payload as unknown as {
    properties: Record<string, { const?: string }>;
    required?: string[];
  };
  return Object.fromEntries(
    required.flatMap((name): [string, string | number][] => {
      if (name === actor) return [[name, actorId]];
      if (name === 'expiresAtHeight') return [[name, height + ANNOUNCED_HEIGHTS]];
      const only = properties[name]?.const;
      return only === undefined ? [] : [[name, only]];
    }),
  );
}
