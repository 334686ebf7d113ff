/** Reads the page once, pays its author once, and answers. */
import type { Job } from 'net-sdk';
import { count } from './services.ts';

export const counter = {
  ...count,
  handler: async (job: Job<{ page: string }>) => {
    const letters = await job.step('read', async () => {
      const response = await fetch(job.data.page);
      if (!response.ok) throw new Error(`${job.data.page}: ${response.status}`);
      return (await response.text()).length;
    });
    console.log(`counted ${job.orderId}`);
    await job.act('royalty', 'transfer', { to: 'author', amount: '1 NET' });
    return { letters };
  },
};
