/**
 * Writes netsdk-<version>-py3-none-any.whl from clients/python, without needing Python. The bytes are reproducible:
 * sorted, compressed by fflate, and dated SOURCE_DATE_EPOCH or the start of zip time.
 * Beside it writes reference.json, from which the documentation has its page of Python.
 * node scripts/build-python.mjs [directory]    default: clients/python/dist
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { pythonReference } from './python-reference.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PROJECT = join(ROOT, 'clients/python');
/** The start of zip time, in seconds since 1970. */
const ZIP_EPOCH = 315_532_800;

/** @returns {{ name: string, bytes: Buffer }} the wheel and its file name */
export function buildWheel() {
  const project = readProject(readFileSync(join(PROJECT, 'pyproject.toml'), 'utf8'));
  const info = `netsdk-${project.version}.dist-info`;
  const files = new Map([
    ...filesBelow(join(PROJECT, 'src')),
    ...project.included.map(([from, to]) => [to, readFileSync(join(PROJECT, from))]),
  ]);
  /** @type {string[]} */
  const names = [...files.keys()];
  const sorted = names.toSorted().map((name) => [name, files.get(name)]);
  const wheel = [
    ...sorted,
    [`${info}/licenses/LICENSE`, readFileSync(join(PROJECT, 'LICENSE'))],
    [`${info}/WHEEL`, Buffer.from(WHEEL)],
    [`${info}/entry_points.txt`, Buffer.from(project.entryPoints)],
    [`${info}/METADATA`, Buffer.from(metadataOf(project))],
  ];
  const record = [...wheel.map(recordLine), `${info}/RECORD,,`, ''].join('\n');
  wheel.push([`${info}/RECORD`, Buffer.from(record)]);
  return { name: `netsdk-${project.version}-py3-none-any.whl`, bytes: zip(wheel) };
}

const WHEEL = `Wheel-Version: 1.0
Generator: netd build-python
Root-Is-Purelib: true
Tag: py3-none-any
`;

/** Reads metadata from pyproject.toml. Throws for any unexpected form. */
function readProject(toml) {
  const section = (name) => {
    const [, text] = toml.split(`\n[${name}]\n`);
    if (text === undefined) throw new Error(`pyproject.toml has no [${name}]`);
    return text.split(/\n\[/, 1)[0];
  };
  const project = section('project');
  const text = (name) => {
    const found = new RegExp(`^${name} = "([^"\\\\]*)"$`, 'm').exec(project);
    if (!found) throw new Error(`pyproject.toml says no ${name}`);
    return found[1];
  };
  const list = (name) => {
    const found = new RegExp(`^${name} = \\[\n((?:  "[^"\\\\]*",\n)*)\\]$`, 'm').exec(project);
    if (!found) throw new Error(`pyproject.toml has no list of ${name}`);
    return [...found[1].matchAll(/"(.*)"/g)].map(([, item]) => item);
  };
  const included = section('tool.hatch.build.targets.wheel.force-include');
  return {
    version: text('version'),
    summary: text('description'),
    license: text('license'),
    python: text('requires-python'),
    classifiers: list('classifiers'),
    dependencies: list('dependencies'),
    author: /^authors = \[\{ name = "([^"\\]*)" \}\]$/m.exec(project)?.[1],
    urls: [...section('project.urls').matchAll(/^(\w+) = "(.*)"$/gm)].map(([, name, url]) => [
      name,
      url,
    ]),
    included: [...included.matchAll(/^"(.*)" = "(.*)"$/gm)].map(([, from, to]) => [from, to]),
    entryPoints: `[pytest11]\n${section('project.entry-points.pytest11').trim().replaceAll('"', '').split('\n#')[0].trim()}\n`,
    readme: readFileSync(join(PROJECT, text('readme')), 'utf8'),
  };
}

function metadataOf(project) {
  const { version, summary, author, urls, license, python, classifiers, dependencies } = project;
  const lines = [
    'Metadata-Version: 2.4',
    'Name: netsdk',
    `Version: ${version}`,
    `Summary: ${summary}`,
    `Author: ${author}`,
    ...urls.map((one) => `Project-URL: ${one.join(', ')}`),
    `License-Expression: ${license}`,
    'License-File: LICENSE',
    ...classifiers.map((one) => `Classifier: ${one}`),
    `Requires-Python: ${python}`,
    ...dependencies.map((one) => `Requires-Dist: ${one}`),
    'Description-Content-Type: text/markdown',
  ];
  return `${lines.join('\n')}\n\n${project.readme}`;
}

/** @returns {[name: string, bytes: Buffer][]} by path below the folder, with slashes */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path)]);
}

function recordLine([name, bytes]) {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return `${name},sha256=${hash},${bytes.length}`;
}

/** zlib's output depends on its version and the processor; fflate's does not. */
function zip(files) {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? ZIP_EPOCH);
  if (!Number.isInteger(seconds)) throw new Error('SOURCE_DATE_EPOCH is no number of seconds');
  const utc = new Date(Math.max(seconds, ZIP_EPOCH) * 1_000);
  // Zip has local times, and every machine must write the same bytes.
  const mtime = new Date(utc.getTime() + utc.getTimezoneOffset() * 60_000);
  const plain = { os: 3, attrs: 0o100644 << 16, mtime, level: 9 };
  const entries = files.map(([name, bytes]) => [name, [bytes, plain]]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = resolve(process.argv[2] ?? join(PROJECT, 'dist'));
  const { name, bytes } = buildWheel();
  const reference = JSON.stringify(pythonReference(join(PROJECT, 'src')));
  mkdirSync(directory, { recursive: true });
  for (const [file, content] of Object.entries({ [name]: bytes, 'reference.json': reference })) {
    // Atomic, because a node may be reading it.
    writeFileSync(join(directory, `.${file}.part`), content);
    renameSync(join(directory, `.${file}.part`), join(directory, file));
  }
  console.log(join(directory, name));
}
