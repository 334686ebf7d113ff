/** A question to the node in the language that the reader chose. */
import { useState } from 'react';
import { Code } from '../../ui/parts.tsx';
import { LANGUAGE_NAMES, LANGUAGES, type Language, type Samples } from '../../words/samples.ts';

export function SampleCode({ samples }: { samples: Samples }) {
  const [chosen, setChosen] = useState<Language>('curl');
  const sample = samples[chosen];
  return (
    <div className="stack-small samples">
      <div className="tabs" role="group" aria-label="Language">
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="button"
            aria-pressed={language === chosen}
            onClick={() => setChosen(language)}
          >
            {LANGUAGE_NAMES[language]}
          </button>
        ))}
      </div>
      {sample === null ? (
        <p className="soft">No command asks exactly this; take one of the others.</p>
      ) : (
        <Code text={sample} />
      )}
    </div>
  );
}
