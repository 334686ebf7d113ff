/** A child process with piped output (`ChildProcess` of Node). */
interface Program {
  spawnargs: readonly string[];
  stdout: {
    setEncoding(encoding: 'utf8'): void;
    on(event: 'data', listener: (part: string) => void): void;
  } | null;
  once(event: 'error', listener: (error: Error) => void): void;
  once(event: 'close', listener: (code: number | null, signal: string | null) => void): void;
}

/**
 * The first line says that the program is ready.
 * @throws Error if it ends before that
 */
export function firstLine(program: Program): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  program.stdout?.setEncoding('utf8');
  program.stdout?.on('data', (part) => {
    output += part;
    const end = output.indexOf('\n');
    if (end >= 0) resolve(output.slice(0, end));
  });
  program.once('error', reject);
  program.once('close', (code, signal) => {
    const how = String(code ?? signal);
    reject(new Error(`${program.spawnargs.join(' ')} ended with ${how}: ${output}`));
  });
  return promise;
}
