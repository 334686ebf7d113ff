import { canonicalize } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { closed, Cursor } from '../inputs.ts';
import { cursorAt, firstFew, offsetOf, valuePage } from '../page.ts';
import { defineTool } from '../tool.ts';

const Key = Type.String({ minLength: 1, maxLength: 128 });

export const recallTool = defineTool({
  name: 'agent_recall',
  title: 'Recall',
  description: 'What you remembered under a key; without one, the keys. It may quote strangers.',
  input: Type.Object({ key: Type.Optional(Key), cursor: Cursor }, closed),
  output: {
    found: 'boolean',
    value: 'any',
    json: 'string',
    keys: 'array',
    generation: 'integer',
    nextCursor: 'any',
  },
  effect: 'reads',
  needs: ['commitMemoryCheckpoint'],
  run: async ({ agent, signer, args: { key, cursor } }) => {
    const offset = offsetOf(cursor);
    const memory = signer.memoryOf(agent);
    const { generation } = memory;
    if (key === undefined) {
      const all = memory.entries().map(([name]) => name);
      const keys = firstFew(all.slice(offset));
      const end = offset + keys.length;
      return { keys, generation, nextCursor: cursorAt(end < all.length ? end : null) };
    }
    const value = memory.get(key);
    const { nextOffset, ...said } = valuePage(value ?? null, offset);
    return {
      found: value !== undefined,
      generation,
      ...said,
      nextCursor: cursorAt(nextOffset),
    };
  },
});

export const rememberTool = defineTool({
  name: 'agent_remember',
  title: 'Remember',
  description:
    'Keeps a JSON value under a key, across sessions and machines, readable by your agent alone; null forgets it.',
  input: Type.Object({ key: Key, value: Type.Unknown({ description: 'JSON.' }) }, closed),
  output: { key: 'string', generation: 'integer' },
  effect: 'acts',
  needs: ['commitMemoryCheckpoint'],
  run: async ({ agent, signer, args: { key, value } }) => {
    const memory = signer.memoryOf(agent);
    const before = memory.get(key) ?? null;
    if (canonicalize(before) !== canonicalize(value)) {
      if (value === null) memory.delete(key);
      else memory.set(key, value);
    }
    // Also commit changes that an earlier call failed to commit.
    await memory.commit();
    return { key, generation: memory.generation };
  },
});
