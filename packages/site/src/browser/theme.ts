/** Runs before the first paint: applies the theme chosen in the explorer, which stores it under this name. */
try {
  const chosen: unknown = JSON.parse(localStorage.getItem('netd:theme') ?? 'null');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  // Without storage, the system's theme applies.
}
