import { Net } from '../../marks/names.tsx';
import { count, share } from '../../words/amount.ts';
import { chamberSays, type Chamber } from '../../words/governance.ts';

export function Chambers({
  chambers,
  majorityBps,
}: {
  chambers: { stake: Chamber; utility: Chamber };
  majorityBps: number | undefined;
}) {
  return (
    <div className="chambers">
      <Bar name="Stake" of={chambers.stake} majorityBps={majorityBps} isNet />
      <Bar name="Verified work" of={chambers.utility} majorityBps={majorityBps} />
    </div>
  );
}

function Bar({
  name,
  of,
  majorityBps,
  isNet = false,
}: {
  name: string;
  of: Chamber;
  majorityBps: number | undefined;
  isNet?: boolean;
}) {
  const cast = of.for + of.against;
  const whole = Math.max(cast, of.quorum, 1);
  const amount = (votes: number) => (isNet ? <Net unet={votes} short /> : <>{count(votes)}</>);
  return (
    <div className="chamber">
      <span className="chamber-name">
        <strong>{name}</strong> <span className="soft">{chamberSays(of, majorityBps)}</span>
      </span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="none" width="100" height="6" />
        <rect className="for" width={(100 * of.for) / whole} height="6" />
        <rect
          className="against"
          x={(100 * of.for) / whole}
          width={(100 * of.against) / whole}
          height="6"
        />
        <rect className="quorum" x={(100 * of.quorum) / whole - 0.6} width="0.6" height="6" />
      </svg>
      <span className="soft number">
        {amount(of.for)} for{cast > 0 && ` (${share(of.for, cast)})`}, {amount(of.against)} against,
        quorum {amount(of.quorum)}
      </span>
    </div>
  );
}
