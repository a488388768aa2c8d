// The window's title and icon: which terminal is shown, how many wait, and what is most urgent.

import type { Attention } from '../terminals/urgency';

const icons: Partial<Record<Attention['kind'], string>> = {
  waiting: '/icon-waiting.svg',
  failed: '/icon-failed.svg',
  succeeded: '/icon-succeeded.svg',
  running: '/icon-running.svg',
};

export class PageTitle {
  private label = '';
  private waiting = 0;

  setLabel(label: string): void {
    this.label = label;
    this.show();
  }

  setAttention({ kind, waiting }: Attention): void {
    this.waiting = waiting;
    this.show();
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link) link.href = icons[kind] ?? '/icon.svg';
  }

  private show(): void {
    const count = this.waiting === 0 ? '' : `(${this.waiting}) `;
    document.title = `${count}${this.label === '' ? 'Holdfast' : `${this.label} · Holdfast`}`;
  }
}
