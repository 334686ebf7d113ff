/** usage: node zz-follow.ts TREE... : copies of the kept chain, in turns by tree. env N, T, ARGS, CHAIN */
import { existsSync, rmSync } from 'node:fs';
import { beaconIntents, makeAgents } from './agents.ts';
import { cpuTimeOf, cpuTimeSince } from './cpu-time.ts';
import { memoryOf, YardstickTurns } from './measure.ts';
import { RemoteProgram } from './remote-program.ts';
import { StateBuilder } from './states.ts';
const N = Number(process.env['N'] ?? 80_000), T = Number(process.env['T'] ?? 2);
const chain = process.env['CHAIN'] ?? '/tmp/p/signed';
const args = (process.env['ARGS'] ?? '').split(' ').filter(Boolean);
if (!existsSync(chain)) {
  const agents = makeAgents(1000);
  const start = await StateBuilder.build(chain, (s) => s.register(agents));
  const filler = new RemoteProgram<any>(new URL('in-process-node.ts', import.meta.url), ['--expose-gc']);
  await filler.call('open', { dataDir: chain } as never);
  for (let d = 0; d < N; d += 10_000) await filler.call('submit', { intents: beaconIntents(agents, 10_000, start) } as never, 900);
  await filler.stop();
}
const trees = process.argv.slice(2);
const ys = new YardstickTurns();
for (let t = 0; t < T; t++) for (const tree of trees) {
  const writer = new RemoteProgram<any>(new URL(`file://${tree}/bench/src/served-node.ts`));
  const port = (await writer.call('open', { dataDir: chain } as never)) as number;
  const origin = `http://127.0.0.1:${port}`;
  const { height } = (await (await fetch(`${origin}/v1/network`)).json()) as any;
  const copy = new RemoteProgram<any>(new URL(`file://${tree}/bench/src/following-node.ts`), args);
  await new Promise((r) => setTimeout(r, 1000));
  let memory = 0;
  const s = setInterval(() => { memory = Math.max(memory, memoryOf(copy.pid).anonymous); }, 50);
  const c0 = cpuTimeOf(copy.pid), w0 = cpuTimeOf(writer.pid);
  const { result: r, yardstick: y } = await ys.take(() => copy.call('follow', { dataDir: '/tmp/p/copy', origin, from: 'genesis', height } as never, 900));
  clearInterval(s);
  const c = cpuTimeSince(c0, cpuTimeOf(copy.pid)), w = cpuTimeSince(w0, cpuTimeOf(writer.pid));
  const per = (o: any) => { const e = Object.entries(o).map(([k, v]: any) => [k, +(v / (r as any).transitions).toFixed(1)]); return { ...Object.fromEntries(e), all: +e.reduce((a: number, [, v]: any) => a + v, 0).toFixed(1) }; };
  const rr = r as any;
  console.log(tree, height, 'blocks', Math.round(rr.transitions / rr.seconds), '/s ratio', (rr.transitions / rr.seconds / y.perSecond).toFixed(3), 'verif µs', y.cpuMicroseconds.toFixed(1), 'share', y.coreShare.toFixed(2), 'MB', Math.round(memory));
  console.log('  copy', JSON.stringify(per(c)), 'writer', JSON.stringify(per(w)));
  await copy.call('stop', null as never); await copy.stop(); await writer.stop();
  rmSync('/tmp/p/copy', { recursive: true, force: true });
}
process.exit();
