/** Makes session keys, which act for the agent within bounds. The file must be saved before the grant. */
import { bytesToHex } from '@netd/protocol';
import { AgentKey } from '@netd/sdk/core';
import { makeSessionFile, readsSealed, sessionText } from '@netd/sdk/internal';
import type { Holder } from './holder.ts';
import type { KeyFile } from './key-files.ts';
import type { Wish } from './signing.ts';

export interface SessionDraft {
  actions: readonly string[];
  budget: number;
  maxAmount: number | null;
  expiresAtHeight: number;
  label: string;
}

/** Makes a key that has no power before its grant. */
export async function makeSession(
  { actorId, chainId, encryption }: Holder,
  { actions, budget, maxAmount, expiresAtHeight, label }: SessionDraft,
): Promise<{ file: KeyFile; wish: Wish }> {
  const sessionId = `s-${bytesToHex(crypto.getRandomValues(new Uint8Array(6)))}`;
  const reads = readsSealed(actions, undefined) && encryption !== null;
  const session = await makeSessionFile({ chainId, actorId, sessionId }, reads ? encryption : null);
  const key = await AgentKey.fromPem(session);
  const { publicKey, publicKeyHash } = key;
  const wish: Wish = {
    action: 'grantSession',
    // The session's key consents by signing the nonce of the granting envelope.
    payload: async ({ nonce, chainId: chain, genesis }) => ({
      ...genesis,
      sessionId,
      publicKey,
      publicKeyHash,
      sessionKeySignature: (
        await key.sign({
          schema: 'NET-SESSION-KEY/1',
          chainId: chain,
          actorId,
          sessionId,
          publicKey,
          nonce,
          ...genesis,
        })
      ).signature,
      actions: [...actions],
      budget,
      expiresAtHeight,
      ...(maxAmount === null ? {} : { maxAmount }),
      ...(label === '' ? {} : { label }),
    }),
  };
  return { file: { name: `${actorId}.session-${sessionId}`, text: sessionText(session) }, wish };
}
