import { Option, type Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { runDemo } from '../demo/run-demo.ts';
import { stopSignal } from '../stop-signal.ts';

interface DemoCommandOptions {
  url?: string;
  dataDir: string;
  loop?: boolean;
}

export function configure(command: Command): void {
  command
    .addOption(
      new Option(
        '--url <url>',
        'another address of that node (default: as dev.json in the data directory says)',
      ).env('NET_URL'),
    )
    .addOption(
      new Option(
        '-d, --data-dir <path>',
        "the node's data directory, needed with --url too: it holds the operator's key, and the cast's go to its demo/",
      )
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option(
      '--loop',
      'go on with rounds of work until Ctrl-C, also after a failure or a restart of the node',
    )
    .action(demo);
}

async function demo({ url, dataDir, loop }: DemoCommandOptions): Promise<void> {
  const end = new AbortController();
  void stopSignal().then(() => end.abort());
  try {
    await runDemo({
      dataDir,
      ...(url === undefined ? {} : { url }),
      loop: loop === true,
      signal: end.signal,
      print: (text) => console.log(text),
    });
  } catch (error) {
    if (!end.signal.aborted) throw error;
    console.log(
      '\n  Stopped. What happened stays on the chain; the next run goes on with this cast.',
    );
    if (loop !== true) process.exitCode = EXIT.interrupted;
  }
}
