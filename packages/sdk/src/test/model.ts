/**
 * Doubles for models, so that a test of an agent is repeatable, free, and needs no key. You write scripted
 * answers by hand; recorded answers come from the model itself.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { NetSdkError } from '@netd/protocol';

/** A question differs from the script or recording, or was never asked. The message says where. */
export class ModelQuestionError extends NetSdkError {
  override name = 'ModelQuestionError';

  constructor(message: string) {
    super(message, { code: 'MODEL_QUESTION_UNKNOWN' });
  }
}

/** A double that an agent calls in place of a model. Questions and answers are text or JSON values. */
export interface ModelDouble<Question, Answer> {
  (question: Question): Promise<Answer>;
  /** All questions so far. */
  readonly asked: readonly Question[];
  /** @throws ModelQuestionError if answers are left over */
  done(): void;
}

/** An answer to questions that contain this text, or match this pattern. */
export interface ScriptedAnswer<Answer> {
  /** Text or pattern that the question has to contain. */
  when: string | RegExp;
  /** The answer to it. */
  answer: Answer;
}

/** Options of a recorded model. */
export interface RecordedModelOptions<Question, Answer> {
  /** JSON file of questions and answers. Read it before you commit it: it contains every question in full. */
  file: string | URL;
  /** Asks the model. Called only while recording. */
  ask: (question: Question) => Answer | Promise<Answer>;
  /** True to ask the model and rewrite the file; default true if $NET_RECORD is 1. */
  record?: boolean | undefined;
}

interface Exchange {
  question: unknown;
  answer: unknown;
}

const SCHEMA = 'NET-MODEL-RECORDING/1';
const SHOWN = 60;

/**
 * Answers in turn, or by a function.
 * @param script an answer for each question; `{when, answer}` accepts only a question that contains or
 *   matches `when`
 */
export function scriptedModel<Answer, Question = unknown>(
  script:
    | readonly (Answer | ScriptedAnswer<Answer>)[]
    | ((question: Question, turn: number) => Answer | Promise<Answer>),
): ModelDouble<Question, Answer> {
  const asked: Question[] = [];
  const answer = async (question: Question): Promise<Answer> => {
    const turn = asked.push(question);
    if (typeof script === 'function') return script(question, turn);
    const next = script[turn - 1];
    if (next === undefined) {
      throw new ModelQuestionError(
        `question ${turn} has no answer, the script has ${script.length}: ${shown(textOf(question))}`,
      );
    }
    if (!isScripted<Answer>(next)) return next;
    const text = textOf(question);
    const { when } = next;
    if (typeof when === 'string' ? text.includes(when) : when.test(text)) return next.answer;
    throw new ModelQuestionError(
      `question ${turn} should ${typeof when === 'string' ? `hold ${JSON.stringify(when)}` : `match ${String(when)}`}: ${shown(text)}`,
    );
  };
  const done = (): void => {
    const left = typeof script === 'function' ? 0 : script.length - asked.length;
    if (left > 0) {
      throw new ModelQuestionError(`${left} of ${script.length} answers were not asked for`);
    }
  };
  return Object.assign(answer, { asked, done });
}

/**
 * Returns recorded answers, whatever the order of the questions. A repeated question gets its answers in
 * recorded order. Recording asks the model and rewrites the file after each answer.
 * @throws ModelQuestionError if nothing is recorded yet, or the file is not a recording
 */
export function recordedModel<Answer, Question = unknown>(
  options: RecordedModelOptions<Question, Answer>,
): ModelDouble<Question, Answer> {
  const { file, ask, record = process.env['NET_RECORD'] === '1' } = options;
  const asked: Question[] = [];
  if (record) {
    const exchanges: Exchange[] = [];
    const answer = async (question: Question): Promise<Answer> => {
      asked.push(question);
      const told = await ask(question);
      exchanges.push({ question: plain(question), answer: plain(told) });
      writeFileSync(file, `${JSON.stringify({ schema: SCHEMA, exchanges }, null, 2)}\n`);
      return told;
    };
    return Object.assign(answer, { asked, done: () => {} });
  }
  const left = exchangesIn(file);
  const all = left.map(({ question }) => canonical(question));
  const answer = async (question: Question): Promise<Answer> => {
    const turn = asked.push(question);
    const text = canonical(plain(question));
    const index = left.findIndex((exchange) => canonical(exchange.question) === text);
    const [exchange] = index < 0 ? [] : left.splice(index, 1);
    if (exchange) return exchange.answer as Answer;
    const times = all.filter((known) => known === text).length;
    const why =
      times > 0
        ? `it was recorded ${times} time${times > 1 ? 's' : ''}, and is asked once more: ${shown(textOf(question))}`
        : left[0]
          ? difference(left[0].question, plain(question))
          : `all ${all.length} that were recorded have been asked: ${shown(textOf(question))}`;
    throw new ModelQuestionError(
      `question ${turn} is not in ${String(file)}: ${why}. Record anew with NET_RECORD=1 where that is meant`,
    );
  };
  const done = (): void => {
    const [first] = left;
    if (!first) return;
    throw new ModelQuestionError(
      `${left.length} of ${all.length} questions in ${String(file)} were not asked, the first is ${shown(textOf(first.question))}`,
    );
  };
  return Object.assign(answer, { asked, done });
}

const isScripted = <Answer>(
  entry: Answer | ScriptedAnswer<Answer>,
): entry is ScriptedAnswer<Answer> =>
  typeof entry === 'object' && entry !== null && 'when' in entry && 'answer' in entry;

function exchangesIn(file: string | URL): Exchange[] {
  if (!existsSync(file)) {
    throw new ModelQuestionError(
      `there is no recording ${String(file)}: run the test once with NET_RECORD=1, which asks the model`,
    );
  }
  try {
    const { schema, exchanges } = JSON.parse(readFileSync(file, 'utf8')) as {
      schema: string;
      exchanges: Exchange[];
    };
    if (schema === SCHEMA && exchanges.every((each) => 'question' in each && 'answer' in each)) {
      return exchanges;
    }
  } catch {
    // refused below
  }
  throw new ModelQuestionError(`${String(file)} is no recording of a model: ${SCHEMA} is expected`);
}

function plain(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('a question or an answer is no JSON');
  return JSON.parse(text);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

const textOf = (question: unknown): string =>
  typeof question === 'string' ? question : canonical(question);

const shown = (text: string): string =>
  JSON.stringify(text.length > 4 * SHOWN ? `${text.slice(0, 4 * SHOWN)}…` : text);

function difference(recorded: unknown, asked: unknown, path = ''): string {
  const isTree = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  if (isTree(recorded) && isTree(asked) && Array.isArray(recorded) === Array.isArray(asked)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(asked)])) {
      if (canonical(recorded[name] ?? null) !== canonical(asked[name] ?? null)) {
        return difference(recorded[name], asked[name], `${path}/${name}`);
      }
    }
  }
  const [then, now] = [recorded, asked].map((value) =>
    value === undefined ? 'nothing' : textOf(value),
  ) as [string, string];
  let at = 0;
  while (at < then.length && then[at] === now[at]) at += 1;
  const around = (text: string): string => shown(text.slice(Math.max(0, at - SHOWN), at + SHOWN));
  const place = path === '' ? '' : `at ${path} `;
  return `${place}${around(then)} was recorded, ${around(now)} is asked`;
}
