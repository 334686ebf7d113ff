import { exactJson, NotJsonError, type JsonValue } from '@netd/protocol';
import { CoreError, type CoreErrorOptions } from './core-error.ts';

/**
 * Refuses values that JSON would change.
 * @throws AgentError VALUE_NOT_JSON with the path of the fault, or the error of `refused`
 */
export function exactValue(value: unknown, refused: Refused = valueNotJson): JsonValue {
  try {
    return exactJson(value);
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw refused(error.message, { data: { path: error.path } });
  }
}

type Refused = (detail: string, options: CoreErrorOptions) => CoreError;

const valueNotJson: Refused = (detail, options) => new CoreError('VALUE_NOT_JSON', detail, options);
