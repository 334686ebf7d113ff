/** Counts downloads under way: slots are few, and a client that takes them without reading keeps others out. */
import type { FastifyReply } from 'fastify';
import { BlobError } from './errors.ts';
import type { BlobLimits } from './limits.ts';

export class Downloads {
  private readonly limits: Pick<BlobLimits, 'downloads' | 'downloadsOfAddress'>;
  private underWay = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(limits: Pick<BlobLimits, 'downloads' | 'downloadsOfAddress'>) {
    this.limits = limits;
  }

  /**
   * Takes a place.
   * @returns what gives it back
   * @throws BlobError BUSY
   */
  begin({ raw, request: { ip } }: FastifyReply): () => void {
    const own = this.byAddress.get(ip) ?? 0;
    const { downloads, downloadsOfAddress } = this.limits;
    // Of what a connection asks for ahead nothing can be written before the end of what it reads now.
    const isAhead = raw.socket === null;
    if (isAhead || this.underWay >= downloads || own >= downloadsOfAddress) {
      throw new BlobError('BUSY', 1);
    }
    this.underWay += 1;
    this.byAddress.set(ip, own + 1);
    return () => {
      this.underWay -= 1;
      const left = (this.byAddress.get(ip) ?? 1) - 1;
      if (left === 0) this.byAddress.delete(ip);
      else this.byAddress.set(ip, left);
    };
  }
}
