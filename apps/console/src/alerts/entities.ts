/** A PID, an IPv4 address (a firmware version has a fifth number), a file path, or a domain, in a text of a monitored machine. */
const ENTITY =
  /\bpid[ =:]+\d{2,10}\b|(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)|(?<![\w.:/-])\/[\w.@+-]+(?:\/[\w.@+-]+)+|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|info|biz|xyz|top|ru|cn|cc|onion|example|internal|local)\b/gi;

/** Returns the text in parts, with those that name something to look for. */
export function entitiesOf(text: string): { text: string; isEntity: boolean }[] {
  const parts: { text: string; isEntity: boolean }[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(ENTITY)) {
    // A full stop ends the sentence, not the name.
    const entity = match.replace(/\.+$/, '');
    if (index > end) parts.push({ text: text.slice(end, index), isEntity: false });
    parts.push({ text: entity, isEntity: true });
    end = index + entity.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isEntity: false });
  return parts;
}
