/**
 * Writes netsdk-<version>-py3-none-any.whl from clients/python, without needing Python. The bytes are reproducible:
 * sorted, compressed by fflate, and dated SOURCE_DATE_EPOCH or the start of zip time.
 * Beside it writes reference.json, from which the documentation has its page of Python.
 * node scripts/build-python.mjs [directory]    default: clients/python/dist
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonReference } from './python-reference.mjs';
import { filesBelow, makeWheel, writeWhole } from './wheel.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PROJECT = join(ROOT, 'clients/python');

/** @returns {{ name: string, bytes: Buffer }} the wheel and its file name */
export function buildWheel() {
  const project = readProject(readFileSync(join(PROJECT, 'pyproject.toml'), 'utf8'));
  const files = new Map([
    ...filesBelow(join(PROJECT, 'src')),
    ...project.included.map(([from, to]) => [to, readFileSync(join(PROJECT, from))]),
  ]);
  return makeWheel({
    name: 'netsdk',
    version: project.version,
    files,
    licence: readFileSync(join(PROJECT, 'LICENSE')),
    entryPoints: project.entryPoints,
    metadata: metadataOf(project),
  });
}

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
    extras: [...section('project.optional-dependencies').matchAll(/^(\w+) = \["(.*)"\]$/gm)].map(
      ([, name, requirement]) => ({ name, requirement }),
    ),
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
  const { version, summary, author, urls, license, python, classifiers, dependencies, extras } =
    project;
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
    ...extras.flatMap(({ name, requirement }) => [
      `Provides-Extra: ${name}`,
      `Requires-Dist: ${requirement}; extra == '${name}'`,
    ]),
    'Description-Content-Type: text/markdown',
  ];
  return `${lines.join('\n')}\n\n${project.readme}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = resolve(process.argv[2] ?? join(PROJECT, 'dist'));
  const { name, bytes } = buildWheel();
  const reference = JSON.stringify(pythonReference(join(PROJECT, 'src')));
  writeWhole(directory, { [name]: bytes, 'reference.json': reference });
  console.log(join(directory, name));
}
