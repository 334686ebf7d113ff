import { Link, useSearch } from '@tanstack/react-router';
import { Code } from '../../ui/parts.tsx';
import { LANGUAGES, LANGUAGE_NAMES, type Samples } from '../../words/samples.ts';

export function SampleCode({ samples }: { samples: Samples }) {
  const { code: chosen = 'curl' } = useSearch({ from: '/developers' });
  const sample = samples[chosen];
  return (
    <div className="stack-small samples">
      <div className="tabs" role="group" aria-label="Language">
        {LANGUAGES.map((language) => (
          <Link
            key={language}
            from="/developers"
            search={(search) => ({ ...search, code: language === 'curl' ? undefined : language })}
            aria-current={language === chosen ? 'page' : undefined}
            activeProps={{}}
            activeOptions={{ exact: true }}
            resetScroll={false}
          >
            {LANGUAGE_NAMES[language]}
          </Link>
        ))}
      </div>
      {sample === null ? (
        <p className="soft">No command makes this request. Choose another language.</p>
      ) : (
        <Code text={sample} />
      )}
    </div>
  );
}
