/** The cells of a notebook. Each runs twice. PAGES names the pages, and PATIENCE bounds each cell in milliseconds. */
import { Agent } from 'net-sdk';
import { total } from './services.ts';

const timeout = Number(process.env['PATIENCE'] ?? 600_000);
const pages = (process.env['PAGES'] ?? '').split(' ');

const agent = await Agent.open('reader', { timeout });
const cells = [
  () => agent.act('faucet', { amount: '50 NET' }, { id: 'money', timeout }),
  () => agent.call(total, { pages }, { id: 'total-for-reader', timeout }),
];
let shown: unknown;
try {
  for (const cell of cells) {
    await cell();
    shown = await cell();
  }
} finally {
  await agent.stop();
}
console.log(JSON.stringify(shown));
