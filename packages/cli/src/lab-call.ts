import type { JsonObject } from '@netd/protocol';
import type { SchemaOf } from '@netd/sdk';
import { openNode, type NodeOptions } from './node-address.ts';
import { answer } from './output.ts';
import type { Terminal } from './terminal.ts';

const MODES = {
  automatic: 'made as on every chain',
  each: 'made for each intent, and for what is due',
  none: 'made only on demand (netd lab mine)',
};

/** @param call the last part of the path, and the body; null only reads */
export async function labCall(
  options: NodeOptions,
  terminal: Terminal,
  call: [path: 'mine' | 'time' | 'mode' | 'snapshot' | 'revert', body: JsonObject] | null,
): Promise<void> {
  const { client } = await openNode(options);
  const laboratory =
    call === null
      ? await client.read('/v1/lab')
      : await client.post<SchemaOf<'Laboratory'>>(`/v1/lab/${call[0]}`, call[1]);
  const { chainId, height, timestamp, clock, mode, snapshots } = laboratory;
  answer(terminal, options, laboratory, () => {
    const name = terminal.paint('bold', chainId);
    const line = `${name}  height ${height} of ${timestamp}, clock ${clock}; blocks are ${MODES[mode]}`;
    if (snapshots.length === 0) return line;
    const kept = snapshots.map(({ id, height: at }) => `${id} (height ${at})`);
    return `${line}\n${' '.repeat(chainId.length)}  snapshots ${kept.join(', ')}`;
  });
}
