// Parts of the page that are rarely used come after the first load: when they are needed, or once the
// terminals are there. So they work while the daemon does not, or is a newer one with other files.

import { type ComponentType, useEffect, useState } from 'react';
import { words } from '../words';
import { Confirm } from './Confirm';

const parts: (() => Promise<void>)[] = [];

/** The component, which shows nothing until it is loaded. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Loaded: ComponentType<Props> | undefined;
  const fetched = async () => {
    Loaded ??= await load();
  };
  parts.push(fetched);
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, by its module.
  return function Later(props: Props & { onClose?(): void }) {
    const [step, setStep] = useState<'loading' | 'loaded' | 'missing' | 'left'>('loading');
    useEffect(() => {
      fetched().then(
        () => setStep('loaded'),
        () => setStep('missing'),
      );
    }, []);
    if (Loaded) return <Loaded {...props} />;
    if (step !== 'missing') return null;
    return (
      <Confirm
        {...words.missing}
        onYes={() => location.reload()}
        onNo={() => {
          setStep('left');
          props.onClose?.();
        }}
      />
    );
  };
}

/** What does not come now is loaded when it is needed. */
export function loadParts(): void {
  for (const fetched of parts) fetched().catch(() => {});
}
