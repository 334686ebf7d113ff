const KEPT_AS = 'netd:language';

export function addCopyButtons(): void {
  for (const figure of document.querySelectorAll('figure.sample')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    button.addEventListener('click', () => {
      const text = figure.querySelector('pre')?.textContent ?? '';
      navigator.clipboard.writeText(text).then(
        () => say(button, 'Copied'),
        () => say(button, 'Not copied'),
      );
    });
    figure.append(button);
  }
}

function say(button: HTMLElement, word: string): void {
  button.textContent = word;
  setTimeout(() => (button.textContent = 'Copy'), 1_500);
}

export function addTabs(): void {
  for (const group of document.querySelectorAll('.samples')) {
    const figures = [...group.querySelectorAll<HTMLElement>('figure.sample')];
    const bar = element('div', { class: 'tabs', role: 'group', 'aria-label': 'Language' });
    for (const { dataset } of figures) {
      const name = dataset['language'] ?? '';
      const button = element('button', { type: 'button', 'data-show': name }, name);
      button.addEventListener('click', () => {
        keep(name);
        showLanguage(name);
      });
      bar.append(button);
    }
    group.prepend(bar);
    group.classList.add('tabbed');
    show(group, figures[0]?.dataset['language'] ?? '');
  }
  const kept = remembered();
  if (kept !== null) showLanguage(kept);
}

/** Shows this language in all samples that have it. */
function showLanguage(name: string): void {
  for (const group of document.querySelectorAll('.samples')) {
    const has = [...group.querySelectorAll<HTMLElement>('figure.sample')].some(
      ({ dataset }) => dataset['language'] === name,
    );
    if (has) show(group, name);
  }
}

function show(group: Element, name: string): void {
  for (const figure of group.querySelectorAll<HTMLElement>('figure.sample')) {
    figure.hidden = figure.dataset['language'] !== name;
  }
  for (const button of group.querySelectorAll<HTMLElement>('.tabs button')) {
    button.setAttribute('aria-pressed', String(button.dataset['show'] === name));
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

function keep(name: string): void {
  try {
    localStorage.setItem(KEPT_AS, name);
  } catch {
    // Without storage, the choice holds for this page.
  }
}

export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  text = '',
): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}
