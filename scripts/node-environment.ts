/** Other versions of Node beside the one that the repository brings: npm packages under node_modules/.cache, installed on demand. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedEnvironment, runToEnd, unlessMissing } from './cached-environment.ts';

/** What the downloads without dependencies are for beyond those. */
export const OLDEST_NODE = '18.20.8';
/** The lowest Node that the SDK and the signer's bundle name in `engines`. */
export const SDK_NODE = '20.12.0';
/** What the SDK, the join client, the watcher and the launcher are for: `node --version` without its v. */
export const NODE_VERSIONS = [SDK_NODE, '22.23.3', '24.21.0'] as const;

/**
 * Where a version cannot be had that is said, except in CI, where it fails.
 * @param what is left out then
 * @returns the program
 */
export async function nodeProgram(version: string, what: string): Promise<string | null> {
  const make = async (home: string): Promise<void> => {
    mkdirSync(home, { recursive: true });
    // Of its own: what the repository lets run at an installation is not asked.
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
