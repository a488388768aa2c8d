// One setting: its label, its control, and what there is to say about it.

import { type ReactNode, useEffect, useId, useState } from 'react';
import type { SettingName } from '../../actions/settingNames';
import type { Preferences } from '../../settings/preferences';
import { words } from '../../words';

interface Props {
  name: SettingName;
  hint?: string | undefined;
  wrong?: string | undefined;
  children(control: { id: string; 'aria-describedby'?: string; 'data-setting': string }): ReactNode;
}

export function Field({ name, hint, wrong, children }: Props) {
  const id = useId();
  const hasHint = hint !== undefined || wrong !== undefined;
  return (
    <div className="hf-field">
      <label className="hf-field__label" htmlFor={id}>
        {words.settings.names[name]}
      </label>
      <div className="hf-field__control">
        {children({ id, 'data-setting': name, ...(hasHint ? { 'aria-describedby': `${id}-hint` } : {}) })}
        {hasHint && (
          <p
            className="hf-field__hint"
            id={`${id}-hint`}
            data-wrong={wrong !== undefined}
            role={wrong ? 'alert' : undefined}
          >
            {wrong ?? hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  name: SettingName;
  hint?: string;
  value: T;
  choices: readonly T[];
  labels: Record<T, string>;
  onChoose(value: T): void;
}

export function Choice<T extends string>({ name, hint, value, choices, labels, onChoose }: ChoiceProps<T>) {
  return (
    <Field name={name} hint={hint}>
      {(control) => (
        <select
          {...control}
          className="hf-input"
          value={value}
          onChange={({ target }) => onChoose(target.value as T)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {labels[choice]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FlagProps {
  name: SettingName;
  hint?: string;
  value: boolean;
  onChoose(value: boolean): void;
}

export function Flag({ name, hint, value, onChoose }: FlagProps) {
  return (
    <Field name={name} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="checkbox"
          checked={value}
          onChange={({ target }) => onChoose(target.checked)}
        />
      )}
    </Field>
  );
}

interface NumberProps {
  name: SettingName;
  hint?: string;
  value: number;
  limits: readonly [number, number];
  step?: number;
  onChoose(value: number): void;
}

/** Counts as soon as it makes sense; what does not is gone when the focus goes. */
export function NumberField({ name, hint, value, limits: [least, most], step = 1, onChoose }: NumberProps) {
  const [draft, setDraft] = useState(String(value));
  useEffect(() => setDraft(String(value)), [value]);
  return (
    <Field name={name} hint={hint}>
      {(control) => (
        <input
          {...control}
          className="hf-input hf-field__number"
          type="number"
          min={least}
          max={most}
          step={step}
          value={draft}
          onChange={({ target }) => {
            setDraft(target.value);
            const number = Number(target.value);
            if (target.value !== '' && number >= least && number <= most) onChoose(number);
          }}
          onBlur={() => setDraft(String(value))}
        />
      )}
    </Field>
  );
}

/** What each part of the dialog gets. */
export interface SectionProps {
  preferences: Preferences;
  change(part: Partial<Preferences>): void;
}
