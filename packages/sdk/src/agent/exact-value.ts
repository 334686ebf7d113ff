/** What programs hand over: refused if JSON would change it. */
import { exactJson, NotJsonError, type JsonValue } from '@netd/protocol';
import { CoreError, type CoreErrorOptions } from './core-error.ts';

/**
 * Returns a value that a program hands over as the JSON that carries it.
 * @param refused makes the error of a caller that has a code of its own
 * @throws AgentError VALUE_NOT_JSON with the path of the part at fault, or what `refused` makes
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
