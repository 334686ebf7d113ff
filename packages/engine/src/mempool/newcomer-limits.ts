export interface NewcomerRates {
  registrationsPerHour: number;
  firstDrawsPerDay: number;
}

const NEWCOMER_RATES: NewcomerRates = {
  registrationsPerHour: 120,
  // A tenth of what a devnet's faucet pays to newcomers in a day.
  firstDrawsPerDay: 100,
};

export type NewcomerAct = 'registration' | 'firstDraw';

const HOUR_MILLISECONDS = 3_600_000;
const MAX_ADDRESSES = 10_000;

interface Count {
  taken: number;
  endsAt: number;
}

export class NewcomerLimits {
  private readonly rates: () => Partial<NewcomerRates> | undefined;
  private readonly counts = {
    registration: new Map<string, Count>(),
    firstDraw: new Map<string, Count>(),
  };
  private readonly now: () => number;

  /**
   * @param rates asked each time, because they may change while the node runs
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    rates: () => Partial<NewcomerRates> | undefined,
    now: () => number = () => performance.now(),
  ) {
    this.rates = rates;
    this.now = now;
  }

  /**
   * Returns null if the address may do this once more.
   * @param share from `addressShare`
   */
  refusal(act: NewcomerAct, share: string): { message: string; retryAfter: number } | null {
    const { registrationsPerHour, firstDrawsPerDay } = { ...NEWCOMER_RATES, ...this.rates() };
    const most = act === 'registration' ? registrationsPerHour : firstDrawsPerDay;
    const count = this.counts[act].get(share);
    const left = (count?.endsAt ?? 0) - this.now();
    if (!count || left <= 0 || count.taken < most) return null;
    const retryAfter = Math.ceil(left / 1_000);
    const what = act === 'registration' ? 'registrations in an hour' : 'first draws in a day';
    const message = `${share} has had the ${most} ${what} that an address may have; try again in ${retryAfter} s`;
    return { message, retryAfter };
  }

  take(act: NewcomerAct, share: string): () => void {
    const counts = this.counts[act];
    const now = this.now();
    let count = counts.get(share);
    if (!count || count.endsAt <= now) {
      const hours = act === 'registration' ? 1 : 24;
      count = { taken: 0, endsAt: now + hours * HOUR_MILLISECONDS };
      counts.delete(share);
      counts.set(share, count);
      const [oldest] = counts.keys();
      if (counts.size > MAX_ADDRESSES && oldest !== undefined) counts.delete(oldest);
    }
    count.taken += 1;
    return () => {
      count.taken -= 1;
    };
  }
}
