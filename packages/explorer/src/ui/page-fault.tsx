/** Replaces a page that failed to render, for example because of an unexpected answer. */
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from './parts.tsx';

export function PageFault({ reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Page
      title="This page could not be drawn"
      lead="The node gave no answer, or one that this page cannot read: it may be of another version, or broken, or it lies. What this browser keeps, such as acts that you signed, is there as before."
    >
      <p className="chips">
        <button
          type="button"
          className="button primary"
          onClick={() => {
            reset();
            void router.invalidate();
          }}
        >
          Try again
        </button>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load the page anew
        </button>
      </p>
      <p className="soft">
        Where it stays so, ask another node: the pages “Network” and “Verify” name some.
      </p>
    </Page>
  );
}
