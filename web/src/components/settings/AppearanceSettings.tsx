// Theme, colours, font.

import { type CSSProperties, useRef, useState } from 'react';
import { limits, parseField, themeChoices } from '../../settings/preferences';
import { hardToRead, lookOf, mostSchemes, type Scheme } from '../../settings/schemes';
import { settingsWords as say } from '../../settings/words';
import { words } from '../../words';
import { useTheme } from '../usePreferences';
import { Choice, Field, Flag, NumberField, type SectionProps } from './Field';

export function AppearanceSettings({ preferences, change }: SectionProps) {
  return (
    <>
      <Choice
        name="theme"
        value={preferences.theme}
        choices={themeChoices}
        labels={words.themes}
        onChoose={(theme) => change({ theme })}
      />
      <SchemeField preferences={preferences} change={change} />
      <FontField preferences={preferences} change={change} />
      <NumberField
        name="fontSize"
        hint={say.thisDevice}
        value={preferences.fontSize}
        limits={limits.fontSize}
        onChoose={(fontSize) => change({ fontSize })}
      />
      <NumberField
        name="lineHeight"
        hint={say.lineHeightHint}
        value={preferences.lineHeight}
        limits={limits.lineHeight}
        step={0.05}
        onChoose={(lineHeight) => change({ lineHeight })}
      />
      <Flag
        name="screenReader"
        hint={`${say.screenReaderHint} ${say.thisDevice}`}
        value={preferences.screenReader}
        onChoose={(screenReader) => change({ screenReader })}
      />
    </>
  );
}

/** How readable it is, in words. */
function judged({ colours }: Scheme): string {
  const { text, colours: pale } = hardToRead(colours);
  const found = [
    text === undefined ? '' : say.schemes.pale(text),
    pale === 0 ? '' : say.schemes.paleColours(pale),
  ];
  return found.filter(Boolean).join(' ') || say.schemes.readable;
}

function SchemeField({ preferences, change }: SectionProps) {
  const [told, setTold] = useState<{ text: string; isWrong: boolean } | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const theme = useTheme(preferences.theme);
  const { scheme, schemes } = preferences;
  const chosen = schemes.find(({ name }) => name === scheme);

  async function take(picked: File): Promise<void> {
    const { importScheme, largestFile } = await import('../../settings/importScheme');
    const found =
      picked.size > largestFile
        ? { problem: say.schemes.tooLarge }
        : importScheme(picked.name, await picked.text());
    if ('problem' in found) return setTold({ text: found.problem, isWrong: true });
    const others = schemes.filter(({ name }) => name !== found.scheme.name);
    if (others.length >= mostSchemes) return setTold({ text: say.schemes.full(mostSchemes), isWrong: true });
    change({ schemes: [...others, found.scheme], scheme: found.scheme.name });
    setTold({ text: `${say.schemes.imported(found.scheme.name)} ${judged(found.scheme)}`, isWrong: false });
  }

  return (
    <>
      <Field
        name="scheme"
        hint={told?.text ?? (chosen ? judged(chosen) : say.schemes.hint)}
        wrong={told?.isWrong ? told.text : undefined}
      >
        {(control) => (
          <div className="hf-field__row">
            <select
              {...control}
              className="hf-input"
              value={chosen?.name ?? ''}
              onChange={({ target }) => {
                setTold(null);
                change({ scheme: target.value });
              }}
            >
              <option value="">{say.theme.ofTheme}</option>
              {schemes.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <button type="button" className="hf-button" onClick={() => file.current?.click()}>
              {say.schemes.import}
            </button>
            <input
              ref={file}
              type="file"
              hidden
              accept=".itermcolors,.json,.jsonc"
              onChange={({ target }) => {
                const picked = target.files?.[0];
                if (picked) void take(picked);
                target.value = '';
              }}
            />
            {chosen && (
              <button
                type="button"
                className="hf-icon"
                aria-label={say.schemes.remove(chosen.name)}
                title={say.schemes.remove(chosen.name)}
                onClick={() => {
                  setTold(null);
                  change({ schemes: schemes.filter((each) => each !== chosen), scheme: '' });
                }}
              >
                ×
              </button>
            )}
          </div>
        )}
      </Field>
      <Sample colours={lookOf(chosen ?? theme).colours} />
    </>
  );
}

function Sample({ colours }: Pick<Scheme, 'colours'>) {
  const { foreground, background, palette } = colours;
  return (
    <div
      className="hf-settings__sample"
      role="img"
      aria-label={say.schemes.sample}
      style={{ color: foreground, background } as CSSProperties}
    >
      <code>
        <span style={{ color: palette[2] }}>ada@build</span>:<span style={{ color: palette[4] }}>~/src</span>$
        make
      </code>
      <span className="hf-settings__swatches">
        {palette.map((colour, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a palette's colours have nothing but their places.
          <span key={at} style={{ background: colour }} />
        ))}
      </span>
    </div>
  );
}

/** Text of both is as wide in every monospaced font. */
const narrow = 'iiiiiiii';
const wide = 'MMMMMMMM';

function widthOf(text: string, font: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = `40px ${font}`;
  return context.measureText(text).width;
}

/** What is to say about the first font, if anything. */
function judgedFont(names: string): string | undefined {
  const first = names.split(',')[0]?.replace(/["']/g, '').trim() ?? '';
  if (first === '' || /^(ui-)?monospace$/.test(first)) return undefined;
  const isMissing = ['serif', 'monospace'].every(
    (other) => widthOf(narrow, `"${first}", ${other}`) === widthOf(narrow, other),
  );
  if (isMissing) return say.font.missing(first);
  const font = `"${first}", serif`;
  return widthOf(narrow, font) === widthOf(wide, font) ? undefined : say.font.proportional(first);
}

function FontField({ preferences, change }: SectionProps) {
  const [draft, setDraft] = useState(preferences.fontFamily);
  const isWrong = parseField('fontFamily', draft) !== draft;
  return (
    <Field
      name="fontFamily"
      hint={judgedFont(preferences.fontFamily) ?? say.font.hint}
      wrong={isWrong ? say.font.wrong : undefined}
    >
      {(control) => (
        <input
          {...control}
          className="hf-input"
          placeholder={say.font.standard}
          autoComplete="off"
          spellCheck={false}
          value={draft}
          onChange={({ target }) => {
            setDraft(target.value);
            if (parseField('fontFamily', target.value) === target.value) change({ fontFamily: target.value });
          }}
        />
      )}
    </Field>
  );
}
