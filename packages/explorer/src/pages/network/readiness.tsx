import { useQuery } from '@tanstack/react-query';
import { reading } from '../../chain/client.ts';
import { Card, SkeletonCard } from '../../ui/parts.tsx';
import { count } from '../../words/amount.ts';
import { capitalized } from '../../words/ids.ts';
import { duration } from '../../words/time.ts';

export function Readiness() {
  const readiness = useQuery(reading('/v1/mainnet/readiness'));
  const { data } = readiness;
  if (!data) return <SkeletonCard lines={5} />;
  const passed = data.gates.filter(({ pass }) => pass).length;
  return (
    <Card
      title="Ready for a main network?"
      aside={
        <span className="soft">
          {count(passed)} of {count(data.gates.length)} gates passed
        </span>
      }
    >
      <ul className="gates">
        {data.gates.map(({ id, pass, detail }) => (
          <li key={id} data-pass={pass}>
            <span className="gate-mark" aria-label={pass ? 'passed' : 'missing'}>
              {pass ? '✓' : '–'}
            </span>
            <span>
              <strong>{capitalized(id.replaceAll('-', ' '))}</strong>
              <span className="soft"> {readable(detail)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function readable(detail: string): string {
  return detail
    .replace(/(\d+) of at least (\d+) ms/, (_, is: string, must: string) =>
      [is, must].map((one) => duration(Number(one))).join(' of at least '),
    )
    .replace('minimumFunding', 'the least funding');
}
