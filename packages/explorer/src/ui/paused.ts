import { useEffect, useState } from 'react';

const PAUSE = 120;

/** Returns a text once its reader has stopped typing. */
export function usePaused(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}
