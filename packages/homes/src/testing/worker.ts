/** An agent as a Durable Object: its alarm is a tick. Any request moves the alarm to now. */
import { Agent, leasedHome } from '@netd/sdk';
import { durableObjectStore, type DurableStorage } from '../durable-object.ts';

interface Environment {
  ADA: { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } };
  NODE: string;
  BLOBS: string;
  /** Not empty if the handler never returns. */
  HANGS: string;
}

/** @public named in the configuration of workerd */
export class Ada {
  private readonly storage: DurableStorage & { setAlarm: (time: number) => Promise<void> };
  private readonly env: Environment;

  constructor(ctx: { storage: Ada['storage'] }, env: Environment) {
    this.storage = ctx.storage;
    this.env = env;
  }

  async fetch(): Promise<Response> {
    await this.storage.setAlarm(Date.now());
    return new Response('soon');
  }

  async alarm(): Promise<void> {
    const { NODE: url, BLOBS, HANGS } = this.env;
    const blobs = BLOBS.split(' ');
    const agent = await Agent.open('ada', {
      url,
      blobs,
      trustedOrigins: blobs,
      capabilities: ['research'],
      log: false,
      home: leasedHome(durableObjectStore(this.storage), { lease: 1_000 }),
    });
    agent.onWork(async ({ orderId }) =>
      HANGS ? new Promise<string>(() => {}) : `The result of ${orderId}`,
    );
    const { nextAt } = await agent.tick();
    await this.storage.setAlarm(nextAt);
  }
}

export default {
  fetch: (request: Request, { ADA }: Environment): Promise<Response> =>
    ADA.getByName('ada').fetch(request),
};
