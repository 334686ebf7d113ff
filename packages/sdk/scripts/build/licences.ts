/** Licences of bundled dependencies. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './root.ts';

/** Licences that allow redistribution together with their text. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MPL-2.0',
]);

/** Copyright holders of MIT packages without a licence text. */
const TEXTLESS_MIT: Readonly<Record<string, string>> = {
  'abstract-logging': 'James Sumners',
};

/**
 * Returns name, version, licence and licence text of every package.
 * @throws Error if a licence is not allowed, or its text is missing
 */
export function thirdPartyLicences(modules: readonly string[], product = 'net-sdk'): string {
  // Identical texts are printed once, below all names.
  const byText = new Map<string, string[]>();
  for (const folder of packageFolders(modules)) {
    const { name, version, license } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    ) as { name: string; version: string; license: string };
    // SPDX AND requires every licence.
    const licences = license.replaceAll(/[()]/g, '').split(' AND ');
    if (!licences.every((one) => ALLOWED.has(one))) throw new Error(`${name} is under ${license}`);
    const text = textOf(name, license, join(ROOT, folder));
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `${product} contains parts of the packages below, each under its own licence.\n${rule}${parts.join(rule)}`;
}

function textOf(name: string, license: string, folder: string): string {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file !== undefined) {
    return readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  }
  const text = TEXTLESS[name]?.(folder);
  if (text !== undefined) return text;
  const holder = license === 'MIT' ? TEXTLESS_MIT[name] : undefined;
  if (holder === undefined) throw new Error(`${name} comes without the text of its licence`);
  return mitText(holder);
}

/** Packages with their licence text elsewhere. */
const TEXTLESS: Readonly<Record<string, (folder: string) => string>> = {
  '@resvg/resvg-wasm': () =>
    'This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. A copy of the MPL is at https://mozilla.org/MPL/2.0/, the sources are at https://github.com/yisibl/resvg-js.',
  // Apache-2.0. The parts from Google's protobuf have their own notice at the top of a file.
  '@bufbuild/protobuf': (folder) => {
    const apache = readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
    const source = readFileSync(join(folder, 'dist/esm/wire/varint.js'), 'utf8');
    const [notice] = /^(?:\/\/.*\n)+/.exec(source) ?? [];
    if (notice === undefined)
      throw new Error('@bufbuild/protobuf has lost the licence of its parts');
    return `${apache}\n\n${notice.replaceAll(/^\/\/ ?/gm, '').trim()}`;
  },
};

/** https://spdx.org/licenses/MIT */
const mitText = (holder: string): string => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Folders of the npm packages, relative to the repository. */
function packageFolders(modules: readonly string[]): string[] {
  const folders = modules.map((id) => {
    const [, folder] = /^(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(id) ?? [];
    return relative(ROOT, folder ?? dirname(id));
  });
  return [...new Set(folders)].toSorted();
}
