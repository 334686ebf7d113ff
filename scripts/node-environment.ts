/** Installs other versions of Node under node_modules/.cache on demand. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedEnvironment, runToEnd, unlessMissing } from './cached-environment.ts';

/** The oldest Node for downloads without dependencies. */
export const OLDEST_NODE = '18.20.8';
/** The lowest Node in `engines` of the SDK and the signer's bundle. */
export const SDK_NODE = '20.12.0';
/** Versions for the SDK, the join client, the watcher and the launcher. */
export const NODE_VERSIONS = [SDK_NODE, '22.23.3', '24.21.0'] as const;

/**
 * Returns the program. If the version is unavailable, prints what was skipped, or fails in CI.
 * @param what the skipped part
 */
export async function nodeProgram(version: string, what: string): Promise<string | null> {
  const make = async (home: string): Promise<void> => {
    mkdirSync(home, { recursive: true });
    // A manifest of its own, independent of the repository's install rules.
    const manifest = { private: true, allowScripts: { node: true } };
    writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
    await runToEnd('npm', ['install', '--silent', '--prefix', home, `node@${version}`]);
    const found = execFileSync(programIn(home), ['--version']).toString().trim();
    if (found !== `v${version}`) throw new Error(`node@${version} is ${found}`);
  };
  const home = await unlessMissing(what, cachedEnvironment(`node-${version}`, make));
  return home && programIn(home);
}

const programIn = (home: string): string => join(home, 'node_modules/node/bin/node');
