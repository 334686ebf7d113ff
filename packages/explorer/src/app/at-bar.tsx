/** Names the height in the address, and says if the page can show it. */
import { Link, useRouterState } from '@tanstack/react-router';
import { useTimeOf } from '../chain/times.ts';
import { Time } from '../marks/names.tsx';
import { Page } from '../ui/parts.tsx';
import { count } from '../words/amount.ts';
import { exactTime } from '../words/time.ts';

export function AtBar({ at, newest }: { at: number; newest: number }) {
  const heights = useRouterState({
    select: ({ matches }) => matches.at(-1)?.staticData.heights,
  });
  const made = useTimeOf(at);
  return (
    <div className="banner at-bar" role="status" aria-label="Height on display">
      <p>
        {heights === undefined ? (
          <>
            <strong>Only the newest height.</strong> This page needs the full state, so it shows
            block {count(newest)} and not block {count(at)}.
          </>
        ) : (
          <>
            <strong>Block {count(at)}</strong>
            {made !== null && (
              <>
                , made <Time at={made} from="unverified" />{' '}
                <span className="soft">({exactTime(made)})</span>
              </>
            )}
            {heights === 'same' && '. This page is the same at every height.'}
          </>
        )}
      </p>
      <NowLink />
    </div>
  );
}

/** Replaces a page that cannot show the height. */
export function NoSuchHeight({
  at,
  fault,
  newest,
}: {
  at: number | string;
  fault: string;
  newest: number;
}) {
  return (
    <Page
      title={typeof at === 'number' ? `No block ${count(at)}` : 'No such height'}
      lead={`${fault} The newest block is ${count(newest)}.`}
    >
      <NowLink />
    </Page>
  );
}

function NowLink() {
  return (
    <Link to="." search={(search) => ({ ...search, at: undefined })} className="button">
      Now
    </Link>
  );
}
