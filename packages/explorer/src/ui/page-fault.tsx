import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from './parts.tsx';

export function PageFault({ reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Page
      title="This page could not be drawn"
      lead="The node gave no answer, or an answer that this page cannot read: it may have another version, be broken, or lie. What this browser keeps, such as acts that you signed, is there as before."
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
          Reload
        </button>
      </p>
      <p className="soft">
        If this goes on, ask another node: the pages “Network” and “Verify” name some.
      </p>
    </Page>
  );
}
