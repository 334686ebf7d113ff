import type { Checkpoints } from '@netd/engine';
import {
  CometbftRpc,
  CometbftRpcError,
  type CometNews,
  type LightBlock,
} from '@netd/engine/cometbft';
import { EngineAwayError } from '@netd/server';
import type { EngineProxy } from './node-options.ts';

const METRICS_MILLISECONDS = 2_000;

export class CometProxy implements EngineProxy {
  private rpc: CometbftRpc | null = null;
  private metricsPort = 0;
  private checkpoints: Checkpoints | null = null;

  attach(checkpoints: Checkpoints): void {
    this.checkpoints = checkpoints;
  }

  take(news: Exclude<CometNews, { is: 'engine-end' | 'other-genesis' }>): void {
    switch (news.is) {
      case 'rpc':
        this.rpc = new CometbftRpc(news.path);
        this.metricsPort = news.metricsPort;
        break;
      case 'checkpoint-asked':
        this.checkpoints?.latest().catch(() => {});
        break;
      case 'checkpoint-read':
        this.checkpoints?.noteRead(news.checkpointHash);
    }
  }

  async metrics(): Promise<string> {
    if (!this.rpc) throw new EngineAwayError();
    const response = await fetch(`http://127.0.0.1:${this.metricsPort}/metrics`, {
      signal: AbortSignal.timeout(METRICS_MILLISECONDS),
    });
    const text = await response.text();
    // Drops the metrics of CometBFT's process and of Go: this process has metrics of the same names.
    return text
      .split('\n')
      .filter((line) => /^(# (HELP|TYPE) )?cometbft_/.test(line))
      .map((line) => `${line}\n`)
      .join('');
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
