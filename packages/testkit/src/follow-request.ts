/** Signs and sends a document's `nextActions`, as a reader of /v1/conventions would. */
import type { JsonObject, JsonValue } from '@netd/protocol';
import type { SignedRequest } from '@netd/documents/testing';
import type { Answer, HttpNode } from './http-node.ts';

/**
 * @param actorId the signer, if the envelope leaves it open
 * @param fill values for the payload members that the request marks for replacement
 * @throws Error if anything but a named example needs replacing
 */
export async function followRequest(
  node: HttpNode,
  request: SignedRequest,
  actorId: string,
  fill: Readonly<Record<string, JsonValue>> = {},
): Promise<Answer> {
  const { endpoint, replace, envelope } = request;
  const placeholders: Record<string, string> = {
    'your-agent-id': actorId,
    'a-fresh-nonce': node.freshNonce(),
  };
  const { action, payload, ...members } = replaced(envelope as JsonObject, placeholders);
  const filled = { ...(payload as JsonObject) };
  for (const { path } of replace) {
    const name = path.replace('/payload/', '');
    if (name in fill) filled[name] = fill[name] as JsonValue;
  }
  const signer = members['actorId'] as string;
  return node.post(endpoint, node.intent(signer, action as string, filled, members));
}

function replaced(
  envelope: JsonObject,
  placeholders: Readonly<Record<string, string>>,
): JsonObject {
  return JSON.parse(JSON.stringify(envelope), (_, value: unknown) =>
    typeof value === 'string' ? (placeholders[value] ?? value) : value,
  ) as JsonObject;
}
