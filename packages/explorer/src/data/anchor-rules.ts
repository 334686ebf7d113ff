/**
 * What this browser takes for the network: the hash of a genesis. Everything that the page calls proven leads back to it. It comes
 * from the reader, who has it from elsewhere (`pinned`), or it is what the node said when this browser first met it (`first-seen`):
 * then the node may have made up the whole chain, and the page says so.
 */

export interface Anchor {
  genesisHash: string;
  source: 'pinned' | 'first-seen';
  /** Milliseconds since 1970. */
  since: number;
}

/** `other`: the node serves another chain than the anchor says, so that nothing of it can be proven. */
export type AnchorState = 'pinned' | 'first-seen' | 'other';

const HASH = /^[a-f0-9]{64}$/;

/** @returns null for what is no anchor */
export function readAnchor(stored: unknown): Anchor | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { genesisHash, source, since } = stored as Partial<Anchor>;
  if (typeof genesisHash !== 'string' || !HASH.test(genesisHash)) return null;
  if (source !== 'pinned' && source !== 'first-seen') return null;
  return { genesisHash, source, since: Number.isSafeInteger(since) ? Number(since) : 0 };
}

/** The anchor after the node has named its genesis: one that is there stays, whatever the node says. */
export function meet(anchor: Anchor | null, told: string, now: number): Anchor {
  return anchor ?? { genesisHash: told, source: 'first-seen', since: now };
}

/** @throws RangeError for what is no hash, with a sentence for the reader */
export function pin(text: string, now: number): Anchor {
  const genesisHash = text.trim().toLowerCase();
  if (!HASH.test(genesisHash)) {
    throw new RangeError('A genesis hash has 64 digits, of 0 to 9 and a to f.');
  }
  return { genesisHash, source: 'pinned', since: now };
}

/** Whether an anchor may take the place of another only when the reader has seen both: what was pinned stays until then. */
export function needsConsent(anchor: Anchor | null, next: Anchor): boolean {
  return (
    anchor?.source === 'pinned' &&
    !(next.source === 'pinned' && next.genesisHash === anchor.genesisHash)
  );
}

export function stateOf(anchor: Anchor, told: string): AnchorState {
  return anchor.genesisHash === told ? anchor.source : 'other';
}
