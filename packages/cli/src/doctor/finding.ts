export interface Finding {
  about: string;
  /** `warning`: a node runs, but has a problem. `fault`: it does not start, or will stop. */
  verdict: 'good' | 'warning' | 'fault';
  found: string;
  todo: string | null;
}

export const good = (about: string, found: string): Finding => ({
  about,
  verdict: 'good',
  found,
  todo: null,
});

export const warning = (about: string, found: string, todo: string): Finding => ({
  about,
  verdict: 'warning',
  found,
  todo,
});

export const fault = (about: string, found: string, todo: string): Finding => ({
  about,
  verdict: 'fault',
  found,
  todo,
});
