// Shortens what programs print, as pi's package does for its tools.

export const mostBytes = 50 * 1024;
export const mostLines = 2000;
const longestLine = 500;

interface Limits {
  maxLines?: number;
  maxBytes?: number;
}

/** The first lines, as many as the limits allow. */
export const truncateHead = (content: string, limits: Limits = {}) => truncated(content, limits, false);

/** The last lines. The first of them may have lost its beginning. */
export const truncateTail = (content: string, limits: Limits = {}) => truncated(content, limits, true);

export function truncateLine(line: string, maxChars = longestLine) {
  const wasTruncated = line.length > maxChars;
  return { text: wasTruncated ? `${line.slice(0, maxChars)}... [truncated]` : line, wasTruncated };
}

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)}KB` : `${(bytes / 1024 / 1024).toFixed(1)}MB`;
}

function truncated(
  content: string,
  { maxLines = mostLines, maxBytes = mostBytes }: Limits,
  fromEnd: boolean,
) {
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  const kept = fitting(fromEnd ? lines.toReversed() : lines, maxLines, maxBytes);
  const isWhole = kept.length === lines.length;
  const partial = fromEnd && kept.length === 0 && !isWhole ? tailOf(lines.at(-1) ?? '', maxBytes) : undefined;
  const text = partial ?? (fromEnd ? kept.reverse() : kept).join('\n');
  const output = isWhole ? content : text;
  return {
    content: output,
    truncated: !isWhole,
    truncatedBy: isWhole ? null : kept.length === maxLines ? 'lines' : 'bytes',
    totalLines: lines.length,
    totalBytes: Buffer.byteLength(content),
    outputLines: partial === undefined ? kept.length : 1,
    outputBytes: Buffer.byteLength(output),
    lastLinePartial: partial !== undefined,
    firstLineExceedsLimit: !fromEnd && Buffer.byteLength(lines[0] ?? '') > maxBytes,
    maxLines,
    maxBytes,
  };
}

function fitting(lines: string[], maxLines: number, maxBytes: number): string[] {
  let size = -1; // The first line has no line feed before it.
  const tooMany = lines.findIndex((line, at) => {
    size += Buffer.byteLength(line) + 1;
    return at >= maxLines || size > maxBytes;
  });
  return tooMany < 0 ? [...lines] : lines.slice(0, tooMany);
}

/** The last characters that fit. */
function tailOf(line: string, maxBytes: number): string {
  const end = Buffer.from(line).subarray(-maxBytes);
  const start = end.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return end.subarray(Math.max(0, start)).toString('utf8');
}
