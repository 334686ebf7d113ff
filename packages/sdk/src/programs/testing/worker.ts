/** The service and the pipeline as Durable Objects. Each alarm runs a tick, and each request sets the alarm to now. */
import { Agent, leasedHome } from 'net-sdk';
import { durableObjectStore, type DurableStorage } from 'net-sdk/homes';
import { counter } from './counter.ts';
import { totaller } from './totaller.ts';

interface Environment {
  RESIDENT: { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } };
  NET_URL: string;
  /** The program: `service` or `pipeline`. */
  PROGRAM: string;
}

/** @public named in the configuration of workerd */
export class Resident {
  private readonly storage: DurableStorage & { setAlarm: (time: number) => Promise<void> };
  private readonly env: Environment;

  constructor(ctx: { storage: Resident['storage'] }, env: Environment) {
    this.storage = ctx.storage;
    this.env = env;
  }

  async fetch(): Promise<Response> {
    await this.storage.setAlarm(Date.now());
    return new Response('soon');
  }

  async alarm(): Promise<void> {
    const { NET_URL: url, PROGRAM } = this.env;
    const [name, service, amount] =
      PROGRAM === 'pipeline'
        ? (['totaller', totaller, '50 NET'] as const)
        : (['counter', counter, '5 NET'] as const);
    const home = leasedHome(durableObjectStore(this.storage), { lease: 1_000 });
    const agent = await Agent.open(name, { url, home });
    try {
      await agent.act('faucet', { amount }, { id: 'start' });
      agent.serve(service);
      const { nextAt } = await agent.tick();
      await this.storage.setAlarm(nextAt);
    } catch (error) {
      console.error(String(error));
      throw error;
    } finally {
      await agent.stop();
    }
  }
}

export default {
  fetch: (request: Request, { RESIDENT }: Environment): Promise<Response> =>
    RESIDENT.getByName('resident').fetch(request),
};
