// Cursor, scrollback, bell, pasting.

import { bells, cursorStyles, limits, notifyRules, pasteRules } from '../../settings/preferences';
import { settingsWords as say } from '../../settings/words';
import { Choice, Flag, NumberField, type SectionProps } from './Field';

export function TerminalSettings({ preferences, change }: SectionProps) {
  return (
    <>
      <Choice
        name="cursorStyle"
        value={preferences.cursorStyle}
        choices={cursorStyles}
        labels={say.cursors}
        onChoose={(cursorStyle) => change({ cursorStyle })}
      />
      <Flag
        name="cursorBlink"
        value={preferences.cursorBlink}
        onChoose={(cursorBlink) => change({ cursorBlink })}
      />
      <NumberField
        name="scrollback"
        hint={say.scrollbackHint}
        value={preferences.scrollback}
        limits={limits.scrollback}
        onChoose={(scrollback) => change({ scrollback })}
      />
      <Choice
        name="bell"
        value={preferences.bell}
        choices={bells}
        labels={say.bells}
        onChoose={(bell) => change({ bell })}
      />
      <Choice
        name="paste"
        hint={say.pasteHint}
        value={preferences.paste}
        choices={pasteRules}
        labels={say.pastes}
        onChoose={(paste) => change({ paste })}
      />
      <Choice
        name="notify"
        hint={say.notifyHint}
        value={preferences.notify}
        choices={notifyRules}
        labels={say.notifications}
        onChoose={(notify) => change({ notify })}
      />
      <NumberField
        name="notifyAfter"
        hint={say.notifyAfterHint}
        value={preferences.notifyAfter}
        limits={limits.notifyAfter}
        onChoose={(notifyAfter) => change({ notifyAfter })}
      />
    </>
  );
}
