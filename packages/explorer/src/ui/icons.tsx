import { ICON_PATHS, type IconName } from '../words/icon-paths.ts';

export type { IconName };

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
