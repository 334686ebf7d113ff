/** Applies the theme that the explorer stores under this name, before the first paint. */
try {
  const chosen: unknown = JSON.parse(localStorage.getItem('netd:theme') ?? 'null');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // Without storage, the system's theme applies.
}
