// The settings, which are loaded when they are opened for the first time.

import type { Layer } from '../actions/perform';
import { settingNames } from '../actions/settingNames';
import { later } from './later';
import { usePreferences } from './usePreferences';

const SettingsDialog = later(async () => (await import('./settings/SettingsDialog')).SettingsDialog);

export function LazySettings({ layer, onClose }: { layer: Layer; onClose(): void }) {
  const [preferences, change] = usePreferences();
  return (
    <SettingsDialog
      preferences={preferences}
      change={change}
      at={settingNames.find((name) => layer === `settings ${name}`)}
      onClose={onClose}
    />
  );
}
