/** What a service of a command line has to say to its operator: JSON lines on standard error. */
import { pino, type Logger } from 'pino';

/**
 * A file that standard error is may lie on a disk that is full: what it does not take is lost, and the service goes on.
 * (pino.destination throws there, and a fatal line waits for ever.)
 * @param level as of pino
 */
export function errorLog(level: string): Logger {
  process.stderr.on('error', () => {});
  return pino({ level }, { write: (line) => void process.stderr.write(line) });
}
