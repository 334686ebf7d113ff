/** What programs hand over: refused if JSON would change it. */
import { exactJson, NotJsonError, type JsonValue } from '@netd/protocol';
import { AgentError, type AgentErrorCode } from './agent-error.ts';

/**
 * Returns a value that a program hands over as the JSON that carries it.
 * @throws AgentError with this code and the path of the part at fault
 */
export function exactValue(value: unknown, code: AgentErrorCode = 'VALUE_NOT_JSON'): JsonValue {
  try {
    return exactJson(value);
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new AgentError(code, error.message, { data: { path: error.path } });
  }
}
