// Which settings there are, and in which part of the dialog.

import { words } from '../words';

export type SettingName = keyof typeof words.settings.names;
export type SectionName = keyof typeof words.settings.sections;

export const sectionOf: Record<SettingName, SectionName> = {
  theme: 'appearance',
  scheme: 'appearance',
  fontFamily: 'appearance',
  fontSize: 'appearance',
  lineHeight: 'appearance',
  screenReader: 'appearance',
  cursorStyle: 'terminal',
  cursorBlink: 'terminal',
  scrollback: 'terminal',
  bell: 'terminal',
  paste: 'terminal',
  notify: 'terminal',
  notifyAfter: 'terminal',
  keys: 'keys',
  profiles: 'profiles',
  extraKeys: 'phone',
};

export const settingNames = Object.keys(sectionOf) as SettingName[];

export function settingLabel(name: SettingName): string {
  return words.settings.names[name];
}
