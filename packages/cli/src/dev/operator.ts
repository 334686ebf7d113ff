import { dirname, join } from 'node:path';
import { publicKeyHash, UNET_PER_NET } from '@netd/protocol';
import { AgentKey, NetClient, NetError, type Actor } from '@netd/sdk';
import type { Staff, StaffKey } from '@netd/house';
import { readKeyFile } from '@netd/node/keys';
import { controlTokenOf } from '../control-token.ts';
import { takeOver } from './fork-house.ts';

/** Maximum unet per hour for the house's agents. */
const HOURLY_ALLOWANCE = 1_000 * UNET_PER_NET;
const HOUR_MILLISECONDS = 3_600_000;

const allKeys = ({ verifiers, keepers, echo, requester }: Staff): StaffKey[] => [
  ...verifiers,
  ...keepers,
  echo,
  requester,
];

function unlessUnknown(error: unknown): null {
  if (error instanceof NetError && error.code === 'AGENT_NOT_FOUND') return null;
  throw error;
}

export class HouseOperator {
  private readonly client: NetClient;
  private readonly keyPath: string;
  private readonly staff: Staff;
  private readonly isFork: boolean;
  private turn: Promise<void> = Promise.resolve();
  private paid: { at: number; amount: number }[] = [];

  /** @param isFork true if the chain already has agents of its origin's house */
  constructor(url: string, keyPath: string, staff: Staff, isFork = false) {
    this.isFork = isFork;
    // A fork is a laboratory. Its secret is next to the operator's key.
    const controlToken = controlTokenOf({ controlPath: join(dirname(keyPath), 'control') });
    this.client = new NetClient({ url, ...(controlToken === undefined ? {} : { controlToken }) });
    this.keyPath = keyPath;
    this.staff = staff;
  }

  /** Reads the operator's key each time, because it may have been rotated. */
  private async operator(): Promise<Actor> {
    const file = readKeyFile(this.keyPath);
    return { actorId: file.actorId, key: await AgentKey.fromPem(file) };
  }

  /**
   * Runs acts one after another, so that nothing is approved or paid twice.
   * @returns the error, or null
   */
  private alone(act: () => Promise<void>): Promise<string | null> {
    const done = this.turn.then(act);
    this.turn = done.catch(() => {});
    return done.then(
      () => null,
      (error: unknown) => (error as Error).message,
    );
  }

  /**
   * Registers the house's names with its keys, before a stranger takes one.
   * @returns a name that a stranger has, which prevents the start; null if there is none
   */
  async holdNames(): Promise<string | null> {
    const taken = await Promise.all(allKeys(this.staff).map((key) => this.holdName(key)));
    return taken.find((actorId) => actorId !== null) ?? null;
  }

  private async holdName(key: StaffKey): Promise<string | null> {
    const { client } = this;
    const { actorId, publicKey } = key;
    const known = await client
      .read('/v1/agents/{agentId}', { agentId: actorId })
      .catch(unlessUnknown);
    if (known !== null) {
      const { authority } = known;
      if (authority.publicKey === publicKey) return null;
      if (!this.isFork) return actorId;
      await takeOver(client, key, authority.publicKeyHash);
      return null;
    }
    try {
      const hold = { actorId, publicKeyHash: publicKeyHash(publicKey) };
      await client.act(await this.operator(), 'reserveName', hold);
      return null;
    } catch (error) {
      if (error instanceof NetError && ['AGENT_EXISTS', 'NAME_TAKEN'].includes(error.code)) {
        return actorId;
      }
      throw error;
    }
  }

  approve(applicationId: string, independenceGroup: string): Promise<string | null> {
    return this.alone(async () => {
      const { client, staff } = this;
      for await (const page of client.pages('/v1/operator-applications', { status: 'PENDING' })) {
        const found = page.applications.find((one) => one.applicationId === applicationId);
        if (!found) continue;
        const own = staff.verifiers.find(({ actorId }) => actorId === found.actorId);
        if (
          found.role !== 'VERIFIER' ||
          found.publicKeyHash !== (own && publicKeyHash(own.publicKey))
        ) {
          throw new Error(`${applicationId} is not an application of the house`);
        }
        await client
          .act(await this.operator(), 'createOperatorInvitation', {
            applicationId,
            independenceGroup,
          })
          .catch((error: unknown) => {
            if (!(error instanceof NetError && error.code === 'APPLICATION_NOT_PENDING'))
              throw error;
          });
        return;
      }
    });
  }

  publish(orderId: string, answer: 'ACCEPT' | 'REJECT'): Promise<string | null> {
    return this.alone(async () => {
      const { client, staff } = this;
      const { order } = await client.read('/v1/work-orders/{orderId}', { orderId });
      if (!staff.probe || order.workerId !== staff.probe.actorId) {
        throw new Error(`${orderId} measures no juror`);
      }
      await client
        .act(await this.operator(), 'publishAnswer', { orderId, answer })
        .catch((error: unknown) => {
          // No juror voted, or the answer is already published.
          if (!(error instanceof NetError && error.code === 'WORK_NOT_MEASURED')) throw error;
        });
    });
  }

  pay(actorId: string, needs: number): Promise<string | null> {
    return this.alone(async () => {
      const { client, staff } = this;
      if (!allKeys(staff).some((key) => key.actorId === actorId))
        throw new Error(`${actorId} is a stranger`);
      const since = Date.now() - HOUR_MILLISECONDS;
      this.paid = this.paid.filter(({ at }) => at > since);
      const left = HOURLY_ALLOWANCE - this.paid.reduce((sum, { amount }) => sum + amount, 0);
      const amount = Math.min(needs, left);
      if (amount <= 0) throw new Error('the operator has paid what it pays in an hour');
      this.paid.push({ at: Date.now(), amount });
      await client.act(await this.operator(), 'transfer', { to: actorId, amount });
    });
  }
}
