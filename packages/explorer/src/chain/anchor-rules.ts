/**
 * A genesis hash that every proof starts from. `pinned`: the reader knows it from elsewhere. `first-seen`:
 * the node named it at the first visit, so the node may have invented the chain, and the page says so.
 */

export interface Anchor {
  genesisHash: string;
  source: 'pinned' | 'first-seen';
  /** Milliseconds since 1970. */
  since: number;
}

/** `other`: the chain does not match the anchor, so nothing can be proven. */
export type AnchorState = 'pinned' | 'first-seen' | 'other';

const HASH = /^[a-f0-9]{64}$/;

export function readAnchor(stored: unknown): Anchor | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { genesisHash, source, since } = stored as Partial<Anchor>;
  if (typeof genesisHash !== 'string' || !HASH.test(genesisHash)) return null;
  if (source !== 'pinned' && source !== 'first-seen') return null;
  return { genesisHash, source, since: Number.isSafeInteger(since) ? Number(since) : 0 };
}

export function meet(anchor: Anchor | null, told: string, now: number): Anchor {
  return anchor ?? { genesisHash: told, source: 'first-seen', since: now };
}

export function pin(text: string, now: number): Anchor {
  const genesisHash = text.trim().toLowerCase();
  if (!HASH.test(genesisHash)) {
    throw new RangeError('A genesis hash has 64 digits, of 0 to 9 and a to f.');
  }
  return { genesisHash, source: 'pinned', since: now };
}

/** Returns true if a pinned anchor would be replaced, which the reader must confirm. */
export function needsConsent(anchor: Anchor | null, next: Anchor): boolean {
  return (
    anchor?.source === 'pinned' &&
    !(next.source === 'pinned' && next.genesisHash === anchor.genesisHash)
  );
}

export function stateOf(anchor: Anchor, told: string): AnchorState {
  return anchor.genesisHash === told ? anchor.source : 'other';
}
