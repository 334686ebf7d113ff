interface BatchViews {
  lengths: Uint32Array;
  /** 32 bytes each. */
  keys: Uint8Array;
  /** 64 bytes each. */
  signatures: Uint8Array;
  /** 1 if the point of the key must be checked too. */
  newKeys: Uint8Array;
  messages: Uint8Array;
}

const BYTES_PER_COUNT = 4;
const BYTES_PER_SIGNATURE = 4 + 32 + 64 + 1;

export function batchSize(count: number, messageBytes: number): number {
  return BYTES_PER_COUNT + count * BYTES_PER_SIGNATURE + messageBytes;
}

export function batchViews(batch: ArrayBuffer, count?: number): BatchViews {
  const header = new Uint32Array(batch, 0, 1);
  if (count !== undefined) header[0] = count;
  const [signatures = 0] = header;
  let at = BYTES_PER_COUNT;
  const next = (bytes?: number): Uint8Array => {
    const view = new Uint8Array(batch, at, bytes);
    at += view.length;
    return view;
  };
  const lengths = new Uint32Array(batch, at, signatures);
  at += lengths.byteLength;
  return {
    lengths,
    keys: next(signatures * 32),
    signatures: next(signatures * 64),
    newKeys: next(signatures),
    messages: next(),
  };
}

export const BAD_SIGNATURE = 0;
export const VALID = 1;
/** The signature is valid, but the key may not be registered. */
export const INVALID_KEY = 2;
