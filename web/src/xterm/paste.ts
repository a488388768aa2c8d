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

/** Files that came with a drop or a paste. */
export interface Dropped {
  chosen: File[];
  folders: number;
}

export function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true;
}

export function filesIn(data: DataTransfer | null): Dropped {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
  const chosen = items.filter((item) => !isFolder(item)).map((item) => item.getAsFile());
  return { chosen: chosen.filter((file) => file !== null), folders: items.filter(isFolder).length };
}

/** Spreadsheets copy a picture of the text along with it. */
function isTextAbove(data: DataTransfer | null): boolean {
  const text = data?.getData('text/plain') ?? '';
  return text !== '' && [...(data?.files ?? [])].every(({ type }) => type.startsWith('image/'));
}

/** Gives all that is pasted or dropped into the element to these, and to nobody else. */
export function takePastes(
  element: HTMLElement,
  take: (text: string) => void,
  takeFiles: (dropped: Dropped) => void,
): void {
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
    const { clipboardData: data } = event;
    if (hasFiles(data) && !isTextAbove(data)) return takeFiles(filesIn(data));
    take(data?.getData('text/plain') ?? '');
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
    if (hasFiles(event.dataTransfer)) return takeFiles(filesIn(event.dataTransfer));
    take(event.dataTransfer?.getData('text/plain') ?? '');
  });
}
