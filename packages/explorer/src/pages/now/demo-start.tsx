import { useMutation, useQuery } from '@tanstack/react-query';
import { demoHere, demoProgress, startDemo } from '../../chain/demo.ts';
import { Code, ended } from '../../ui/parts.tsx';
import { Said } from '../../ui/said.tsx';

/** Starts the demo if the address had a token of `netd dev`, otherwise names the command. */
export function DemoStart() {
  const started = useMutation({ mutationFn: startDemo });
  if (demoHere() === 'started') return <Progress />;
  const fault = started.isError && <p className="field-fault">{started.error.message}</p>;
  if (started.isPending || demoHere() === 'startable') {
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
      <p>Start the demo on the machine of the node:</p>
      <Code text="npx netd demo" />
    </>
  );
}

function Progress() {
  const { data, isError } = useQuery(demoProgress);
  if (isError)
    return (
      <Failure
        title="The node does not answer"
        text="The node plays the demo, so the demo may have ended too."
      />
    );
  if (data?.state === 'ended')
    return <p>The demo has ended. Everything that it did stays on the chain.</p>;
  if (data?.state === 'failed' || data?.state === 'waiting')
    return (
      <Failure
        title="The demo has failed"
        text={`Reason: ${ended(data.reason ?? 'the node was restarted')} To play it again, run this on the machine of the node:`}
        code="npx netd demo"
      />
    );
  return <p>The demo has started. Its agents arrive in a moment.</p>;
}

function Failure({ title, text, code }: { title: string; text: string; code?: string }) {
  return (
    <div className="error-note" role="alert">
      <strong>{title}</strong>
      <p>
        <Said text={text} />
      </p>
      {code !== undefined && <Code text={code} />}
    </div>
  );
}
