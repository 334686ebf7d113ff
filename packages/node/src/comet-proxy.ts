import type { Checkpoints } from '@netd/engine';
import {
  CometbftRpc,
  CometbftRpcError,
  type CometNews,
  type LightBlock,
} from '@netd/engine/cometbft';
import { EngineAwayError } from '@netd/server';
import type { EngineProxy } from './node-options.ts';

export class CometProxy implements EngineProxy {
  private rpc: CometbftRpc | null = null;
  private checkpoints: Checkpoints | null = null;

  attach(checkpoints: Checkpoints): void {
    this.checkpoints = checkpoints;
  }

  take(news: Exclude<CometNews, { is: 'engine-end' | 'other-genesis' }>): void {
    switch (news.is) {
      case 'rpc':
        this.rpc = new CometbftRpc(news.path);
        break;
      case 'checkpoint-asked':
        this.checkpoints?.latest().catch(() => {});
        break;
      case 'checkpoint-read':
        this.checkpoints?.noteRead(news.checkpointHash);
    }
  }

  async lightBlock(height: number): Promise<LightBlock | null> {
    if (!this.rpc) throw new EngineAwayError();
    try {
      return await this.rpc.lightBlock(height);
    } catch (error) {
      // CometBFT lacks the block of this height.
      if (error instanceof CometbftRpcError) return null;
      throw new EngineAwayError('', { cause: error });
    }
  }
}
