// A bell's sound.

import type { Bell } from '../settings/preferences';

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
