// Profiles: a list, and a form for one of them.

import { useId, useState } from 'react';
import {
  longestText,
  mostProfiles,
  type Profile,
  readEnvironment,
  writeEnvironment,
} from '../../settings/profiles';
import { settingsWords as say } from '../../settings/words';
import { words } from '../../words';
import { Field, type SectionProps } from './Field';

const fresh: Profile = { name: '', command: '', directory: '', environment: {}, colours: '' };

export function ProfileSettings({ preferences, change }: SectionProps) {
  const { profiles, profile: usual } = preferences;
  /** The profile in the form; the fresh one is a new one. */
  const [edited, setEdited] = useState<Profile | null>(null);

  if (edited)
    return (
      <ProfileForm
        profile={edited}
        others={profiles.filter((each) => each !== edited).map(({ name }) => name)}
        schemes={preferences.schemes.map(({ name }) => name)}
        onCancel={() => setEdited(null)}
        onSave={(saved) => {
          const isNew = edited === fresh;
          change({
            profiles: isNew ? [...profiles, saved] : profiles.map((each) => (each === edited ? saved : each)),
            ...(usual === edited.name && !isNew ? { profile: saved.name } : {}),
          });
          setEdited(null);
        }}
        onRemove={
          edited === fresh
            ? undefined
            : () => {
                change({ profiles: profiles.filter((each) => each !== edited) });
                setEdited(null);
              }
        }
      />
    );

  return (
    <>
      <Field
        name="profiles"
        hint={profiles.length >= mostProfiles ? say.profiles.full(mostProfiles) : say.profiles.hint}
      >
        {(control) => (
          <select
            {...control}
            aria-label={say.profiles.usual}
            className="hf-input"
            value={profiles.some(({ name }) => name === usual) ? usual : ''}
            onChange={({ target }) => change({ profile: target.value })}
          >
            <option value="">{`${say.profiles.usual}: ${say.profiles.none}`}</option>
            {profiles.map(({ name }) => (
              <option key={name} value={name}>{`${say.profiles.usual}: ${name}`}</option>
            ))}
          </select>
        )}
      </Field>
      <ul className="hf-settings__list">
        {profiles.map((each) => (
          <li key={each.name} className="hf-settings__item">
            <span className="hf-settings__name">
              {each.name} <span className="hf-settings__detail">{say.profiles.runs(each.command)}</span>
            </span>
            <button
              type="button"
              className="hf-link"
              aria-label={say.profiles.edit(each.name)}
              onClick={() => setEdited(each)}
            >
              {say.profiles.editShort}
            </button>
          </li>
        ))}
      </ul>
      {profiles.length < mostProfiles && (
        <button type="button" className="hf-button" onClick={() => setEdited(fresh)}>
          {say.profiles.new}
        </button>
      )}
    </>
  );
}

interface FormProps {
  profile: Profile;
  others: string[];
  schemes: string[];
  onSave(profile: Profile): void;
  onCancel(): void;
  /** Not for a new one. */
  onRemove: (() => void) | undefined;
}

function ProfileForm({ profile, others, schemes, onSave, onCancel, onRemove }: FormProps) {
  const [draft, setDraft] = useState(profile);
  const [environment, setEnvironment] = useState(writeEnvironment(profile.environment));
  const [wrong, setWrong] = useState<string | null>(null);
  const put = (part: Partial<Profile>) => {
    setDraft({ ...draft, ...part });
    setWrong(null);
  };

  function save(): void {
    const name = draft.name.trim();
    const read = readEnvironment(environment);
    if (name === '') setWrong(say.profiles.needsName);
    else if (others.includes(name)) setWrong(say.profiles.taken(name));
    else if (read.wrong !== undefined) setWrong(say.profiles.wrongLine(read.wrong));
    else onSave({ ...draft, name, environment: read.environment });
  }

  return (
    <form
      className="hf-settings__form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextLine label={say.profiles.name} value={draft.name} longest={50} onText={(name) => put({ name })} />
      <TextLine
        label={say.profiles.command}
        hint={say.profiles.commandHint}
        value={draft.command}
        isCode
        onText={(command) => put({ command })}
      />
      <TextLine
        label={say.profiles.directory}
        hint={say.profiles.directoryHint}
        value={draft.directory}
        isCode
        onText={(directory) => put({ directory })}
      />
      <TextLine
        label={say.profiles.environment}
        hint={say.profiles.environmentHint}
        value={environment}
        isCode
        isLong
        onText={(text) => {
          setEnvironment(text);
          setWrong(null);
        }}
      />
      <label className="hf-settings__line">
        <span>{say.profiles.colours}</span>
        <select
          className="hf-input"
          value={draft.colours}
          onChange={({ target }) => put({ colours: target.value })}
        >
          <option value="">{say.profiles.likeOthers}</option>
          {(['light', 'dark', 'contrast'] as const).map((theme) => (
            <option key={theme} value={theme}>
              {words.themes[theme]}
            </option>
          ))}
          {schemes.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {wrong !== null && (
        <p className="hf-settings__told" role="alert" data-wrong="true">
          {wrong}
        </p>
      )}
      <div className="hf-dialog__buttons">
        {onRemove && (
          <button type="button" className="hf-button hf-settings__apart" onClick={onRemove}>
            {say.profiles.remove}
          </button>
        )}
        <button type="button" className="hf-button" onClick={onCancel}>
          {words.cancel}
        </button>
        <button type="submit" className="hf-button hf-button--main">
          {say.profiles.save}
        </button>
      </div>
    </form>
  );
}

interface LineProps {
  label: string;
  hint?: string;
  value: string;
  longest?: number;
  isCode?: boolean;
  isLong?: boolean;
  onText(text: string): void;
}

function TextLine({
  label,
  hint,
  value,
  longest = longestText,
  isCode = false,
  isLong = false,
  onText,
}: LineProps) {
  const id = useId();
  const control = {
    id,
    className: `hf-input${isCode ? ' hf-settings__code' : ''}`,
    maxLength: longest,
    autoComplete: 'off',
    spellCheck: false,
    value,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
    onChange: ({ target }: { target: { value: string } }) => onText(target.value),
  };
  return (
    <div className="hf-settings__line">
      <label htmlFor={id}>{label}</label>
      {isLong ? <textarea rows={3} {...control} /> : <input {...control} />}
      {hint !== undefined && (
        <p className="hf-field__hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
