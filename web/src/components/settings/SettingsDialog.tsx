// The settings. Every change counts at once, in all windows.

import { useLayoutEffect, useRef, useState } from 'react';
import { type SectionName, type SettingName, sectionOf } from '../../actions/settingNames';
import { words } from '../../words';
import { Dialog } from '../Dialog';
import { AppearanceSettings } from './AppearanceSettings';
import { ExtraKeySettings } from './ExtraKeySettings';
import type { SectionProps } from './Field';
import { KeySettings } from './KeySettings';
import { ProfileSettings } from './ProfileSettings';
import './Settings.css';
import { TerminalSettings } from './TerminalSettings';

interface Props extends SectionProps {
  /** Where it opens. */
  at?: SettingName | undefined;
  onClose(): void;
}

const sections: Record<SectionName, (props: SectionProps) => React.ReactNode> = {
  appearance: AppearanceSettings,
  terminal: TerminalSettings,
  keys: KeySettings,
  profiles: ProfileSettings,
  phone: ExtraKeySettings,
};
const sectionNames = Object.keys(sections) as SectionName[];

export function SettingsDialog({ preferences, change, at, onClose }: Props) {
  const [section, setSection] = useState<SectionName>(at === undefined ? 'appearance' : sectionOf[at]);
  const panel = useRef<HTMLDivElement>(null);
  const Section = sections[section];

  useLayoutEffect(() => {
    if (at !== undefined) panel.current?.querySelector<HTMLElement>(`[data-setting="${at}"]`)?.focus();
  }, [at]);

  return (
    <Dialog title={words.actions.settings} onClose={onClose} wide>
      <div className="hf-settings">
        <nav className="hf-settings__sections" aria-label={words.settings.sectionsLabel}>
          {sectionNames.map((name) => (
            <button
              key={name}
              type="button"
              className="hf-settings__section"
              aria-current={name === section ? 'page' : undefined}
              data-focus={name === section && at === undefined}
              onClick={() => setSection(name)}
            >
              {words.settings.sections[name]}
            </button>
          ))}
        </nav>
        <div className="hf-settings__panel" ref={panel}>
          <Section preferences={preferences} change={change} />
        </div>
      </div>
      <div className="hf-dialog__buttons">
        <button type="button" className="hf-button" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  );
}
