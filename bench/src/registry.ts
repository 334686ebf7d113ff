/** Every benchmark by name, in order of execution. */
import type { Benchmark } from './benchmark.ts';
import { cachedRead } from './benchmarks/cached-read.ts';
import { catchingUp } from './benchmarks/catching-up.ts';
import { coldStart } from './benchmarks/cold-start.ts';
import { connections } from './benchmarks/connections.ts';
import { followers } from './benchmarks/followers.ts';
import { equalDeadlines } from './benchmarks/equal-deadlines.ts';
import { everyRead } from './benchmarks/every-read.ts';
import { following } from './benchmarks/following.ts';
import { heavyReads } from './benchmarks/heavy-reads.ts';
import { httpWrites } from './benchmarks/http-writes.ts';
import { idleLatency } from './benchmarks/idle-latency.ts';
import { jobs } from './benchmarks/jobs.ts';
import { killRounds } from './benchmarks/kill-rounds.ts';
import { laboratory } from './benchmarks/laboratory.ts';
import { memory } from './benchmarks/memory.ts';
import { mixedWorkload } from './benchmarks/mixed-workload.ts';
import { readsAndWrites } from './benchmarks/reads-and-writes.ts';
import { sdkAct } from './benchmarks/sdk-act.ts';
import { throughput, throughputByAgents } from './benchmarks/throughput.ts';
import { idleValidators, newcomers, sevenValidators, validators } from './benchmarks/validators.ts';

export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  idle: { timeLimit: 120, run: idleLatency },
  read: { timeLimit: 180, run: cachedRead },
  http: { timeLimit: 600, run: httpWrites },
  together: { timeLimit: 300, run: readsAndWrites },
  connections: { timeLimit: 300, run: connections },
  start: { timeLimit: 600, run: coldStart },
  throughput: { timeLimit: 1_200, run: throughput },
  memory: { timeLimit: 300, run: memory },
  mixed: { timeLimit: 1_200, run: mixedWorkload },
  kill: { timeLimit: 2_400, run: killRounds },
  reads: { timeLimit: 1_800, run: everyRead },
  'heavy-reads': { timeLimit: 600, run: heavyReads },
  followers: { timeLimit: 600, run: followers },
  jobs: { timeLimit: 300, run: jobs },
  laboratory: { timeLimit: 600, run: laboratory },
  'sdk-act': { timeLimit: 300, run: sdkAct },
  validators: { timeLimit: 900, run: validators, onlyByName: true },
  'validators-7': { timeLimit: 900, run: sevenValidators, onlyByName: true },
  'validators-idle': { timeLimit: 600, run: idleValidators, onlyByName: true },
  'validators-newcomer': { timeLimit: 600, run: newcomers, onlyByName: true },
  deadlines: { timeLimit: 600, run: equalDeadlines, onlyByName: true },
  follow: { timeLimit: 3_600, run: following, onlyByName: true },
  streams: { timeLimit: 3_600, run: catchingUp, onlyByName: true },
  agents: { timeLimit: 3_600, run: throughputByAgents, onlyByName: true },
};
