/** Writes what nodes refuse by now, as a node of an earlier version took it. */
import { ADMISSION_TABLE } from '@netd/engine';

/** Runs `work` while no entry of the admission table of this process refuses anything. */
export async function withoutAdmissionTable<Result>(work: () => Promise<Result>): Promise<Result> {
  const table = ADMISSION_TABLE as unknown as unknown[];
  const entries = table.splice(0);
  try {
    return await work();
  } finally {
    table.push(...entries);
  }
}
