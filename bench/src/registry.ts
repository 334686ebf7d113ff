/** Every benchmark by name, in order of execution. */
import type { Benchmark } from './benchmark.ts';
import { coldStart } from './benchmarks/cold-start.ts';
import { farValidators } from './benchmarks/far-validators.ts';
import { followers } from './benchmarks/followers.ts';
import { everyRead } from './benchmarks/every-read.ts';
import { following } from './benchmarks/following.ts';
import { httpWrites } from './benchmarks/http-writes.ts';
import { idleLatency } from './benchmarks/idle-latency.ts';
import { pageFloods } from './benchmarks/page-floods.ts';
import { throughput, throughputByAgents } from './benchmarks/throughput.ts';
import { idleValidators, newcomers, sevenValidators, validators } from './benchmarks/validators.ts';

export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  idle: { timeLimit: 120, run: idleLatency },
  floods: { timeLimit: 300, run: pageFloods },
  http: { timeLimit: 600, run: httpWrites },
  start: { timeLimit: 600, run: coldStart },
  throughput: { timeLimit: 1_200, run: throughput },
  reads: { timeLimit: 1_800, run: everyRead },
  followers: { timeLimit: 600, run: followers },
  validators: { timeLimit: 900, run: validators, onlyByName: true },
  'validators-7': { timeLimit: 900, run: sevenValidators, onlyByName: true },
  'validators-idle': { timeLimit: 600, run: idleValidators, onlyByName: true },
  'validators-newcomer': { timeLimit: 600, run: newcomers, onlyByName: true },
  'validators-far': { timeLimit: 900, run: farValidators, onlyByName: true },
  follow: { timeLimit: 3_600, run: following, onlyByName: true },
  agents: { timeLimit: 3_600, run: throughputByAgents, onlyByName: true },
};
