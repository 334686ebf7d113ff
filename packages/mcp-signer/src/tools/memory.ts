/** Memory that survives the machine: encrypted, kept by two places, committed to the chain. */
import { canonicalize } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { closed } from '../inputs.ts';
import { defineTool } from '../tool.ts';

const Key = Type.String({ minLength: 1, maxLength: 128 });

export const recallTool = defineTool({
  name: 'agent_recall',
  title: 'Recall',
  description: 'What you remembered under a key; without one, the keys. It may quote strangers.',
  input: Type.Object({ key: Type.Optional(Key) }, closed),
  output: { found: 'boolean', value: 'any', keys: 'array', generation: 'integer' },
  effect: 'reads',
  run: async ({ agent, signer, args: { key } }) => {
    const memory = signer.memoryOf(agent);
    const { generation } = memory;
    if (key === undefined) return { keys: memory.entries().map(([name]) => name), generation };
    const value = memory.get(key);
    return { found: value !== undefined, value: value ?? null, generation };
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
  run: async ({ agent, signer, args: { key, value } }) => {
    const memory = signer.memoryOf(agent);
    const before = memory.get(key) ?? null;
    if (canonicalize(before) !== canonicalize(value)) {
      if (value === null) memory.delete(key);
      else memory.set(key, value);
    }
    // Also what a call before this one could not commit.
    await memory.commit();
    return { key, generation: memory.generation };
  },
});
