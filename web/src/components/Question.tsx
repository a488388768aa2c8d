// A question of an extension, beside the terminal. It comes at any moment, so it takes neither the
// focus nor keys: a person goes there first, with a key or a click. Dismissing it answers `null`.

import { useEffect, useState } from 'react';
import type { UiRequest } from '../protocol/messages';
import { words } from '../words';
import './Question.css';

interface Props {
  question: UiRequest;
  /** How many more are waiting. */
  more: number;
  /** The key that leads here, for people to read. */
  keys: string;
  onAnswer(value: unknown): void;
}

export function Question({ question, more, keys, onAnswer }: Props) {
  const { kind, title, message, extension, timeoutMs } = question;
  return (
    <section
      className="hf-card hf-card--floating hf-question"
      aria-label={title}
      // A click beside the buttons goes there too.
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onAnswer(null);
      }}
    >
      <div role="status">
        <p className="hf-question__asker">{words.question.asker(extension, more)}</p>
        <h2 className="hf-dialog__title">{title}</h2>
        {message && <p className="hf-dialog__text">{message}</p>}
        <p className="hf-question__how">{words.question.how(keys)}</p>
      </div>
      {kind === 'confirm' && <ConfirmButtons onAnswer={onAnswer} />}
      {kind === 'select' && <Choices question={question} onAnswer={onAnswer} />}
      {kind === 'input' && <InputForm question={question} onAnswer={onAnswer} />}
      {timeoutMs !== undefined && <Countdown milliseconds={timeoutMs} />}
    </section>
  );
}

function ConfirmButtons({ onAnswer }: Pick<Props, 'onAnswer'>) {
  return (
    <div className="hf-dialog__buttons">
      <button type="button" className="hf-button" data-focus="true" onClick={() => onAnswer(false)}>
        {words.no}
      </button>
      <button type="button" className="hf-button" onClick={() => onAnswer(true)}>
        {words.yes}
      </button>
    </div>
  );
}

function Choices({ question, onAnswer }: Pick<Props, 'question' | 'onAnswer'>) {
  return (
    <>
      <div className="hf-dialog__choices">
        {(question.options ?? []).map((option) => (
          <button key={option} type="button" className="hf-button" onClick={() => onAnswer(option)}>
            {option}
          </button>
        ))}
      </div>
      <div className="hf-dialog__buttons">
        <Cancel isSafe onAnswer={onAnswer} />
      </div>
    </>
  );
}

function InputForm({ question, onAnswer }: Pick<Props, 'question' | 'onAnswer'>) {
  const [value, setValue] = useState(typeof question.default === 'string' ? question.default : '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(value);
      }}
    >
      <input
        className="hf-input"
        aria-label={question.title}
        data-focus="true"
        placeholder={question.placeholder}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <div className="hf-dialog__buttons">
        <Cancel onAnswer={onAnswer} />
        <button type="submit" className="hf-button">
          {words.ok}
        </button>
      </div>
    </form>
  );
}

function Cancel({ isSafe = false, onAnswer }: Pick<Props, 'onAnswer'> & { isSafe?: boolean }) {
  return (
    <button type="button" className="hf-button" data-focus={isSafe} onClick={() => onAnswer(null)}>
      {words.cancel}
    </button>
  );
}

function Countdown({ milliseconds }: { milliseconds: number }) {
  const [left, setLeft] = useState(Math.ceil(milliseconds / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return <p className="hf-question__how">{words.question.closesIn(left)}</p>;
}
