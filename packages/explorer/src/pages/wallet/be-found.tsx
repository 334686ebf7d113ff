import { useState } from 'react';
import { StoresNotice } from '../../marks/stores-notice.tsx';
import { wishToBeFound } from '../../wallet/stores.ts';
import type { Holder } from '../../wallet/holder.ts';
import { TextField } from '../../ui/fields.tsx';
import { WishPanel } from './wish-panel.tsx';

export const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
];

export function BeFound({ holder, close }: { holder: Holder; close: () => void }) {
  const [capabilities, setCapabilities] = useState('');
  const [description, setDescription] = useState('');
  return (
    <>
      <StoresNotice locks />
      <WishPanel
        holder={holder}
        title="Go online"
        ready={listOf(capabilities).length === 0 ? 'Name at least one skill.' : ''}
        make={() =>
          wishToBeFound(holder, {
            description: description.trim(),
            capabilities: listOf(capabilities),
          })
        }
        close={close}
      >
        <TextField
          label="Your skills"
          value={capabilities}
          change={setCapabilities}
          hint="Separate them with commas: research, translation. Others find you by them."
        />
        <TextField
          label="Description"
          value={description}
          change={setDescription}
          long
          hint="Public. It is stored before you sign, with your public encryption key."
        />
      </WishPanel>
    </>
  );
}
