import { ERROR_TABLE, type ErrorCode } from '@netd/protocol';
import type { Simulation } from '../client.ts';
import { NetError, soundProblem } from '../http.ts';

/** Returns the refusal of a simulation as an error. */
export function refusalOf(
  refusal: Pick<NonNullable<Simulation['refusal']>, 'code'> &
    Partial<NonNullable<Simulation['refusal']>>,
): NetError {
  const { code, detail = '', errors = [] } = refusal;
  const { status, title } = ERROR_TABLE[code as ErrorCode] ?? { status: 409, title: '' };
  const problem = soundProblem({ code, status, title, detail, errors });
  return problem ? new NetError(status, problem) : new NetError(200, null);
}
