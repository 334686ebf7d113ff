/**
 * Firefox on the pages of a node, by WebDriver BiDi over its own port. playwright-core drives its own build of Firefox only: it asks
 * Debian's for a command that this one does not have.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const FIREFOX = '/usr/bin/firefox-esr';
/** The reason to skip a test; false if Firefox is installed. */
export const noFirefox: string | false = existsSync(FIREFOX) ? false : `there is no ${FIREFOX}`;

interface Answer {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  result?: unknown;
  message?: string;
  params?: { level?: string; text?: string; source?: { realm: string } };
}

interface Evaluated {
  realm: string;
  result?: { value?: unknown };
  exceptionDetails?: { text: string };
}

export class Firefox {
  /** Errors of pages and their consoles, each with the realm of the document that it belongs to. */
  #faults: { realm: string; text: string }[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #last = 0;
  #context = '';

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) =>
      this.#take(JSON.parse(String(data)) as Answer),
    );
  }

  /** Starts Firefox with a new profile, which is deleted when it ends. */
  static async open(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'netd-firefox-'));
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
    const child = spawn(FIREFOX, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const socket = new WebSocket(`${await listeningAt(child)}/session`);
    await once(socket, 'open');
    const firefox = new Firefox(child, profile, socket);
    await firefox.#ask('session.new', { capabilities: {} });
    await firefox.#ask('session.subscribe', { events: ['log.entryAdded'] });
    const made = await firefox.#ask('browsingContext.create', { type: 'tab' });
    firefox.#context = (made as { context: string }).context;
    return firefox;
  }

  /** Resolves once the page has loaded. */
  async goto(url: string): Promise<void> {
    await this.#ask('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** @param expression may be a promise; its value is a text or a number */
  async evaluate(expression: string): Promise<unknown> {
    const found = await this.#evaluate(expression);
    if (found.exceptionDetails) throw new Error(found.exceptionDetails.text);
    return found.result?.value;
  }

  async #evaluate(expression: string): Promise<Evaluated> {
    const target = { context: this.#context };
    const asked = { expression, target, awaitPromise: true };
    return (await this.#ask('script.evaluate', asked)) as Evaluated;
  }

  /**
   * Returns the errors of the document that is open, and forgets all. A document that is being left may report that its imports were
   * interrupted; that is no fault.
   */
  async takeFaults(): Promise<string[]> {
    const { realm } = await this.#evaluate('0');
    const found = this.#faults.filter((fault) => fault.realm === realm);
    this.#faults = [];
    return found.map(({ text }) => text);
  }

  async close(): Promise<void> {
    const gone = once(this.#process, 'exit');
    await this.#ask('browser.close', {});
    await gone;
    rmSync(this.#profile, { recursive: true, force: true });
  }

  #take({ id, type, method, params, ...answer }: Answer): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.({ type, ...answer });
      this.#waiting.delete(id);
    } else if (method === 'log.entryAdded' && params?.level === 'error') {
      const { text = 'an error without words', source } = params;
      this.#faults.push({ realm: source?.realm ?? '', text });
    }
  }

  async #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { type, result, message } = await answered;
    if (type === 'error') throw new Error(`${method}: ${message}`);
    return result;
  }
}

/** Returns the address that Firefox reports. It chooses a free port itself. */
async function listeningAt({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('Firefox says nothing');
  for await (const line of createInterface({ input: stderr })) {
    const at = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (at === undefined) continue;
    stderr.resume();
    return at;
  }
  throw new Error('Firefox did not start');
}
