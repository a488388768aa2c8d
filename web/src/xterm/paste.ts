// Text that a person did not type key by key: pasted, dropped, or put in by an on-screen keyboard.
// Whoever wrote it chose its bytes, so they are made harmless before anything else is done.

/** Tabs and line ends stay. Every other control character is left out. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '');
}

/** Whether a program that takes line by line would act on it. */
export function hasLineEnd(text: string): boolean {
  return /[\r\n]/.test(text);
}

/**
 * When a paste asks: always; always, but not in programs that take pastes in brackets; or if a program
 * could run it.
 */
export type PasteRule = 'always' | 'unbracketed' | 'risky';

export function asksFor(text: string, rule: PasteRule, isBracketed: boolean): boolean {
  if (rule === 'always') return true;
  return !isBracketed && (rule === 'unbracketed' || hasLineEnd(text));
}

/** The text that the browser is about to put into the page; `undefined` if a person types it. */
function insertedBy({ inputType, data, dataTransfer }: InputEvent): string | undefined {
  const text = data ?? dataTransfer?.getData('text/plain') ?? '';
  if (/^insertFrom(Paste|PasteAsQuotation|Drop|Yank)$/.test(inputType)) return text;
  // On-screen keyboards paste from their own clipboard like this.
  return inputType === 'insertText' && text.length > 1 && hasLineEnd(text) ? text : undefined;
}

/** Gives every text that is pasted or dropped into the element to `take`, and to nobody else. */
export function takePastes(element: HTMLElement, take: (text: string) => void): void {
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const listen = <T extends keyof HTMLElementEventMap>(
    type: T,
    listener: (event: HTMLElementEventMap[T]) => void,
  ) => element.addEventListener(type, listener, { capture: true });
  listen('paste', (event) => {
    stop(event);
    take(event.clipboardData?.getData('text/plain') ?? '');
  });
  listen('beforeinput', (event) => {
    const text = insertedBy(event as InputEvent);
    if (text === undefined) return;
    stop(event);
    take(text);
  });
  listen('dragover', (event) => {
    if (event.dataTransfer?.types.includes('text/plain')) event.preventDefault();
  });
  listen('drop', (event) => {
    stop(event);
    take(event.dataTransfer?.getData('text/plain') ?? '');
  });
}
