// What happened, the newest first. Enter goes there.

import { useEffect, useState } from 'react';
import { ranked } from '../actions/rank';
import type { TerminalsClient } from '../terminals/client';
import type { State } from '../terminals/state';
import { words } from '../words';
import { noticeText, placeText } from './noticeText';
import { Picker } from './Picker';
import { durationText } from './stateText';

interface Props {
  client: TerminalsClient;
  state: State;
  onClose(): void;
}

export function NoticeList({ client, state, onClose }: Props) {
  const { notices } = client;
  const [line, setLine] = useState('');
  // As it was when the list was opened: who sees it has read it.
  const [{ all, unread }] = useState(() => {
    const { all } = notices.get();
    return { all, unread: new Set(all.filter((each) => notices.isUnread(each))) };
  });
  useEffect(() => notices.read(), [notices]);
  const items = all.map((notice, at) => ({
    id: `${at}`,
    label: noticeText(notice),
    hint: [placeText(notice, state), words.ago(durationText(Date.now() - Date.parse(notice.at)))].join(' · '),
    ...(unread.has(notice) ? { kind: words.unread } : {}),
    choose() {
      onClose();
      void client.goTo(notice.session, notice.terminalId);
    },
  }));
  return (
    <Picker
      label={words.actions.notices}
      placeholder={words.noticeList.placeholder}
      line={line}
      items={line.trim() === '' ? items : ranked(line, items)}
      nothing={all.length === 0 ? words.noticeList.none : words.palette.none}
      onLine={setLine}
      onSubmit={() => {}}
      onClose={onClose}
    />
  );
}
