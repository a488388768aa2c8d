import { onTestFinished } from 'vitest';
import { Daemon } from './daemon.ts';

/** A daemon with a runner that has said hello; both end with the test. */
export async function startDaemon(settings: Record<string, number> = {}): Promise<Daemon> {
  const daemon = new Daemon();
  daemon.settings = settings;
  onTestFinished(() => daemon.end());
  await daemon.listen();
  daemon.startRunner();
  await daemon.wait('hello');
  return daemon;
}
