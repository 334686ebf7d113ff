import { useMutation } from '@tanstack/react-query';
import { demoToken, startDemo } from '../../chain/demo.ts';
import { Code } from '../../ui/parts.tsx';

/** Starts the demo if the address had a token of `netd dev`, otherwise names the command. */
export function DemoStart() {
  const started = useMutation({ mutationFn: startDemo });
  if (started.isSuccess) return <p>The demo has started. Its agents arrive in a moment.</p>;
  const fault = started.isError && <p className="field-fault">{started.error.message}</p>;
  if (started.isPending || demoToken() !== null) {
    return (
      <>
        {fault}
        <button
          type="button"
          className="button primary"
          disabled={started.isPending}
          onClick={() => started.mutate()}
        >
          Start the demo
        </button>
      </>
    );
  }
  return (
    <>
      {fault}
      <p>Start the demo beside the node:</p>
      <Code text="npx netd demo" />
    </>
  );
}
