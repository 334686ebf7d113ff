/** Search in the browser. The index loads when the reader first types. */
import MiniSearch from 'minisearch';
import { element } from './samples.ts';

interface Entry {
  path: string;
  title: string;
  section: string;
  summary: string;
  text: string;
}

const MOST = 12;

export function addSearch(): void {
  const place = document.querySelector('#search');
  if (!place) return;
  const input = element('input', {
    type: 'search',
    'aria-label': 'Search the documentation',
    'aria-controls': 'found',
    placeholder: 'Search',
    autocomplete: 'off',
    spellcheck: 'false',
  }) as HTMLInputElement;
  const status = element('p', { class: 'hidden-text', role: 'status' });
  const list = element('ul', { id: 'found' });
  place.append(input, element('kbd', { 'aria-hidden': 'true' }, '/'), status, list);

  let index: Promise<MiniSearch<Entry>> | null = null;
  const search = async (): Promise<void> => {
    const asked = input.value.trim();
    try {
      index ??= loadIndex();
      const found = asked === '' ? [] : (await index).search(asked).slice(0, MOST);
      if (input.value.trim() !== asked) return;
      status.textContent = asked === '' ? '' : `${found.length} pages`;
      list.replaceChildren(...found.map((hit) => hitOf(hit as unknown as Entry)));
      if (asked !== '' && found.length === 0) {
        list.append(element('li', { class: 'none' }, 'No page says that.'));
      }
    } catch {
      index = null;
      list.replaceChildren(element('li', { class: 'none' }, 'The search could not be loaded.'));
    }
  };
  input.addEventListener('input', () => void search());
  place.addEventListener('keydown', (event) => move(event as KeyboardEvent, input, list));
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    const isTyping =
      target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

/** The index is in /docs/assets, so the node's root is two folders above it. */
const listUrl = new URL(document.documentElement.dataset['search'] ?? '', location.href);

async function loadIndex(): Promise<MiniSearch<Entry>> {
  const answer = await fetch(listUrl);
  if (!answer.ok) throw new Error(String(answer.status));
  const entries = (await answer.json()) as Entry[];
  const index = new MiniSearch<Entry>({
    idField: 'path',
    fields: ['title', 'summary', 'text'],
    storeFields: ['path', 'title', 'section', 'summary'],
    // Also finds parts of action names and codes.
    tokenize: (text) =>
      text
        .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
        .split(/[^\p{L}\p{N}]+/u)
        .concat(text.split(/[\s().,:;]+/u))
        .filter((word) => word !== ''),
    searchOptions: {
      boost: { title: 4, summary: 2 },
      prefix: true,
      fuzzy: 0.15,
      combineWith: 'AND',
    },
  });
  await index.addAllAsync(entries);
  return index;
}

function hitOf({ path, title, section, summary }: Entry): HTMLElement {
  const { href } = new URL(`../..${path}`, listUrl);
  const link = element('a', { href });
  link.append(
    element('strong', {}, title),
    element('small', {}, section),
    element('span', {}, summary),
  );
  const item = element('li', {});
  item.append(link);
  return item;
}

/** Moves through the results by arrow keys, and back to the page by Escape. */
function move(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'Escape') {
    input.value = '';
    list.replaceChildren();
    input.blur();
  } else if (event.key === 'Enter' && at < 0) {
    links[0]?.click();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (links[next] ?? input).focus();
  }
}
