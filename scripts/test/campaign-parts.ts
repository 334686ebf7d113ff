/**
 * Parts of the campaign, at most an hour each. A test file belongs to it by its name, if it holds a property, or if
 * a build runs only some of its cases (`inCampaign`, `plays`, `runs`, `fewOfEach` of `@netd/protocol/testing`).
 */
import { readFileSync } from 'node:fs';
import { npmJob, pytestCampaign } from './stages.ts';
import type { Job } from './run.ts';
import { isSlow } from './test-files.ts';

export interface Part {
  /** The changes that need a run of this part before their issue is resolved. */
  touches: string;
  /** Estimated, on two quiet cores; the record replaces it. */
  about: number;
  /** Selects its test files; the first part that matches takes a file. */
  files?: RegExp;
  jobs?: readonly Job[];
}

/** No part may take longer. */
export const PART_MINUTES = 60;

export const PARTS: Readonly<Record<string, Part>> = {
  plays: {
    touches: 'rules of the ledger, blocks, trees, canonical JSON: random plays in full',
    about: 25,
    files: /\.prop\.test\.|^packages\/(ledger|protocol|documents|formats)\//,
  },
  cometbft: {
    touches: 'CometBFT, validators, their signers and keys',
    about: 40,
    files:
      /\/cometbft\/|\/(testnet|double-voter|remote-signer|validator-deaths|old-validators|partitions|founders|wrong-clock|engine-upgrade|sentries|lost-disk|signer-away)\.|lies-of-many/,
  },
  faults: {
    touches: 'CometBFT, validators and their restarts: half an hour of seeded faults',
    about: 33,
    files: /\/seeded-faults\./,
  },
  lies: {
    touches: 'conformance checks and the documents that they read: every lie over the wire',
    about: 20,
    files: /^conformance\//,
  },
  schemathesis: {
    touches: 'routes, parameters and the OpenAPI description: eight requests for each operation',
    about: 12,
    jobs: [{ ...npmJob('schemathesis'), limit: PART_MINUTES * 60 }],
  },
  generators: {
    touches: 'the OpenAPI description; needs Go, Maven, cargo and a network',
    about: 20,
    jobs: [{ ...npmJob('generators'), limit: PART_MINUTES * 60 }],
  },
  browsers: {
    touches: 'explorer, wallet and documentation: every page, Firefox, wallets on other hosts',
    about: 15,
    files: /^packages\/(explorer|site)\//,
  },
  packages: {
    touches: 'what is built and installed: reproducible builds, each version of Node',
    about: 10,
    files: /^scripts\/|\/(node-versions|installed|installed-follower|mcp-bundle|published)\./,
  },
  programs: {
    touches:
      'the SDKs on every runtime: services, pipelines, notebooks and moves with a faulty node',
    about: 20,
    files: /\/programs\./,
  },
  agents: {
    touches: 'the SDKs, the signer and the house',
    about: 10,
    files: /^(packages\/(sdk|mcp-signer|house)|clients)\//,
    jobs: [pytestCampaign],
  },
  nodes: {
    touches: 'followers, crashes, full disks, backups, forks, the server and the command line',
    about: 30,
    files: /^packages\/(cli|sync|node|server|blobs|engine|testkit)\//,
  },
};

const LEAVES_OUT =
  /import \{[^}]*\b(?:inCampaign|plays|runs|fewOfEach)\b[^}]*\} from '@netd\/protocol\/testing'/;

/** True if a build leaves out the file, or some of its cases. */
export function isOfCampaign(file: string): boolean {
  if (/\.(campaign|prop)\.test\./.test(file)) return true;
  return isSlow(file) && LEAVES_OUT.test(readFileSync(file, 'utf8'));
}

/** Returns the name of the part that runs a file of the campaign, or undefined if none does. */
export function partOf(file: string): string | undefined {
  return Object.entries(PARTS).find(([, { files }]) => files?.test(file))?.[0];
}
