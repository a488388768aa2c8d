// Pi's terminal library, for extensions that have not installed it. A file of its own: see modules.ts.

import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from '@earendil-works/pi-tui';

// The keys of pi itself, which components ask for.
setKeybindings(
  new KeybindingsManager({
    ...TUI_KEYBINDINGS,
    'app.interrupt': { defaultKeys: 'escape', description: 'Cancel' },
    'app.clear': { defaultKeys: 'ctrl+c', description: 'Clear the editor' },
    'app.exit': { defaultKeys: 'ctrl+d', description: 'End' },
    'app.suspend': { defaultKeys: 'ctrl+z', description: 'Suspend' },
    'app.tools.expand': { defaultKeys: 'ctrl+o', description: 'Show more of tools' },
    'app.clipboard.pasteImage': { defaultKeys: 'ctrl+v', description: 'Paste an image' },
  }),
);

export * from '@earendil-works/pi-tui';
