// Dialogs for extensions' questions, and for the page's own before it closes or pastes.

import { useEffect, useState } from 'react';
import type { UiRequest } from '../protocol/messages';
import { Dialog } from './Dialog';

interface QuestionProps {
  question: UiRequest;
  onAnswer(value: unknown): void;
}

/** One question of an extension. Dismissing it answers `null`. */
export function Question({ question, onAnswer }: QuestionProps) {
  const { kind, title, message } = question;
  return (
    <Dialog title={title} onClose={() => onAnswer(null)}>
      {message && <p className="hf-dialog__text">{message}</p>}
      {kind === 'confirm' && <ConfirmButtons onAnswer={onAnswer} />}
      {kind === 'select' && <Choices question={question} onAnswer={onAnswer} />}
      {kind === 'input' && <InputForm question={question} onAnswer={onAnswer} />}
      {question.timeoutMs !== undefined && <Countdown milliseconds={question.timeoutMs} />}
    </Dialog>
  );
}

function ConfirmButtons({ onAnswer }: { onAnswer(value: boolean): void }) {
  return (
    <div className="hf-dialog__buttons">
      <button type="button" className="hf-button" onClick={() => onAnswer(false)}>
        No
      </button>
      <button
        type="button"
        className="hf-button hf-button--main"
        data-focus="true"
        onClick={() => onAnswer(true)}
      >
        Yes
      </button>
    </div>
  );
}

function Choices({ question, onAnswer }: QuestionProps) {
  return (
    <div className="hf-dialog__choices">
      {(question.options ?? []).map((option) => (
        <button
          key={option}
          type="button"
          className="hf-button"
          data-focus={option === question.default}
          onClick={() => onAnswer(option)}
        >
          {option}
        </button>
      ))}
    </div>
  );
}

function InputForm({ question, onAnswer }: QuestionProps) {
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
        <button type="button" className="hf-button" onClick={() => onAnswer(null)}>
          Cancel
        </button>
        <button type="submit" className="hf-button hf-button--main">
          OK
        </button>
      </div>
    </form>
  );
}

function Countdown({ milliseconds }: { milliseconds: number }) {
  const [left, setLeft] = useState(Math.ceil(milliseconds / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return <p className="hf-dialog__text">Closes unanswered in {left} s.</p>;
}

interface ConfirmProps {
  title: string;
  text: string;
  code?: string;
  yes: string;
  onYes(): void;
  onNo(): void;
}

/** A yes-or-no question of the page itself. */
export function Confirm({ title, text, code, yes, onYes, onNo }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onNo}>
      <p className="hf-dialog__text">{text}</p>
      {code !== undefined && <pre className="hf-code hf-dialog__code">{code}</pre>}
      <div className="hf-dialog__buttons">
        <button type="button" className="hf-button" onClick={onNo}>
          Cancel
        </button>
        <button type="button" className="hf-button hf-button--main" data-focus="true" onClick={onYes}>
          {yes}
        </button>
      </div>
    </Dialog>
  );
}
