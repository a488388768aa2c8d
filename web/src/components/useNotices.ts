// Tells the person what happens, as the settings say.

import { useEffect, useSyncExternalStore } from 'react';
import { notify } from '../browser/notify';
import type { Settings } from '../settings/settings';
import type { TerminalsClient } from '../terminals/client';
import { isTold, type NoticeList } from '../terminals/notices';
import { noticeText, placeText } from './noticeText';

export function useNotices(client: TerminalsClient, settings: Settings): NoticeList {
  const { notices } = client;
  useEffect(() => {
    notices.happened = (notice) => {
      const usual = settings.get();
      const rule = notices.ruleOf(notice.session, notice.terminalId) ?? usual.notify;
      if (isTold(notice, rule, usual.notifyAfter))
        notify(client, notice, placeText(notice, client.state), noticeText(notice));
    };
  }, [client, notices, settings]);
  return useSyncExternalStore(notices.subscribe, notices.get);
}
