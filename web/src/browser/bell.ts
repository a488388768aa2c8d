// A bell: its sound, and a notification of the browser if the window is hidden and the user allowed it.

import type { Bell } from '../settings/preferences';
import type { TerminalsClient } from '../terminals/client';
import { labelOf, tabOf } from '../terminals/state';
import { words } from '../words';

export function notifyBell(client: TerminalsClient, terminalId: string): void {
  const tab = tabOf(client.state, terminalId);
  if (!tab || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted')
    return;
  const notification = new Notification(labelOf(tab), {
    body: words.bells.rang,
    tag: `holdfast-${terminalId}`,
  });
  notification.onclick = () => {
    window.focus();
    client.activate(terminalId);
    notification.close();
  };
}

let audio: AudioContext | undefined;
let lastSound = 0;

/** Short, and not more often than it can be told apart. */
function sound(): void {
  const now = Date.now();
  if (now - lastSound < 150) return;
  lastSound = now;
  audio ??= new AudioContext();
  const gain = audio.createGain();
  const tone = audio.createOscillator();
  gain.gain.setValueAtTime(0.15, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.15);
  tone.frequency.value = 660;
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.15);
}

/** Sounds if it should. Whether the terminal is to flash. */
export function ring(bell: Bell): boolean {
  if (bell === 'sound' || bell === 'both') sound();
  return bell === 'visual' || bell === 'both';
}
