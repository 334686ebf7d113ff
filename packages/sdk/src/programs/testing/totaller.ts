/** Hires the counter for one page after the other, and adds up what it has counted. */
import type { Job } from 'net-sdk';
import { count, total } from './services.ts';

export const totaller = {
  ...total,
  handler: async (job: Job<{ pages: string[] }>) => {
    let letters = 0;
    for (const [index, page] of job.data.pages.entries()) {
      const hired = await job.hire(`count ${index}`, {
        title: count.name,
        instructions: count.description,
        jobType: count.name,
        input: { page },
        returns: count.output,
        funding: count.price,
      });
      const result = await job.step(`result ${index}`, async () => (await hired.result()).value);
      letters += result.letters;
    }
    return { letters };
  },
};
