/**
 * Checks the public interface of a running node:
 * npm run conformance -- --url http://127.0.0.1:8420
 * `--data-dir <path>` names its data directory, to include checks that need its operator.
 * `--writer <url>` names the writer if the node is a follower.
 * `--only <id>` selects requirements by the start of their id; repeatable.
 * Exit code 0: no failures; 1: failures; 2: wrong usage or no node; 13: the process ended before the last check.
 */
import { parseArgs } from 'node:util';
import { REQUIREMENTS } from './requirements.ts';
import { runConformance, type Outcome, type Report } from './run.ts';

const HELP = `usage: npm run conformance -- --url <url> [--writer <url>] [--data-dir <path>] [--only <id>]…`;
const SIGNS = { pass: '✔', fail: '✖', skip: '–' } as const;

const options = readOptions();
if (options !== null) {
  const { url, dataDir } = options;
  if (await answers(url)) {
    const report = await runConformance({ ...options, onOutcome: print });
    summarize(report, dataDir);
    process.exitCode = report.passed ? 0 : 1;
  } else {
    console.error(`no node answers at ${url}; start one with npm start, or name it with --url`);
    process.exitCode = 2;
  }
}

function readOptions(): { url: string; writer?: string; dataDir?: string; only: string[] } | null {
  try {
    const { values } = parseArgs({
      options: {
        url: { type: 'string' },
        writer: { type: 'string' },
        'data-dir': { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { url, writer, only, 'data-dir': dataDir } = values;
    const unknown = only.find((start) =>
      Object.keys(REQUIREMENTS).every((id) => !id.startsWith(start)),
    );
    if (values.help) console.log(HELP);
    else if (url === undefined) throw new Error('--url is missing');
    else if (!URL.canParse(url)) throw new Error(`${url} is no address`);
    else if (unknown !== undefined) throw new Error(`no requirement begins with ${unknown}`);
    else if (writer !== undefined && !URL.canParse(writer))
      throw new Error(`${writer} is no address`);
    else
      return {
        url,
        only,
        ...(writer && { writer }),
        ...(dataDir === undefined ? {} : { dataDir }),
      };
  } catch (error) {
    console.error(`${(error as Error).message}\n${HELP}`);
    process.exitCode = 2;
  }
  return null;
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(`${url.replace(/\/+$/, '')}/health`, { signal: AbortSignal.timeout(10_000) });
    return true;
  } catch {
    return false;
  }
}

function print({ title, proves, verdict, why, seen }: Outcome): void {
  console.log(`${SIGNS[verdict]} ${title}  [${proves.join(' ')}]`);
  if (verdict === 'pass') return;
  const [first = '', ...rest] = String(why).split('\n');
  console.log(`    why:  ${first}`);
  for (const line of rest.filter((text) => text.trim() !== '').slice(0, 12)) {
    console.log(`          ${line}`);
  }
  for (const line of seen) console.log(`    seen: ${line}`);
}

function summarize({ url, outcomes, verdicts }: Report, dataDir: string | undefined): void {
  const count = (wanted: string, list: Iterable<string>): number =>
    [...list].filter((verdict) => verdict === wanted).length;
  const checks = outcomes.map(({ verdict }) => verdict);
  const line = (what: string, list: readonly string[]): string =>
    `${String(list.length).padStart(4)} ${what}: ${count('pass', list)} hold, ${count('fail', list)} failed, ${count('skip', list)} skipped`;
  console.log(`\n${url}${dataDir === undefined ? '' : ` with ${dataDir}`}`);
  console.log(line('requirements', [...verdicts.values()]));
  console.log(line('checks', checks));
  for (const [id, verdict] of verdicts) {
    if (verdict === 'fail') console.log(`   ✖ ${id}  ${REQUIREMENTS[id]}`);
  }
}
