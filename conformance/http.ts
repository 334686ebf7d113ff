/**
 * Requests to the node under test. Every answer is checked against /openapi.json, and the last exchanges are kept
 * for failure reports.
 */
import { canonicalize, type JsonObject, type JsonValue } from '@netd/protocol';
import { closed } from '@netd/protocol/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface Answer {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body if it is a JSON object, else empty. */
  body: JsonObject;
}

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  responses: Record<string, { content?: Record<string, unknown>; $ref?: string }>;
  parameters?: (Parameter | { $ref: string })[];
  security?: unknown[];
  requestBody?: unknown;
}
export interface Description {
  openapi: string;
  info: { version: string; description: string };
  security?: unknown[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters?: Record<string, Parameter> };
}

const TIMEOUT_MILLISECONDS = 60_000;
const LONGEST_WAIT_SECONDS = 90;
const SHOWN_CHARACTERS = 400;
const POLL_MILLISECONDS = 5;

export class Http {
  readonly url: string;
  /** Answers that contradict their description, in words. */
  readonly surprises = new Set<string>();
  /** Method and path of writes that a follower refused and its writer accepted. */
  readonly forwarded = new Set<string>();
  private recent: Answer[] = [];
  private description: Promise<Described> | null = null;
  private readonly writer: string | null;

  /** @param writer receives writes that a follower refuses */
  constructor(url: string, writer?: string) {
    this.url = url.replace(/\/+$/, '');
    this.writer = writer?.replace(/\/+$/, '') ?? null;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  post(
    path: string,
    body: JsonValue | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.send('POST', path, {
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : canonicalize(body),
    });
  }

  /** Waits and repeats the request after a 429, unless the caller accepts it. */
  async send(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string } = {},
    options: { patient?: boolean } = {},
  ): Promise<Answer> {
    const refused = await this.once(method, path, init);
    const answer =
      this.writer !== null && refused.body['code'] === 'FOLLOWER_TAKES_NO_WRITES'
        ? await this.sendToWriter(this.writer, method, path, init)
        : refused;
    const wait = Number(answer.headers.get('retry-after') ?? Number.NaN);
    if (answer.status !== 429 || options.patient === false || !(wait <= LONGEST_WAIT_SECONDS)) {
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
    return this.once(method, path, init);
  }

  /** Reads a document that must exist. */
  async document(path: string): Promise<JsonObject> {
    const answer = await this.get(path);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} instead of 200`);
    return answer.body;
  }

  async describe(): Promise<Description> {
    return (await this.described()).description;
  }

  /** Drops earlier exchanges, so that a failure shows only its own check. */
  begin(): void {
    this.recent = [];
  }

  /** Returns the last exchanges, shortened, newest last. */
  seen(): string[] {
    return this.recent.map(
      ({ method, path, status, text }) =>
        `${method} ${path} → ${status} ${text.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS)}`,
    );
  }

  /** Sends a write to the writer, and waits until this follower has caught up. */
  private async sendToWriter(
    writer: string,
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string },
  ): Promise<Answer> {
    const answer = await this.once(method, path, init, writer);
    this.forwarded.add(`${method} ${path.split('?')[0]}`);
    await this.heard();
    return answer;
  }

  /** Waits until the node has every block that its writer has committed. */
  async heard(): Promise<void> {
    if (this.writer === null) return;
    const written = await heightAt(this.writer);
    while ((await heightAt(this.url)) < written) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  private async once(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string },
    url = this.url,
  ): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      ...init,
    });
    const text = await response.text();
    const { status, headers } = response;
    const answer = { method, path, status, headers, text, body: objectOf(text) };
    this.recent = [...this.recent.slice(-1), answer];
    await this.compare(answer);
    return answer;
  }

  private async compare({ method, path, status, headers, text }: Answer): Promise<void> {
    if (path === '/openapi.json') return;
    const described = await this.described().catch(() => null);
    const found = described?.find(method, path);
    if (!described || !found) return;
    const where = `${method} ${found.template} ${status}`;
    const { responses } = found.operation;
    // 304 is described once, for all reads.
    if (status === 304) return;
    const key = BY_DEFAULT.has(status) && !(status in responses) ? 'default' : String(status);
    if (!Object.hasOwn(responses, key)) {
      this.surprises.add(`${where} is not described`);
      return;
    }
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    const validate = described.validator(found.template, method, key, type);
    if (validate === undefined) {
      if (text !== '') this.surprises.add(`${where} is not described as ${type || 'a body'}`);
    } else if (type.endsWith('json') && !validate(JSON.parse(text))) {
      const faults = (validate.errors ?? []).slice(0, 3);
      const violations = faults.map(({ instancePath, message }) => `${instancePath} ${message}`);
      this.surprises.add(`${where} is not as described: ${violations.join('; ')}`);
    }
  }

  private async described(): Promise<Described> {
    this.description ??= this.once('GET', '/openapi.json', {}).then(({ text, body }) =>
      Described.by(text, body),
    );
    return this.description;
  }
}

async function heightAt(url: string): Promise<number> {
  const response = await fetch(`${url}/v1/network`, {
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  return ((await response.json()) as { height: number }).height;
}

/** Statuses that any operation may answer; described as `default`. */
const BY_DEFAULT = new Set([400, 405, 408, 412, 429, 431, 500, 503]);

/** A description with its compiled validators. */
class Described {
  readonly description: Description;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  private readonly validators = new Map<string, ValidateFunction>();
  private static latest: { text: string; described: Described } | null = null;

  /** Reuses the last description if its text is unchanged: compiling schemas takes longer than most short runs. */
  static by(text: string, body: JsonObject): Described {
    if (Described.latest?.text !== text) {
      Described.latest = { text, described: new Described(body as unknown as Description) };
    }
    return Described.latest.described;
  }

  private constructor(description: Description) {
    this.description = description;
    this.ajv.addSchema({ $id: 'netd:openapi', ...closed(description) });
  }

  /**
   * Finds an operation: literal segments win over parameters, longer paths over shorter ones. HEAD uses GET's
   * description.
   */
  find(method: string, path: string): { template: string; operation: Operation } | null {
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const bare = path.split('?')[0] ?? '';
    const templates = Object.keys(this.description.paths)
      .filter((template) => {
        const parts = template.split(/\{[^}]+\}/).map((part) => part.replaceAll('.', '\\.'));
        return new RegExp(`^${parts.join('[^/]+')}$`).test(bare);
      })
      .sort((a, b) => a.split('{').length - b.split('{').length || b.length - a.length);
    for (const template of templates) {
      const operation = this.description.paths[template]?.[name];
      if (operation) return { template, operation };
    }
    return null;
  }

  /** Undefined if the media type is not described. */
  validator(
    template: string,
    method: string,
    status: string,
    type: string,
  ): ValidateFunction | undefined {
    const name = method === 'HEAD' ? 'get' : method.toLowerCase();
    const response = this.description.paths[template]?.[name]?.responses[status];
    if (!response) return undefined;
    const at = response.$ref ?? `#/paths/${escapePointer(template)}/${name}/responses/${status}`;
    const resolved = response.$ref === undefined ? response : this.resolve(response.$ref);
    if (!Object.hasOwn(resolved.content ?? {}, type)) return undefined;
    const pointer = `${at}/content/${escapePointer(type)}/schema`;
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `netd:openapi${pointer}` });
      this.validators.set(pointer, validate);
    }
    return validate;
  }

  private resolve(reference: string): { content?: Record<string, unknown> } {
    let at: unknown = this.description;
    for (const part of reference.split('/').slice(1)) at = (at as Record<string, unknown>)[part];
    return at as { content?: Record<string, unknown> };
  }
}

const escapePointer = (text: string): string =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

function objectOf(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
