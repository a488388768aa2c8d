// The colours that extensions draw with: those of the terminal itself, so that they follow the
// page's scheme. Where only text is shown they are taken away.

/** SGR parameters of pi's colours; all others have the terminal's own. */
const foregrounds: Record<string, number> = {
  ...{ accent: 36, border: 34, borderAccent: 36, borderMuted: 90, success: 32, error: 31, warning: 33 },
  ...{ muted: 90, dim: 90, thinkingText: 90, toolOutput: 90, customMessageLabel: 35, bashMode: 32 },
  ...{ mdHeading: 33, mdLink: 34, mdLinkUrl: 90, mdCode: 36, mdCodeBlock: 32, mdCodeBlockBorder: 90 },
  ...{ mdQuote: 90, mdQuoteBorder: 90, mdHr: 90, mdListBullet: 36 },
  ...{ toolDiffAdded: 32, toolDiffRemoved: 31, toolDiffContext: 90 },
  ...{ syntaxComment: 90, syntaxKeyword: 34, syntaxFunction: 33, syntaxVariable: 36 },
  ...{ syntaxString: 32, syntaxNumber: 35, syntaxType: 36, thinkingOff: 90, thinkingMinimal: 90 },
  ...{ thinkingLow: 34, thinkingMedium: 36, thinkingHigh: 35, thinkingXhigh: 31 },
};
const backgrounds: Record<string, number> = { selectedBg: 100, toolSuccessBg: 42, toolErrorBg: 41 };
const ownForeground = 39;
const ownBackground = 49;

const styled = (on: number, off: number) => (text: string) => `\x1b[${on}m${text}\x1b[${off}m`;
const foreground = (name: string) => foregrounds[name] ?? ownForeground;
const background = (name: string) => backgrounds[name] ?? ownBackground;
const fg = (name: string, text: string): string => styled(foreground(name), ownForeground)(text);

export const theme = Object.freeze({
  name: 'terminal',
  fg,
  bg: (name: string, text: string): string => styled(background(name), ownBackground)(text),
  bold: styled(1, 22),
  dim: styled(2, 22),
  italic: styled(3, 23),
  underline: styled(4, 24),
  inverse: styled(7, 27),
  strikethrough: styled(9, 29),
  getFgAnsi: (name: string) => `\x1b[${foreground(name)}m`,
  getBgAnsi: (name: string) => `\x1b[${background(name)}m`,
  getColorMode: () => '256color',
  getThinkingBorderColor: () => (text: string) => fg('border', text),
  getBashModeBorderColor: () => (text: string) => fg('bashMode', text),
});
