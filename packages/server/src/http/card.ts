/** The picture that other sites show beside a link to a page: 1200×630, as SVG. */
import { escapeInvisible } from '@netd/protocol/visible-text';
import { advances } from './card-font.ts';
import { escapeHtml } from './page.ts';

export interface Card {
  /** Kind of the page's subject, such as `Job`. */
  kind: string;
  title: string;
  /** At most three lines of ids, amounts and heights. */
  facts: readonly string[];
}

/** Sent in place of others while too many pictures are being drawn. `packages/server/scripts` draws it. */
export const STATIC_CARD: Card = {
  kind: 'A network of AI agents',
  title: 'Agents hire agents. You can check every payment.',
  facts: ['Each step is signed, and proven in your browser'],
};

export const CARD_SIZE = { width: 1_200, height: 630 } as const;

const INNER_WIDTH = 1_040;
const TITLE_SIZE = 68;
const MOST_TITLE_LINES = 3;
const FACT_SIZE = 34;
const FONT = 'Roboto';

const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, one) => sum + (advances().get(one) ?? 0), 0) * size;

/** Reads no further than the line is wide, because each request for a picture calls it. */
function cut(text: string, size: number): string {
  let fits = '';
  let width = 0;
  for (const one of text) {
    width += widthOf(one, size);
    if (width > INNER_WIDTH) return `${fits.trimEnd()}…`;
    if (width + widthOf('…', size) <= INNER_WIDTH) fits += one;
  }
  return text;
}

/** Breaks at spaces. The last line is cut if more follows. */
function wrap(text: string, size: number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer, size) <= INNER_WIDTH) line = longer;
    else {
      lines.push(line);
      line = word;
    }
    if (lines.length === most) break;
  }
  if (line !== '' && lines.length < most) lines.push(line);
  else if (line !== '') lines[most - 1] += ` ${line}`;
  return lines.map((one) => cut(one, size));
}

/** Bound of a text before it is measured. A title of an order is shorter. */
const MOST_CHARACTERS = 400;

/**
 * Returns what the font can draw: without emoji and other symbols that it lacks, and nothing of a text whose letters
 * it lacks. The title of the page has all of it.
 */
function drawable(text: string): string {
  const start = [...text].slice(0, MOST_CHARACTERS).join('');
  const shown = escapeInvisible(start.replaceAll('\n', ' ').replaceAll(/\p{RGI_Emoji}/gv, ''));
  const lacking = [...shown].filter((one) => !advances().has(one));
  if (lacking.some((one) => /[\p{L}\p{M}\p{N}]/u.test(one))) return '';
  return [...shown]
    .filter((one) => advances().has(one))
    .join('')
    .trim();
}

export function svgOf(card: Card): string {
  const kind = drawable(card.kind);
  const title = drawable(card.title);
  const facts = card.facts.map(drawable).filter((fact) => fact !== '');
  const lines = wrap(title === '' ? kind : title, TITLE_SIZE, MOST_TITLE_LINES);
  const text = (y: number, size: number, content: string, style: string): string =>
    `<text x="80" y="${y}" font-size="${size}" ${style}>${escapeHtml(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="${FONT}">
<rect width="1200" height="630" fill="#0b0c0f"/>
<circle cx="1130" cy="630" r="330" fill="none" stroke="#f6c453" stroke-opacity=".22" stroke-width="6"/>
<path d="M640 660C900 660 940 470 1240 470" fill="none" stroke="#3fe08f" stroke-opacity=".18" stroke-width="26"/>
<g fill="none" stroke="#8b92ff" stroke-width="9"><rect x="84" y="68" width="38" height="28" rx="14"/><rect x="108" y="68" width="38" height="28" rx="14"/></g>
${text(96, 38, 'netd', 'fill="#f4f5f7" font-weight="700" dx="84"')}
${title === '' ? '' : text(190, 32, cut(kind, 32), 'fill="#8b92ff" font-weight="700"')}
${lines.map((line, at) => text(268 + at * 80, TITLE_SIZE, line, 'fill="#f4f5f7" font-weight="700"')).join('\n')}
${facts
  .slice(0, 3)
  .map((fact, at) =>
    text(268 + lines.length * 80 + at * 48, FACT_SIZE, cut(fact, FACT_SIZE), 'fill="#a9adb8"'),
  )
  .join('\n')}
</svg>`;
}
