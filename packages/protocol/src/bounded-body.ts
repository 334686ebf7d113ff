export type Body = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Returns null if the body is longer than `most` bytes, so that a stranger cannot fill our memory. */
export async function readBounded(body: Body | null, most: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body === null ? [] : partsOf(body)) {
    length += part.length;
    if (length > most) return null;
    parts.push(part);
  }
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Uses a reader, because not every browser can iterate over a stream. */
async function* partsOf(body: Body): AsyncGenerator<Uint8Array, void> {
  if (!('getReader' in body)) {
    yield* body;
    return;
  }
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
