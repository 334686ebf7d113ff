/** The services of the market: workers and buyers import them. */
import { defineService } from 'net-sdk';
import { z } from 'zod';

/** Counts the letters of a page. */
export const count = defineService({
  name: 'count-letters',
  input: z.object({ page: z.string() }),
  output: z.object({ letters: z.int() }),
  price: '10 NET',
});

/** Adds up the letters of several pages. */
export const total = defineService({
  name: 'total-letters',
  input: z.object({ pages: z.array(z.string()).max(10) }),
  output: z.object({ letters: z.int() }),
  price: '40 NET',
});
