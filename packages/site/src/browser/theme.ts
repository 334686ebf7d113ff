/** Runs before the page is drawn: light or dark, if the reader has chosen it in the explorer, which keeps it under this name. */
try {
  const chosen: unknown = JSON.parse(localStorage.getItem('netd:theme') ?? 'null');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // Where nothing may be kept, the page is as the system has it.
}
